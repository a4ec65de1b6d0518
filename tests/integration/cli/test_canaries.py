"""Protected values and secrets are planted, everything is done that the service does, and every output is searched.

Labels, attributes, counts, bounds of width 0, the text of a token, passwords, keys and addresses with a secret in them:
none may be in an answer that is not the look that was asked for, a log, a message, a metric, an exported ledger, a
manifest, a released file, JUnit or the header of a backup.
"""

from __future__ import annotations

import base64
import json
import signal
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.core.clock import time_text
from auditor.core.zstd import zstd
from auditor.notifications.outbox import Outbox
from auditor.store.opening import open_store
from tests.support.commands import Finished, run_auditor, start_auditor
from tests.support.friends import KARATE, SECRET
from tests.support.waiting import wait_until

pytestmark = pytest.mark.neo4j

ATTRIBUTE = "quagmire"
PASSWORD = "swordfish-7431"
COUNTS = (79190041, 15485863, 32452843, 49979687, 67867967, 86028121, 2, 98765431)
SUMS = {sum(COUNTS[i] for i in range(8) if not (i ^ cell) & mask) for mask in range(8) for cell in range(8)} - {2}
CELLS = [(sex, age, ill) for sex in "fm" for age in ("young", "old") for ill in ("yes", "no")]
POLICY = """
[notify]
allow_private = ["127.0.0.1"]
[notify.channels.log]
kind = "file"
address_env = "TOLD_FILE"
[notify.channels.hook]
kind = "webhook"
address_env = "TOLD_URL"
secret_env = "TOLD_KEY"
[notify.channels.mail]
kind = "email"
address = "officer@example.org"
"""


