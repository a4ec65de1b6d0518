"""Two persons at the command line: one asks, another one lets out."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from auditor.config import Settings
from tests.integration.cli.test_table_requests import CUBE
from tests.support.commands import Finished, run_auditor
from tests.support.friends import write_friends

pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("neo4j_connection")]

POLICY = """
[network]
k = 3
[exports]
approval = "second-person"
marginal_approval = "second-person"
[notify.channels.office]
kind = "file"
address = "/nowhere/told.jsonl"
"""


class Desk:
    """Where two persons sit."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = home
        self.folder = folder
        self.policy = folder / "two.toml"
        self.policy.write_text(POLICY, encoding="utf-8")

    def run(self, person: str, *arguments: object, code: int = 0) -> Finished:
        ended = run_auditor([*arguments], self._home, AUDITOR_ACTOR=person)
        assert ended.code == code, ended.err
        assert "Traceback" not in ended.err
        return ended

    def json(self, person: str, *arguments: object, code: int = 0) -> Any:
        return self.run(person, "--json", *arguments, code=code).json


@pytest.fixture
def desk(neo4j_settings: Settings, tmp_path: Path) -> Desk:
    return Desk(neo4j_settings.home, tmp_path)


def test_a_marginal_goes_out_by_two(desk: Desk) -> None:
    (desk.folder / "cube.csv").write_text(CUBE)
    out = desk.folder / "ab.csv"
    desk.run("ann", "table", "add", "cube", desk.folder / "cube.csv")
    request = ["table", "request", "cube", "A,B", "--by", "Gotham", "--policy", desk.policy, "--out", out]
    asked = desk.json("ann", *request, code=3)
    assert (asked["answer"], asked["file"]) == ("pending", None)
    assert not out.exists()
    told = desk.run("ann", *request, code=3).out
    assert f"Next, for another person: auditor approval approve {asked['approval']}" in told
    assert "nothing is released yet" in told
    (waiting,) = desk.json("bob", "approval", "list")["approvals"]
    assert (waiting["id"], waiting["asked_by"], waiting["by"]) == (asked["approval"], "ann", "Gotham")
    assert (waiting["marginal"], waiting["answer"], waiting["state"]) == (["A", "B"], "release", "pending")
    refused = desk.run("Ann ", "approval", "approve", waiting["id"], code=1)
    assert "another person decides" in refused.err
    assert "A, B" in desk.run("bob", "approval", "show", waiting["id"]).out
    done = desk.json("bob", "approval", "approve", waiting["id"], "--out", out)
    assert (done["state"], done["decided_by"], done["answer"], done["file"]) == (
        "approved", "bob", "release", str(out),
    )  # fmt: skip
    assert list(csv.reader(out.open()))[1:] == [
        ["no", "no", "7"], ["no", "yes", "15"], ["yes", "no", "19"], ["yes", "yes", "6"]
    ]  # fmt: skip
    assert desk.json("bob", "approval", "list")["approvals"] == []
    assert [one["state"] for one in desk.json("bob", "approval", "list", "--all")["approvals"]] == ["approved"]
    assert "was approved by 'bob'" in desk.run("eve", "approval", "approve", waiting["id"], code=1).err
    again = desk.json("ann", *request, "--force")
    assert (again["answer"], again["implied"], again["file"]) == ("release", True, str(out))
    messages = desk.json("ann", "notify", "list")["messages"]
    assert [message["event"] for message in messages] == ["approval-wanted"]
    assert desk.run("ann", "ledger", "verify").code == 0


@pytest.mark.slow
def test_what_is_no_by_now_is_told(desk: Desk) -> None:
    (desk.folder / "cube.csv").write_text(CUBE)
    desk.run("ann", "table", "add", "cube", desk.folder / "cube.csv")
    ids = [
        desk.json("ann", "table", "request", "cube", pair, "--by", "G", "--policy", desk.policy, code=3)["approval"]
        for pair in ("A,B", "A,C", "B,C")
    ]
    for id in ids[:2]:
        desk.run("bob", "approval", "approve", id)
    out = desk.folder / "bc.csv"
    late = desk.json("bob", "approval", "approve", ids[2], "--out", out, code=1)
    assert (late["state"], late["answer"], late["rules"], late["file"]) == ("overtaken", "refuse", ["min_width"], None)
    assert not out.exists()


