"""Messages as a user and a script see them: found by an audit, sent, listed, given up, sent anew."""

from __future__ import annotations

import base64
import json
import signal
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.notifications.outbox import Outbox
from auditor.store.opening import Store, open_store
from tests.support.commands import Finished, run_auditor, start_auditor
from tests.support.friends import write_friends
from tests.support.receivers import web_server
from tests.support.waiting import wait_until

pytestmark = pytest.mark.neo4j

SECRET = "swordfish-7431"
KEY = "whsec_" + base64.b64encode(SECRET.encode() * 2).decode()
POLICY = """
[notify]
allow_private = ["127.0.0.1"]

[notify.channels.collector]
kind = "webhook"
address_env = "TOLD_URL"
secret_env = "TOLD_KEY"

[notify.channels.log]
kind = "file"
address_env = "TOLD_FILE"
"""


@pytest.fixture
def home(neo4j_connection: object, neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store on the server of the test run; the working folder has a network and a policy with two channels."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDITOR_CACHE", str(neo4j_settings.cache))
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.setenv("TOLD_FILE", str(tmp_path / "told.jsonl"))
    write_friends(tmp_path / "friends.csv")
    (tmp_path / "policy.toml").write_text(POLICY)
    assert run_auditor(["network", "add", "friends", "friends.csv"], neo4j_settings.home).code == 0
    return neo4j_settings.home


def run(home: Path, *words: object, **environ: str) -> Finished:
    return run_auditor(["notify", *words, "--json"], home, **environ)


def test_from_an_audit_to_the_receivers(home: Path, tmp_path: Path) -> None:
    assert run_auditor(["audit", "run", "network:friends", "--policy", "policy.toml"], home).code == 1
    waiting = run(home, "list").json["messages"]
    assert {(message["channel"], message["status"]) for message in waiting} == {
        ("collector", "waiting"),
        ("log", "waiting"),
    }
    # the secrets are not where this runs: the file gets its messages, the webhook does not
    first = run(home, "run", "--once")
    assert first.code == 3
    assert "TOLD_URL" in next(m["reason"] for m in first.json["messages"] if m["status"] == "failed")
    lines = [json.loads(line) for line in (tmp_path / "told.jsonl").read_text().splitlines()]
    assert {line["id"] for line in lines} == {message["id"] for message in waiting if message["channel"] == "log"}
    with web_server() as server:
        there = {"TOLD_URL": f"http://127.0.0.1:{server.port}/{SECRET}", "TOLD_KEY": KEY}
        server.status = 410
        gone = [run(home, "run", "--once", **there) for _ in range(2)]
        assert gone[0].code == 3
        for message in run(home, "list").json["messages"]:
            if message["status"] == "waiting":
                assert run(home, "retry", message["id"]).code == 0
        run(home, "run", "--once", **there)
        dead = run(home, "list", "--dead").json["messages"]
        assert {message["last_error"] for message in dead} == {"the receiver answered 410"}
        server.status = 204
        assert run(home, "retry", "--all-dead").json == {"retried": len(dead)}
        done = run(home, "run", "--once", **there)
        assert (done.code, {message["status"] for message in done.json["messages"]}) == (0, {"sent"})
    # every attempt of a message had one id, and each message arrived in the end
    arrived = {request.headers["webhook-id"] for request in server.requests}
    assert arrived == {message["id"] for message in waiting if message["channel"] == "collector"}
    assert run(home, "run", "--once").json == {"messages": []}
    everything = run(home, "list").out + done.out + done.err + "".join(one.out + one.err for one in gone)
    assert SECRET not in everything
    assert KEY not in everything


def test_a_schedule_tells_without_being_asked_and_its_answer_stays_its_own(
    home: Path, neo4j_settings: Settings, tmp_path: Path
) -> None:
    words = ["add", "daily", "network:friends", "--cron", "0 6 * * *", "--policy", "policy.toml"]
    assert run_auditor(["schedule", *words], home).code == 0
    with open_store(neo4j_settings) as store:
        store.connection.execute("MATCH (s:AuditorSchedule) SET s.settled_until = '2026-01-01T00:00:00.000000Z'")
    done = run_auditor(["schedule", "run", "--once"], home)
    assert done.code == 1
    assert "TOLD_URL is not set" in done.err
    assert "TOLD_URL" not in done.out
    assert (tmp_path / "told.jsonl").read_text().count("finding.new") == 2


@pytest.mark.slow
def test_the_sender_that_is_always_there_ends_when_told(home: Path, neo4j_settings: Settings, tmp_path: Path) -> None:
    process = start_auditor(["notify", "run"], home)
    try:
        assert run_auditor(["audit", "run", "network:friends", "--policy", "policy.toml"], home).code == 1
        with open_store(neo4j_settings) as store:
            wait_until(lambda: _sent(store) == 2)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "ended; messages sent: 2\n")


def _sent(store: Store) -> int:
    return len(Outbox(store).list("sent"))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("retry",), 2, "say which"),
        (("retry", "msg_none"), 2, "notify list"),
        (("test", "colector", "--policy", "policy.toml"), 2, "did you mean 'collector'?"),
        (("test", "collector", "--policy", "policy.toml"), 3, "TOLD_URL is not set"),
        (("test", "log", "--policy", "none.toml"), 2, "does not exist"),
    ],
)
def test_what_cannot_be_done_is_one_line(home: Path, words: tuple[str, ...], code: int, told: str) -> None:
    done = run_auditor(["notify", *words], home)
    assert done.code == code
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_trial_arrives_without_a_store(home: Path, tmp_path: Path) -> None:
    nowhere = {"NEO4J_URI": "bolt://127.0.0.1:1"}
    assert run(home, "test", "log", "--policy", "policy.toml", **nowhere).code == 0
    with web_server() as server:
        url = f"http://127.0.0.1:{server.port}/"
        done = run(home, "test", "collector", "--policy", "policy.toml", TOLD_URL=url, TOLD_KEY=KEY, **nowhere)
    assert done.code == 0, done.err
    assert json.loads(server.requests[0].body)["type"] == "trial"
    assert json.loads((tmp_path / "told.jsonl").read_text())["type"] == "trial"
