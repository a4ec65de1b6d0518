"""The lattice and the frontier of a stored table: what was answered, what would be, and the note of the look."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from auditor.config import Settings
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

CUBE = "A,B,C,count\n" + "".join(
    f"{a},{b},{c},{count}\n"
    for (a, b, c), count in zip(
        [(a, b, c) for a in "ny" for b in "ny" for c in "ny"], (1, 6, 7, 8, 9, 10, 5, 1), strict=True
    )
)


@pytest.fixture
def cube(tmp_path: Path, neo4j_settings: Settings) -> Path:
    path = tmp_path / "cube.csv"
    path.write_text(CUBE)
    return path


@pytest.fixture
def home(neo4j_settings: Settings) -> Path:
    return neo4j_settings.home


def answer(home: Path, *arguments: object, code: int = 0) -> Any:
    ended = run_auditor(["--json", *arguments], home)
    assert ended.code == code, ended.err
    return ended.json


def statuses(data: Any) -> dict[str, str]:
    return {"".join(row["marginal"]): row["status"] for row in data["marginals"]}


def test_from_nothing_out_to_a_refusal(home: Path, cube: Path, tmp_path: Path) -> None:
    add_unrelated(home, "grid", cube)
    fresh = answer(home, "table", "lattice", "grid")
    assert statuses(fresh)[""] == "implied"
    assert (fresh["statuses"]["open"], fresh["statuses"]["undecided"]) == (7, 0)
    assert (fresh["released_frontier"], fresh["decided"]) == ([], False)
    for names in ("A,B", "A,C"):
        answer(home, "table", "request", "grid", names, "--by", "ann")
    before = answer(home, "table", "frontier", "grid")
    assert before["maximal_releasable"] == []
    assert before["minimal_unreleasable"] == [["B", "C"]]
    assert (before["complete"], before["out_is_safe"]) == (True, True)
    within = answer(home, "table", "frontier", "grid", "--within", "C,A")
    assert (within["within"], within["minimal_unreleasable"], within["complete"]) == (["A", "C"], [], True)
    answer(home, "table", "request", "grid", "C,B", "--by", "bob", code=1)

    told = answer(home, "table", "lattice", "table:grid")
    assert statuses(told) == {
        "": "implied", "A": "implied", "B": "implied", "C": "implied",
        "AB": "released", "AC": "released", "BC": "refused", "ABC": "unreleasable",
    }  # fmt: skip
    # a lenient policy, under which the refusal would not have been
    lenient = tmp_path / "lenient.toml"
    lenient.write_text("[table]\nmin_width = 1\nhide_small = false\ntime_limit = 300\n")
    picture = tmp_path / "lattice.svg"
    # kernels may have to be compiled first
    words = ("table", "lattice", "grid", "--decide", "--policy", lenient, "--time-limit", 600)
    decided = answer(home, *words, "--picture", picture)
    assert statuses(decided)["BC"] == "releasable"
    assert statuses(decided)["ABC"] == "unreleasable"
    assert decided["complete"]
    assert len(ET.parse(picture).getroot().findall(".//{http://www.w3.org/2000/svg}g")) == 8
    assert picture.stat().st_mode & 0o777 == 0o600

    # a look at what would be answered is noted, one at what was answered is not
    entries = answer(home, "ledger", "show", "--limit", 50)["entries"]
    looks = [entry for entry in entries if entry["subject"] == "table:grid" and entry["kind"] == "table_frontier"]
    assert len(looks) == 3
    assert looks[0]["actor"] == "tester"

    strict = tmp_path / "strict.toml"
    strict.write_text("[table]\nmin_width = 40\n")
    unsafe = answer(home, "table", "frontier", "grid", "--policy", strict)
    assert (unsafe["out_is_safe"], unsafe["maximal_releasable"]) == (False, [])
    text = run_auditor(["table", "frontier", "grid", "--policy", strict], home)
    assert "already violate the policy" in text.out


def add_unrelated(home: Path, name: str, file: Path, *options: str) -> None:
    """Add a table, and declare that it has no people in common with those that look alike."""
    assert run_auditor(["table", "add", name, file, *options], home).code == 0
    for one in answer(home, "table", "overlap", name)["open"]:
        answer(home, "table", "overlap", name, one["table"], "--unrelated")


@pytest.mark.slow
def test_a_simulated_marginal_is_out(home: Path, tmp_path: Path) -> None:
    # counts of its own: other people, of whom nothing is out
    file = tmp_path / "simulated.csv"
    file.write_text(CUBE.replace("n,", "never,"))
    add_unrelated(home, "simulated", file)
    policy = tmp_path / "simulating.toml"
    policy.write_text('[table]\nanswers = ["release", "refuse", "simulate"]\n')
    for names in ("A,B", "A,C", "B,C"):
        given = answer(home, "table", "request", "simulated", names, "--by", "ann", "--policy", policy)
    assert given["answer"] == "simulate"
    found = answer(home, "table", "lattice", "simulated")
    assert statuses(found)["BC"] == "released"
    assert (found["simulated"], found["released_frontier"]) == (True, [["A", "B"], ["A", "C"], ["B", "C"]])
    assert found["simulated_marginals"] == [{"names": ["B", "C"], "merged": {}}]
    assert "simulated: B, C\n" in run_auditor(["table", "lattice", "simulated"], home).out


@pytest.mark.slow
def test_the_frontier_is_what_requests_are_answered(home: Path, cube: Path) -> None:
    def add(name: str) -> None:
        # other categories: other people, of whom nothing is out
        cube.write_text(CUBE.replace("n,", f"{name} no,"))
        add_unrelated(home, name, cube, "--variables", "C,A,B")

    add("asked")
    said = statuses(answer(home, "table", "lattice", "asked", "--decide"))
    assert set(said.values()) == {"implied", "releasable", "unreleasable"}
    for names in ("CA", "AB", "CAB"):
        add(f"asked {names}")
        ended = run_auditor(["table", "request", f"asked {names}", ",".join(reversed(names)), "--by", "x"], home)
        assert ended.code == {"releasable": 0, "unreleasable": 1}[said[names]]


@pytest.mark.slow
def test_wrong_usage_is_one_line(home: Path, cube: Path, tmp_path: Path) -> None:
    assert run_auditor(["table", "add", "usage", cube], home).code == 0
    taken = tmp_path / "taken.svg"
    taken.write_text("")
    for arguments, said in (
        (["lattice", "usage", "--policy", str(cube)], "--decide"),
        (["lattice", "usage", "--picture", str(tmp_path / "no" / "x.svg")], "does not exist"),
        (["lattice", "usage", "--picture", str(taken)], "--force"),
        (["lattice", "usage", "--picture", str(tmp_path / "x.pdf")], "FILE.svg"),
        (["lattice", "nobody"], "table list"),
        (["frontier", "nobody"], "table list"),
        (["frontier", "usage", "--policy", str(tmp_path / "none.toml")], "does not exist"),
        (["frontier", "usage", "--time-limit", "0"], "time limit"),
        (["frontier", "usage", "--within", "A,Z"], "Z"),
        (["frontier", "network:usage"], "network --help"),
    ):
        ended = run_auditor(["table", *arguments], home)
        assert (ended.code, ended.out) == (2, ""), arguments
        assert said in ended.err
        assert len(ended.err.strip().splitlines()) == 1


def test_what_time_does_not_allow_is_undecided(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    names = "abcdefgh"
    rows = [",".join([*f"{i * 37 % 256:08b}", str(i % 7)]) for i in range(0, 256, 3)]
    file.write_text("\n".join([",".join([*names, "count"]), *rows]) + "\n")
    assert run_auditor(["table", "add", "many", file], home).code == 0
    found = answer(home, "table", "frontier", "many", "--time-limit", "0.000001", code=3)
    assert not found["complete"]
    assert found["statuses"]["undecided"] > 0
    whole = answer(home, "table", "frontier", "many")
    assert whole["complete"]
    assert sum(whole["statuses"].values()) == 256