@pytest.mark.slow
def test_a_network_goes_out_by_two_or_not_at_all(desk: Desk) -> None:
    friends = desk.folder / "friends.csv"
    write_friends(friends)
    desk.run("ann", "network", "add", "friends", friends)
    command = ["network", "anonymize", "friends", "--k", 3, "--policy", desk.policy, "--out"]
    first, second = desk.folder / "first.csv", desk.folder / "second.csv"
    ids = [desk.json("ann", *command, out, code=3)["approval"] for out in (first, second)]
    assert not first.exists()
    assert "--out is for a marginal" in desk.run("bob", "approval", "approve", ids[0], "--out", "x.csv", code=2).err
    told = desk.run("ann", *command, desk.folder / "x.csv", code=3).out
    assert "3-degree-anonymous awaits approval by another person; nothing is released yet" in told.splitlines()[0]
    assert "AUDITOR_ACTOR set to their name" in told.split("Next, for another person: auditor approval approve ")[1]
    desk.run("ann", "approval", "withdraw", told.split("auditor approval approve ")[1].split()[0])
    told = desk.run("bob", "approval", "approve", ids[0]).out
    assert first.exists()
    export = told.split("Next: auditor audit run export:")[1].strip()
    shown = desk.json("bob", "approval", "show", ids[0])
    assert (shown["state"], shown["export"]) == ("approved", export)
    audit = ["audit", "run", f"export:{export[:8]}", "--policy", desk.policy]
    told = desk.run("bob", *audit).out
    assert f"Verified now: export:{export}" in told
    (release,) = desk.json("bob", *audit)["releases"]
    at_release = json.loads(Path(f"{first}.manifest.json").read_text())["verification"]
    assert [check["name"] for check in release["verification"]] == ["checksum", *(c["name"] for c in at_release)]
    assert all(check["passed"] for check in release["verification"])
    assert "report" in desk.run("bob", "report", "friends", "--export", export[:8], "--out", desk.folder / "r.html").out
    entries = desk.json("bob", "ledger", "show", "--about", f"export:{export[:8]}")["entries"]
    assert {"export", "audit"} <= {entry["kind"] for entry in entries}
    added = desk.json("bob", "schedule", "add", "weekly", f"export:{export[:8]}", "--cron", "0 6 * * 1")
    assert added["schedule"]["subjects"] == [f"export:{export}"]
    first.write_text(first.read_text() + "\n")
    assert "fails" in desk.run("bob", *audit, code=1).out
    assert "reason" in desk.run("bob", "approval", "reject", ids[1], "--reason", " ", code=2).err
    assert desk.json("bob", "approval", "reject", ids[1], "--reason", "one is enough")["reason"] == "one is enough"
    third = desk.json("ann", *command, second, code=3)["approval"]
    assert desk.json("ann", "approval", "withdraw", third)["state"] == "withdrawn"
    assert not second.exists()
    fourth = desk.json("ann", *command, second, code=3)["approval"]
    desk.json("bob", "approval", "approve-if", fourth, "--k", 4, "--reason", "more of them")
    changed = desk.json("ann", *command, second, "--k", 4)
    assert (changed["approval"], changed["agreed_by"], second.exists()) == (None, "bob", True)
    assert sorted(path.name for path in desk.folder.iterdir() if path.name.startswith(".auditor")) == []
    assert "there is no approval 'nowhere'" in desk.run("bob", "approval", "show", "nowhere", code=2).err


def test_a_request_is_reviewed_and_approved_if_changed(desk: Desk) -> None:
    (desk.folder / "cube.csv").write_text(CUBE)
    out = desk.folder / "a.csv"
    desk.run("ann", "table", "add", "cube", desk.folder / "cube.csv")
    request = ["table", "request", "cube", "--by", "Gotham", "--policy", desk.policy]
    id = desk.json("ann", *request, "A,B", "--purpose", "annual report", code=3)["approval"]
    assert [one["id"] for one in desk.json("bob", "approval", "list", "--waiting")["approvals"]] == [id]
    assert desk.json("ann", "approval", "list", "--waiting")["approvals"] == []
    assert desk.json("bob", "approval", "comment", id, "--text", "Is B needed?")["by"] == "bob"
    shown = desk.run("bob", "approval", "show", id, "--risk").out
    for words in ("annual report", "Is B needed?", "Protected cells", "before", "after"):
        assert words in shown
    assert desk.run("ann", "approval", "approve-if", id, "--marginal", "A", "--reason", "no", code=1).err
    assert desk.run("bob", "approval", "approve-if", id, "--k", "5", "--reason", "no", code=2).err
    returned = desk.json("bob", "approval", "approve-if", id, "--marginal", "A", "--reason", "B is not needed")
    assert (returned["state"], returned["change"]["marginal"]) == ("returned", ["A"])
    assert [one["id"] for one in desk.json("ann", "approval", "list", "--waiting")["approvals"]] == [id]
    asked = desk.json("ann", *request, "A", "--out", out)
    assert (asked["answer"], out.is_file()) == ("release", True)
    assert desk.json("ann", "approval", "show", asked["approval"])["decided_by"] == "bob"
    desk.run("ann", *request, "B", "--purpose", "a\x1b[2J", code=2)
