"""The ledger on the command line: checkpoints, what was done behind its back, and what it tells of a table."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from tests.support.commands import Finished, run_auditor

pytestmark = pytest.mark.neo4j

COUNTS = (79190041, 15485863, 32452843, 49979687, 67867967, 86028121, 2, 98765431)
"""Of sex × age × ill: no output and no entry may hold one, nor a sum of some that is a count of a marginal."""
SURVEY = "sex,age,ill,count\n" + "".join(
    f"{sex},{age},{ill},{COUNTS[4 * s + 2 * a + i]}\n"
    for s, sex in enumerate("fm")
    for a, age in enumerate(("young", "old"))
    for i, ill in enumerate(("yes", "no"))
)


class Auditor:
    """The command, in a folder with a survey, on an emptied store."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self._home = folder, home

    def __call__(self, *arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(arguments, self._home, AUDITOR_LEDGER_KEY=str(self.folder / "audit.key"))
        assert ended.code == code, ended.out + ended.err
        assert "Traceback" not in ended.err
        assert not code or len(ended.err.splitlines()) <= 1
        return ended


@pytest.fixture
def connection(neo4j_connection: Connection) -> Connection:
    ensure_schema(neo4j_connection)
    return neo4j_connection


@pytest.fixture
def auditor(tmp_path: Path, neo4j_settings: Settings, connection: Connection) -> Auditor:
    (tmp_path / "survey.csv").write_text(SURVEY)
    return Auditor(tmp_path, neo4j_settings.home)


@pytest.fixture
def story(auditor: Auditor) -> Auditor:
    """A table with a release, a refusal, both once more, another name, and a removal."""
    auditor("table", "add", "survey", auditor.folder / "survey.csv")
    auditor("table", "request", "survey", "sex", "--by", "Gotham")
    auditor("table", "request", "survey", "sex,age,ill", "--by", "Gotham", "--explain", code=1)
    auditor("table", "request", "table:survey", "ill,age,sex", "--by", "Metropolis", code=1)
    auditor("table", "request", "survey", "sex", "--by", "Metropolis")
    auditor("table", "add", "twin", auditor.folder / "survey.csv")
    auditor("table", "remove", "survey", "--yes")
    return auditor


def numbers_in(value: Any, key: str = "") -> set[tuple[str, int | float]]:
    if isinstance(value, dict):
        return set().union(*(numbers_in(item, name) for name, item in value.items()))
    if isinstance(value, list):
        return set().union(*(numbers_in(item, key) for item in value))
    return {(key, value)} if isinstance(value, int | float) and not isinstance(value, bool) else set()


def test_no_entry_holds_a_count(story: Auditor, connection: Connection) -> None:
    entries = Store(connection).ledger.show(limit=100)
    assert len(entries) == 7
    for entry in entries:
        payload = json.loads(entry.payload)
        # nothing but the size of the table is a number
        assert numbers_in(payload) <= {("cells", 8), ("version", 1)}, entry.kind
    story("ledger", "export", story.folder / "ledger.jsonl")
    shown = [
        (story.folder / "ledger.jsonl").read_text(),
        story("ledger", "show").out,
        story("table", "ledger", "twin").out,
        story("table", "ledger", "twin", "--json").out,
    ]
    sums = {sum(COUNTS[i] for i in range(8) if not (i ^ cell) & mask) for mask in range(8) for cell in range(8)}
    for number in sums - {2}:
        assert all(str(number) not in text for text in shown)


def test_the_history_of_a_table(story: Auditor) -> None:
    # the name that is left and the one that was removed are of the same people
    for name in ("twin", "table:survey"):
        entries = story("table", "ledger", name, "--json").json["entries"]
        assert [(e["entry"], e["kind"], e["table"], e["answer"], e["repeated"]) for e in entries] == [
            (1, "table_added", "survey", None, None),
            (2, "table_request", "survey", "release", False),
            (3, "table_request", "survey", "refuse", False),
            (4, "table_request", "survey", "refuse", True),
            (5, "table_request", "survey", "release", True),
            (6, "table_added", "twin", None, None),
            (7, "table_removed", "survey", None, None),
        ]
    refusal = entries[2]
    assert (refusal["by"], refusal["actor"], refusal["explained"]) == ("Gotham", "tester", True)
    assert (refusal["marginal"], refusal["simulated"], len(refusal["policy"])) == (["sex", "age", "ill"], False, 64)
    assert refusal["rules"]
    assert "cells" not in refusal
    shown = story("table", "ledger", "twin", "--limit", 4).out.splitlines()
    assert len(shown) == 6
    assert refusal["policy"][:8] in shown[2]
    assert refusal["policy"] not in shown[2]
    assert "Metropolis" in shown[2]
    missing = story("table", "ledger", "nobody", code=2)
    assert "there is and was no table 'nobody'" in missing.err
    about = story("ledger", "show", "--about", "table:twin", "--json").json["entries"]
    assert [entry["seq"] for entry in about] == [6]
    assert "table:NAME" in story("ledger", "show", "--about", "twin", code=2).err


@pytest.mark.slow
def test_an_edited_entry_can_be_looked_at(story: Auditor, connection: Connection) -> None:
    connection.execute("MATCH (e:AuditorEntry {seq: 2}) SET e.payload = 'no JSON'")
    connection.execute('MATCH (e:AuditorEntry {seq: 3}) SET e.payload = \'{"rules":5,"policy":[]}\', e.at = null')
    assert len(story("table", "ledger", "twin", "--json").json["entries"]) == 7
    story("table", "ledger", "twin")
    story("ledger", "show")
    verified = story("ledger", "verify", "--json", code=1).json
    assert [(fault["seq"], fault["kind"]) for fault in verified["faults"]] == [(2, "edited"), (3, "edited")]
    refused = story("ledger", "create-key", story.folder / "audit.key")
    assert "audit.key.pub" in refused.out
    # what somebody made of the ledger is not vouched for
    refused = story("ledger", "checkpoint", "--out", story.folder / "checkpoint", code=1)
    assert "not signed" in refused.err
    assert not (story.folder / "checkpoint").exists()


@pytest.mark.slow
def test_checkpoints_find_what_was_cut_off(story: Auditor, connection: Connection) -> None:
    folder = story.folder
    story("ledger", "create-key", folder / "audit.key")
    assert stat.S_IMODE((folder / "audit.key").stat().st_mode) == 0o600
    first = folder / "first"
    made = story("ledger", "checkpoint", "--out", first, "--json").json
    assert (made["file"], made["checkpoint"]["entries"]) == (str(first), 7)
    assert "exists already" in story("ledger", "checkpoint", "--out", first, code=2).err
    story("table", "remove", "twin", "--yes")
    # printed, a checkpoint can be appended to a file of them
    with first.open("a") as stream:
        stream.write(story("ledger", "checkpoint").out)
    trust = ("--checkpoint", first, "--public-key", folder / "audit.key.pub")
    verified = story("ledger", "verify", *trust)
    # seven, the signing itself, the removal, and the second signing
    assert "the ledger is intact: 10 entries" in verified.out
    assert "up to entry 9" in verified.out
    ledger = folder / "ledger.jsonl"
    exported = story("ledger", "export", ledger, "--json").json
    head = ("--head", exported["head"], "--entries", exported["entries"])
    assert story("ledger", "verify", *head, "--json").json["kept_up_to"] == 10
    program = folder / "verify_ledger.py"
    story("ledger", "verifier", program)
    alone = [sys.executable, "-I", program, ledger, *trust]
    assert subprocess.run(alone, check=False).returncode == 0

    connection.execute("MATCH (e:AuditorEntry) WHERE e.seq > 8 DETACH DELETE e")
    connection.execute("MATCH (e:AuditorEntry {seq: 8}) MATCH (s:AuditorStore) SET s.entries = 8, s.hash = e.hash")
    assert story("ledger", "verify", "--json").json["intact"]
    ledger.write_text("".join(ledger.read_text().splitlines(keepends=True)[:8]))
    for where in ((), ("--file", ledger)):
        for kept in (trust, head):
            found = story("ledger", "verify", *where, *kept, "--json", code=1).json
            assert found["faults"] == []
            assert (found["rewriting"]["last"], found["rewriting"]["cut"]) == (9, True)
        # the first checkpoint still fits
        assert found["rewriting"]["first"] == 1
        assert subprocess.run(alone, check=False).returncode == 1
        assert "9 on are missing" in story("ledger", "verify", *where, *trust, code=1).out

    first.write_text(first.read_text().replace('"entries":7', '"entries":6'))
    forged = story("ledger", "verify", *trust, code=1)
    assert forged.out == ""
    assert "line 1 is not what was signed" in forged.err
    story("ledger", "create-key", folder / "other.key")
    stranger = story("ledger", "verify", "--checkpoint", first, "--public-key", folder / "other.key.pub", code=1)
    assert "signed by another key" in stranger.err


@pytest.mark.slow
def test_the_key_comes_from_a_file_the_environment_or_a_command(story: Auditor, neo4j_settings: Settings) -> None:
    folder = story.folder
    story("ledger", "create-key", folder / "audit.key")
    text = (folder / "audit.key").read_text()

    def checkpoint(*words: object, **environ: str) -> Finished:
        unset = {"AUDITOR_LEDGER_KEY": "", "AUDITOR_LEDGER_KEY_COMMAND": ""}
        return run_auditor(["ledger", "checkpoint", *words], neo4j_settings.home, **{**unset, **environ})

    command = f"cat '{folder / 'audit.key'}'"
    ids = {
        json.loads(done.out)["key"]
        for done in (
            checkpoint("--key", folder / "audit.key"),
            checkpoint("--key-command", command),
            checkpoint(AUDITOR_LEDGER_KEY=text),
            checkpoint(AUDITOR_LEDGER_KEY_COMMAND=command, AUDITOR_LEDGER_KEY="nothing"),
            checkpoint("--key", folder / "audit.key", AUDITOR_LEDGER_KEY_COMMAND="false"),
        )
    }
    assert len(ids) == 1
    for words, said in (
        ((), "say where the private key is"),
        (("--key", text), "can be read by everybody"),
        (("--key", folder / "audit.key", "--key-command", command), "say one of them"),
        (("--key-command", "false"), "ended with exit code 1"),
        (("--key-command", "no-such-command-here"), "could not be run"),
        (("--key-command", "'"), "cannot be read as words"),
        (("--key-command", f"cat '{folder / 'audit.key.pub'}'"), "printed holds no private Ed25519 key"),
    ):
        refused = checkpoint(*words)
        assert (refused.code, refused.out) == (2, "")
        assert said in refused.err
        assert len(refused.err.splitlines()) == 1
        assert text.splitlines()[1] not in refused.err


@pytest.mark.slow
def test_entries_are_found_by_what_they_are_about_kind_and_time(story: Auditor) -> None:
    story("ledger", "create-key", story.folder / "audit.key")
    story("ledger", "checkpoint")
    made = story("token", "create", "ada", "--role", "viewer", "--days", "2", "--json").json
    story("token", "revoke", made["id"])

    def seqs(*words: object) -> list[int]:
        return [entry["seq"] for entry in story("ledger", "show", *words, "--json").json["entries"]]

    assert seqs("--about", f"token:{made['id']}") == [10, 9]
    assert seqs("--kind", "table_request") == [5, 4, 3, 2]
    assert seqs("--kind", "table_request", "--kind", "checkpoint", "-n", "2") == [8, 5]
    assert seqs("--about", "schedule:weekly") == []
    assert seqs("--since", "2020-01-01", "--kind", "checkpoint") == [8]
    assert seqs("--until", "2020-01-01") == []
    actor = story("ledger", "show", "-n", "1", "--json").json["entries"][0]["actor"]
    assert seqs("--by", actor, "--kind", "checkpoint") == [8]
    assert seqs("--by", f"no {actor}") == []
    page = story("ledger", "show", "-n", "6", "--json").json
    assert page["before"] == 5
    assert story("ledger", "show", "-n", "6", "--before", page["before"], "--json").json["before"] is None
    assert "did you mean 'table_request'?" in story("ledger", "show", "--kind", "table_requests", code=2).err
    assert "schedule:NAME" in story("ledger", "show", "--about", "planet:mars", code=2).err