class House:
    """A store with canaries in it, and all that was ever written outside of it."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, settings
        self.told: dict[str, str] = {}
        self.secrets = {SECRET, ATTRIBUTE, PASSWORD, base64.b64encode(PASSWORD.encode() * 2).decode()[:24]}
        self._environ = {
            "AUDITOR_CACHE": str(settings.cache),
            "AUDITOR_CONFIG": "",
            "AUDITOR_SMTP_PASSWORD": PASSWORD,
            "TOLD_FILE": str(folder / "told.jsonl"),
            # nobody listens there
            "TOLD_URL": f"http://127.0.0.1:9/{PASSWORD}",
            "TOLD_KEY": "whsec_" + base64.b64encode(PASSWORD.encode() * 2).decode(),
        }

    def run(self, *words: object, codes: tuple[int, ...] = (0,), keep: bool = True) -> Finished:
        """Run a command, and remember what it said."""
        done = run_auditor(words, self.settings.home, **self._environ)
        assert done.code in codes, f"{words}: {done.out}{done.err}"
        if keep:
            self.told[" ".join(map(str, words))] = done.out + done.err
        return done

    def daemon(self, *words: str) -> subprocess.Popen[str]:
        return start_auditor(words, self.settings.home, **self._environ)

    def leaks(self) -> list[str]:
        """Where a canary is: the output and which one."""
        numbers = {str(number) for number in SUMS}
        return [
            f"{where}: {canary}"
            for where, text in self.told.items()
            for canary in (*self.secrets, *numbers)
            if canary in text
        ]


@pytest.fixture
def house(neo4j_connection: object, neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.chdir(tmp_path)
    edges = [f"{SECRET}{a},{SECRET}{b}" for a, b in KARATE.get_edgelist()]
    Path("friends.csv").write_text("\n".join(["source,target", *edges]) + "\n")
    people = [f"{SECRET}{v},{ATTRIBUTE}{v}" for v in range(KARATE.vcount())]
    Path("friends.vertices.csv").write_text("\n".join(["id,job", *people]) + "\n")
    rows = [f"{','.join(cell)},{count}" for cell, count in zip(CELLS, COUNTS, strict=True)]
    Path("survey.csv").write_text("\n".join(["sex,age,ill,count", *rows]) + "\n")
    Path("policy.toml").write_text(POLICY)
    config = tmp_path / "config.toml"
    config.write_text(
        f'[smtp]\nserver = "127.0.0.1"\nport = 9\nsender = "a@example.org"\n[store]\npassword = "{PASSWORD}"\n'
    )
    return House(tmp_path, neo4j_settings)


def work(house: House) -> None:
    """Do what a service does in a month."""
    house.run("network", "add", "friends", "friends.csv")
    house.run("table", "add", "survey", "survey.csv")
    # what goes wrong quotes nothing, either
    Path("broken.csv").write_text(f"source,target\n{SECRET}1\n{SECRET}2,{SECRET}3,x\n")
    house.run("network", "add", "broken", "broken.csv", codes=(2,))
    Path("negative.csv").write_text(f"sex,count\nf,-{COUNTS[0]}\n")
    house.run("table", "add", "negative", "negative.csv", codes=(2,))
    for form in ("table", "json", "junit"):
        house.run("audit", "run", "--all", "--policy", "policy.toml", "--format", form, codes=(0, 1, 3))
    house.run("table", "request", "survey", "sex,age,ill", "--by", "Gotham", codes=(1,))
    house.run("network", "anonymize", "friends", "--k", "3", "--out", "released.csv")
    for name in ("released.csv", "released.csv.manifest.json", "released.manifest.json"):
        if Path(name).exists():
            house.told[name] = Path(name).read_text()
    house.run("report", "friends", "--public", "--out", "public.html", codes=(0, 1))
    house.told["public report"] = Path("public.html").read_text()
    token = house.run("token", "create", "ada", "--role", "viewer", "--json", keep=False).json
    house.secrets.add(token["token"])
    house.run("token", "list", "--json")
    house.run(
        "schedule", "add", "daily", "network:friends", "table:survey", "--cron", "0 6 * * *", "--policy", "policy.toml"
    )
    house.run("ledger", "create-key", "audit.key")
    house.secrets.add(Path("audit.key").read_text().splitlines()[1])
    house.run("ledger", "checkpoint", "--key", "audit.key")
    house.run("ledger", "export", "ledger.jsonl")
    house.told["ledger"] = Path("ledger.jsonl").read_text()
    house.run("ledger", "show", "--json")
    house.run("notify", "run", "--once", "--config", "config.toml", "--store", "local", codes=(3,))
    house.run("notify", "list", "--json")
    house.told["messages"] = Path("told.jsonl").read_text()
    house.run("config", "show", "--config", "config.toml")
    house.run("metrics", "--subjects")
    house.run("health")
    house.run("store", "info")
    house.run("store", "backup", "backup.zst")
    with Path("backup.zst").open("rb") as stream, zstd.ZstdFile(stream) as reader:
        house.told["header of the backup"] = reader.read(1 << 20).split(b"\n")[0].decode()


def watch(house: House) -> None:
    """Let the processes that go on running do something that succeeds and something that fails."""
    with open_store(house.settings) as store:
        begin = time_text(store.ledger.clock() - timedelta(days=1))
        store.connection.execute(
            "MATCH (s:AuditorSchedule) SET s.settled_until = $begin, s.begins_at = $begin", begin=begin
        )
        # what an audit meets that nobody thought of: its message quotes a label
        store.connection.execute("MATCH (n:AuditorNetwork {name: 'friends'}) SET n.checksum = $secret", secret=SECRET)
        store.connection.execute("MATCH (m:AuditorMessage {status: 'waiting'}) SET m.next_at = $begin", begin=begin)
        for words in (("schedule", "run", "--log-format", "json"), ("notify", "run", "--log-format", "text")):
            process = house.daemon(*words)
            try:
                if words[0] == "schedule":
                    wait_until(
                        lambda: store.connection.read("MATCH (t:AuditorTick) WHERE t.finished_at IS NOT NULL RETURN t")
                    )
                else:
                    wait_until(lambda: not Outbox(store).due())
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=120)
            finally:
                process.kill()
            assert process.returncode == 0
            house.told[" ".join(words)] = out + err
            if words[0] == "schedule":
                events = [json.loads(line)["event"] for line in err.splitlines()]
                assert {"started", "tick", "ended"} <= set(events)


@pytest.mark.slow
def test_no_canary_is_in_any_output(house: House) -> None:
    work(house)
    watch(house)
    # the search would find one
    house.told["a trial"] = f"x{SECRET}y"
    assert house.leaks() == [f"a trial: {SECRET}"]
    assert len(house.told) > 25
