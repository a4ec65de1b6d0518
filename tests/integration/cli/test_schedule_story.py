"""A schedule from its addition to its removal, as a user and a script see it."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.core.clock import time_text
from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from auditor.store.opening import Store, open_store
from tests.support.commands import Finished, run_auditor, start_auditor
from tests.support.friends import write_friends
from tests.support.waiting import wait_until

pytestmark = pytest.mark.neo4j


@pytest.fixture
def home(neo4j_connection: object, neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store on the server of the test run; the working folder has a network of friends."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDITOR_CACHE", str(neo4j_settings.cache))
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    write_friends(tmp_path / "friends.csv")
    (tmp_path / "lenient.toml").write_text("[network]\nmax_share_below_k = 1.0\nmax_unique_vertices = 1000\n")
    assert run_auditor(["network", "add", "friends", "friends.csv"], neo4j_settings.home).code == 0
    return neo4j_settings.home


def run(home: Path, *words: object) -> Finished:
    return run_auditor(["schedule", *words, "--json"], home)


def make_due(settings: Settings, name: str, days: int = 1) -> None:
    """Let a schedule have begun some days ago."""
    with open_store(settings) as store:
        begin = time_text(store.ledger.clock() - timedelta(days=days))
        store.connection.execute(
            "MATCH (s:AuditorSchedule {name: $name}) SET s.settled_until = $begin, s.begins_at = $begin",
            name=name,
            begin=begin,
        )


DAILY = ("--cron", "0 6 * * *", "--timezone", "Europe/Berlin")


def test_a_schedule_from_its_addition_to_its_removal(home: Path, neo4j_settings: Settings) -> None:
    added = run(home, "add", "daily", "network:friends", *DAILY)
    assert added.code == 0, added.err
    assert len(added.json["next_due"]) == 5
    (listed,) = run(home, "list").json["schedules"]
    assert (listed["next_due"], listed["last_tick"]) == (added.json["next_due"][:1], None)
    # nothing is due yet
    nothing = run(home, "run", "--once")
    assert (nothing.code, nothing.json) == (0, {"ticks": []})
    make_due(neo4j_settings, "daily", days=3)
    # the friends violate the default policy
    done = run(home, "run", "--once")
    assert done.code == 1, done.err
    (tick,) = done.json["ticks"]
    assert (tick["status"], tick["verdicts"], tick["skipped"]["count"]) == ("done", {"network:friends": "violated"}, 2)
    assert run(home, "run", "--once").json == {"ticks": []}
    shown = run(home, "show", "daily").json
    last, skipped = shown["ticks"]
    assert (last["status"], last["audits"]["network:friends"]["verdict"]) == ("done", "violated")
    assert (skipped["status"], skipped["count"]) == ("skipped", 2)
    audits = run_auditor(["audit", "list", "--json"], home).json["audits"]
    assert [(audit["id"], audit["trigger"]) for audit in audits] == [
        (last["audits"]["network:friends"]["audit"], "schedule")
    ]
    for command in ("pause", "resume"):
        assert run(home, command, "daily").code == 0
    assert run(home, "remove", "daily").code == 2
    assert run(home, "remove", "daily", "--yes").code == 0
    assert run(home, "list").json == {"schedules": []}
    # what it did stays known
    assert run(home, "show", "daily").json["ticks"] == shown["ticks"]
    assert run_auditor(["ledger", "verify"], home).code == 0


def test_exit_codes_of_a_single_run(home: Path, neo4j_settings: Settings) -> None:
    assert run(home, "add", "lenient", "network:friends", *DAILY, "--policy", "lenient.toml").code == 0
    make_due(neo4j_settings, "lenient")
    passed = run(home, "run", "--once")
    assert (passed.code, passed.json["ticks"][0]["verdicts"]) == (0, {"network:friends": "passed"})
    assert run(home, "add", "strict", "network:friends", *DAILY).code == 0
    make_due(neo4j_settings, "lenient")
    make_due(neo4j_settings, "strict")
    assert run_auditor(["network", "add", "other", "friends.csv"], home).code == 0
    assert run(home, "add", "gone", "network:other", *DAILY).code == 0
    assert run_auditor(["network", "remove", "other", "--yes"], home).code == 0
    make_due(neo4j_settings, "gone")
    mixed = run(home, "run", "--once")
    # could not complete comes before violated
    assert mixed.code == 3
    outcomes = {tick["schedule"]: tick for tick in mixed.json["ticks"]}
    assert outcomes["gone"]["reason"] == (
        "network:other: there is no network 'other' in the store; see 'auditor network list'"
    )
    assert outcomes["gone"]["retry_at"] is not None
    assert outcomes["strict"]["verdicts"] == {"network:friends": "violated"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("daily", "network:friends", "--cron", "61 6 * * *"), "'61' is no minute"),
        (("daily", "network:friends", *DAILY[:3], "Europe/Berln"), "did you mean 'Europe/Berlin'?"),
        (("daily", "network:friends", *DAILY, "--catch-up", "some"), "there are none, last and all"),
        (("daily", "friends", *DAILY), "'friends' is no subject of an audit"),
        (("daily", "network:foes", *DAILY), "there is no network 'foes'"),
        (("", "network:friends", *DAILY), "a name must have"),
    ],
)
def test_bad_input_is_one_line(home: Path, words: tuple[str, ...], told: str) -> None:
    done = run_auditor(["schedule", "add", *words], home)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1


def test_an_existing_name_is_refused(home: Path) -> None:
    assert run(home, "add", "daily", "network:friends", *DAILY).code == 0
    again = run(home, "add", "daily", "network:friends", *DAILY)
    assert again.code == 2
    assert "there is a schedule 'daily' already" in again.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_daemon_does_what_is_due_and_ends_when_told(home: Path, neo4j_settings: Settings, number: int) -> None:
    assert run(home, "add", "daily", "network:friends", *DAILY).code == 0
    make_due(neo4j_settings, "daily")
    process = start_auditor(["schedule", "run"], home)
    try:
        with open_store(neo4j_settings) as store:
            wait_until(lambda: _is_done(store))
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "ended; ticks: 1\n")
    assert "daily" in err
    assert '"verdicts":{"network:friends":"violated"}' in err


def _is_done(store: Store) -> bool:
    return [tick.status for tick in Runs(store).of_schedule(Schedules(store).show("daily").id, 1)] == ["done"]
