"""The whole path of a network through the command line: add, audit, protect, verify, look back."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor, start_auditor

pytestmark = pytest.mark.neo4j

SECRET = "zebulon"


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    """A network whose labels are names, with hubs, isolated vertices and an attribute."""
    rng = np.random.default_rng(3)
    names = [f"{SECRET}-{i}" for i in range(80)]
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 60, (150, 2)).tolist() if pair[0] != pair[1]}
    pairs |= {(0, i) for i in range(1, 30)}
    path = tmp_path / "friends.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([("a", "b", "since"), *((names[u], names[v], u * v) for u, v in sorted(pairs))])
    with (tmp_path / "friends.vertices.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("id", "town"), *((name, "x") for name in names)])
    return path


def no_label_in(*finished: Finished) -> None:
    for ended in finished:
        assert SECRET not in ended.out + ended.err
        assert "Traceback" not in ended.err


@pytest.mark.slow
def test_from_a_file_to_a_verified_export_and_back(friends: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home

    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(["--json", *arguments], home)
        assert ended.code == code, ended.err
        no_label_in(ended)
        return ended

    added = auditor("network", "add", "story", friends).json
    assert (added["vertices"], added["dropped_columns"]) == (80, ["since"])
    audit = auditor("network", "audit", "story", "--k", 4, code=1).json
    assert audit["verdict"] == "violated"
    assert {"max_share_below_k", "max_unique_vertices"} == {finding["rule"] for finding in audit["findings"]}

    figures = auditor("network", "anonymize", "story", "--k", 4, "--dry-run").json
    assert figures["lower_bound"] <= figures["edges_added"]
    released = tmp_path / "released.graphml"
    key = tmp_path / "key.csv"
    done = auditor(
        "network", "anonymize", "story", "--k", 4, "--out", released, "--key-file", key, "--store-as", "story released"
    ).json
    assert done["edges_added"] == figures["edges_added"], "a view in the database gives the same bits as one in memory"
    assert all(check["passed"] for check in done["verification"])
    assert auditor("network", "audit", released, "--k", 4).json["verdict"] == "passed"
    assert auditor("network", "audit", "story released", "--k", 4).json["verdict"] == "passed"

    compared = auditor("network", "compare", "story", released, "--all").json
    assert compared["matched_by"] == "store"
    by_key = auditor("network", "compare", friends, released, "--key", key, "--all").json
    assert {**by_key, "networks": [], "matched_by": ""} == {**compared, "networks": [], "matched_by": ""}
    page = tmp_path / "page.html"
    auditor("report", "story", "--out", page)
    assert "Vertex by vertex" in page.read_text()
    auditor("report", "story", "--out", page, "--public", "--force")
    assert "Vertex by vertex" not in page.read_text()
    for edition in ((), ("--public",)):
        assert not auditor("report", "story", "--out", page, *edition, "--k", 50, "--force", code=1).json["passed"]
        assert "Not passed" in page.read_text()

    for public in (released, Path(f"{released}.manifest.json")):
        text = public.read_text()
        assert SECRET not in text
        assert "town" not in text
    shown = auditor("network", "show", "story").json
    assert [export["state"] for export in shown["exports"]] == ["published"]
    assert shown["exports"][0]["id"] == done["export"]
    assert auditor("audit", "show", audit["audit"]).json["audit"]["verdict"] == "violated"
    assert auditor("ledger", "verify").json["intact"]
    kinds = [entry["kind"] for entry in auditor("ledger", "show").json["entries"]]
    assert kinds[:5] == ["audit", "network_added", "export", "audit", "network_added"]
    auditor("network", "remove", "story", "--yes")
    auditor("network", "show", "story", code=2)
    assert auditor("ledger", "verify").json["intact"]


@pytest.mark.slow
def test_a_stored_and_a_filed_network_give_the_same_figures(
    friends: Path, tmp_path: Path, neo4j_settings: Settings
) -> None:
    home = neo4j_settings.home
    assert run_auditor(["network", "add", "twin", friends], home).code == 0
    dry = ["--k", 5, "--dry-run", "--json", "--seed", 11]
    stored = run_auditor(["network", "anonymize", "twin", *dry], home).json
    filed = run_auditor(["network", "anonymize", friends, *dry], home).json
    keys = ("edges_added", "lower_bound", "status", "method", "k")
    assert {key: stored[key] for key in keys} == {key: filed[key] for key in keys}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["it's", 'a "b"', "`) DETACH DELETE n //", "../../etc/passwd", "Ünïcode – 图", "a b"])
def test_hostile_names_are_names(name: str, friends: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    assert run_auditor(["network", "add", name, friends], home).code == 0
    shown = run_auditor(["network", "show", name, "--json"], home)
    assert shown.json["name"] == name
    assert run_auditor(["network", "audit", f"network:{name}", "--k", "2"], home).code in (0, 1)
    again = run_auditor(["network", "add", name, friends], home)
    assert again.code == 2
    assert len(again.err.strip().splitlines()) == 1
    assert run_auditor(["network", "remove", name, "--yes"], home).code == 0


@pytest.mark.slow
def test_names_with_control_characters_are_refused(friends: Path, neo4j_settings: Settings) -> None:
    for name in ("a\nb", "", "x" * 201, "a\x1b[2Jb", "network:a", "table:a"):
        ended = run_auditor(["network", "add", name, friends], neo4j_settings.home)
        assert ended.code == 2
        assert len(ended.err.strip().splitlines()) == 1


def test_the_manifest_of_a_stored_network_is_the_public_one(
    friends: Path, tmp_path: Path, neo4j_settings: Settings
) -> None:
    home = neo4j_settings.home
    assert run_auditor(["network", "add", "manifest", friends], home).code == 0
    out = tmp_path / "m.csv"
    # longer than what an id or a time is likely to hold
    seed = "777777777777"
    assert run_auditor(["network", "anonymize", "manifest", "--k", "4", "--out", out, "--seed", seed], home).code == 0
    text = Path(f"{out}.manifest.json").read_text()
    assert set(json.loads(text)) == {
        "manifest",
        "export",
        "format",
        "files",
        "check",
        "claim",
        "verification",
        "created_at",
        "made_by",
    }
    assert seed not in text


def test_a_taken_name_for_the_result_is_refused_before_anything_is_published(
    friends: Path, tmp_path: Path, neo4j_settings: Settings
) -> None:
    home = neo4j_settings.home
    assert run_auditor(["network", "add", "taken name", friends], home).code == 0
    out = tmp_path / "t.csv"
    command = ["network", "anonymize", "taken name", "--k", "4", "--out", out, "--store-as", "taken name"]
    assert run_auditor(command, home).code == 2
    assert not out.exists()
    assert run_auditor(["network", "show", "taken name", "--json"], home).json["exports"] == []


@pytest.mark.slow
def test_a_second_release_is_said_and_options_for_files_are_refused(
    friends: Path, tmp_path: Path, neo4j_settings: Settings
) -> None:
    home = neo4j_settings.home
    assert run_auditor(["network", "add", "twice", friends], home).code == 0
    first = run_auditor(["network", "anonymize", "twice", "--k", "4", "--out", tmp_path / "1.graphml"], home)
    second = run_auditor(["network", "anonymize", "twice", "--k", "4", "--out", tmp_path / "2.graphml"], home)
    assert "exports of this network before" not in first.err
    assert "exports of this network before this one: 1" in second.err
    assert "compared with none: --previous twice does so" in second.err
    third = run_auditor(
        ["network", "anonymize", "twice", "--k", "4", "--previous", "twice", "--out", tmp_path / "3.graphml"], home
    )
    assert "compared with those of --previous alone" in third.err
    again = run_auditor(["network", "add", "twice", friends], home)
    assert (again.code, again.out) == (2, "")
    assert "To replace it: auditor network remove twice, which also deletes the keys of its exports" in again.err
    ended = run_auditor(["network", "audit", "twice", "--header"], home)
    assert ended.code == 2
    assert "stored network" in ended.err


def test_two_writers_at_once_hear_nothing_of_the_driver(friends: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    running = [start_auditor(["--json", "network", "add", f"writer {i}", friends], home) for i in range(3)]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert err == ""
        assert json.loads(out)["vertices"] == 80
