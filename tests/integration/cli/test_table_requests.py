"""Requests and simulations on the command line: what everybody reads, what the officer reads, and the exit codes."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor

# an emptied store for each test
pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("neo4j_connection")]

# the counts of A × B × C; what is released of them is 15 and more, or 7 and 6
CUBE = "A,B,C,count\n" + "".join(
    f"{a},{b},{c},{count}\n"
    for (a, b, c), count in zip(
        ((a, b, c) for a in ("no", "yes") for b in ("no", "yes") for c in ("no", "yes")),
        (1, 6, 7, 8, 9, 10, 5, 1),
        strict=True,
    )
)


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    path = tmp_path / "cube.csv"
    path.write_text(CUBE)
    return path


def test_from_a_file_to_a_refusal_that_is_understood(cube: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor([*arguments], neo4j_settings.home)
        assert ended.code == code, ended.err
        assert "Traceback" not in ended.err
        return ended

    auditor("table", "add", "cube", cube)
    out = tmp_path / "ab.csv"
    released = auditor("--json", "table", "request", "cube", "B,A", "--by", "ann", "--out", out).json
    assert (released["answer"], released["marginal"], released["file"]) == ("release", ["A", "B"], str(out))
    assert list(csv.reader(out.open())) == [
        ["A", "B", "count"], ["no", "no", "7"], ["no", "yes", "15"], ["yes", "no", "19"], ["yes", "yes", "6"]
    ]  # fmt: skip
    auditor("table", "request", "cube", "A,B", "--by", "ann", "--out", out, code=2)
    auditor("table", "request", "cube", "A,C", "--by", "ann")

    refused = auditor(
        "--json", "table", "request", "table:cube", "C,B", "--by", "bob", "--out", tmp_path / "bc.csv", code=1
    )
    assert (refused.json["answer"], refused.json["rules"], refused.json["file"]) == ("refuse", ["min_width"], None)
    assert "cells" not in refused.json
    assert not (tmp_path / "bc.csv").exists()
    told = auditor("table", "request", "cube", "B,C", "--by", "bob", code=1)
    assert "would be bounded too tightly" in told.out
    assert "A=" not in told.out
    shown = auditor("--json", "table", "request", "cube", "B,C", "--by", "bob", "--explain", code=1).json
    first = {"cell": {"A": "no", "B": "no", "C": "no"}, "lower": 0, "upper": 2}
    assert shown["cells"][:2] == [
        {"rule": "min_width", "required": 3, **first}, {"rule": "hide_small", "required": 3, **first}
    ]  # fmt: skip
    seen = auditor("table", "request", "cube", "B,C", "--by", "bob", "--explain", code=1).out
    assert re.search("A=no, B=no, C=no +0 to 2 +min_width +3 apart *\n", seen)
    assert re.search("A=no, B=no, C=no +0 to 2 +hide_small +3 or more possible *\n", seen)
    everything = auditor("--json", "table", "request", "cube", "A,B,C", "--by", "bob", "--explain", code=1).json
    # in words, not as the number that would be the count
    assert all(cell.get("exactly_determined") for cell in everything["cells"])
    assert all("lower" not in cell for cell in everything["cells"])

    entries = auditor("--json", "table", "ledger", "cube").json["entries"]
    answers = [entry["answer"] for entry in entries if entry.get("answer")]
    assert answers == ["release", "release", *["refuse"] * 5]
    assert [entry["explained"] for entry in entries if entry["answer"]] == [False] * 4 + [True] * 3
    assert "explained" in auditor("table", "ledger", "cube").out
    auditor("ledger", "verify")


def test_simulate_takes_the_place_of_refuse(cube: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    policy = tmp_path / "policy.toml"
    policy.write_text('[table]\nanswers = ["release", "refuse", "simulate"]\n')
    assert run_auditor(["table", "add", "cube", cube], home).code == 0
    out = tmp_path / "bc.csv"
    for pair in ("A,B", "A,C", "B,C"):
        ended = run_auditor(
            ["--json", "table", "request", "cube", pair, "--by", "ann", "--policy", policy, "--out", out, "--force"],
            home,
        )
        assert ended.code == 0, ended.err
    assert (ended.json["answer"], ended.json["simulated"]) == ("simulate", True)
    assert out.read_text().splitlines()[0] == "B,C,simulated_count"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A,X", "--by", "ann"], "no variable 'X'"),
        (["A,A", "--by", "ann"], "twice"),
        (["A,,B", "--by", "ann"], "empty name"),
        (["A,B", "--by", "ann", "--policy", "nowhere.toml"], "does not exist"),
        (["A,B", "--by", "ann", "--out", "nowhere/ab.csv"], "does not exist"),
        (["A,B"], "--by"),
        (["A,B", "--by", "  "], "must name the requester"),
        (["A,B", "--by", "a\nb"], "must name the requester"),
    ],
)
def test_bad_requests_get_one_line(arguments: list[str], said: str, cube: Path, neo4j_settings: Settings) -> None:
    run_auditor(["table", "add", "cube", cube], neo4j_settings.home)
    ended = run_auditor(["table", "request", "cube", *arguments], neo4j_settings.home)
    assert ended.code == 2
    assert said in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_the_officer_reads_which_group_and_whoever_asks_does_not(tmp_path: Path, neo4j_settings: Settings) -> None:
    path = tmp_path / "town.csv"
    path.write_text("sex,region,ill,count\nf,north,no,9\nf,south,no,8\nf,south,yes,7\nm,north,no,7\nm,south,yes,6\n")
    policy = tmp_path / "policy.toml"
    policy.write_text("[table]\ngroup_disclosure = true\n")
    assert run_auditor(["table", "add", "town", path], neo4j_settings.home).code == 0
    command = ["table", "request", "town", "sex,region,ill", "--by", "ann", "--policy", policy]
    asked = run_auditor(command, neo4j_settings.home)
    assert (asked.code, "sex=f" in asked.out) == (1, False)
    shown = run_auditor([*command, "--explain", "--json"], neo4j_settings.home).json["cells"]
    assert {
        "rule": "group_disclosure", "required": None, "variable": "ill", "group": {"sex": "f", "region": "north"}
    } in shown  # fmt: skip
    text = run_auditor([*command, "--explain"], neo4j_settings.home).out
    assert re.search("sex=f, region=north +no respondent in one category of ill", text)


def test_a_name_that_a_spreadsheet_would_run_is_told(tmp_path: Path, neo4j_settings: Settings) -> None:
    path, out = tmp_path / "formulas.csv", tmp_path / "out.csv"
    path.write_text("a,b,count\n=1+1,u,50\n=1+1,v,60\n-5,u,70\n-5,v,80\n")
    assert run_auditor(["table", "add", "formulas", path], neo4j_settings.home).code == 0
    command = ["table", "request", "formulas", "a", "--by", "ann", "--out", out]
    ended = run_auditor(command, neo4j_settings.home)
    assert (ended.code, "'=1+1' for a formula" in ended.err) == (0, True)
    # written as it is: it reads back as the same table
    assert out.read_text() == "a,count\n-5,150\n=1+1,110\n"
    assert len(run_auditor([*command, "--force", "--json"], neo4j_settings.home).json["remarks"]) == 1


def test_tables_are_simulated_from_a_file_without_a_store(cube: Path, tmp_path: Path) -> None:
    out = tmp_path / "drawn.csv"
    command = ["--json", "table", "simulate", cube, "--given", "A,B", "--given", "C", "--out", out, "--draws", "3"]
    ended = run_auditor([*command, "--seed", "5"], tmp_path / "home")
    assert ended.code == 0, ended.err
    assert (ended.json["draws"], ended.json["exact"], ended.json["held"]) == (3, True, [["C"], ["A", "B"]])
    first = out.read_text()
    assert first.splitlines()[0] == "draw,A,B,C,simulated_count"
    sums: dict[tuple[str, str, str], int] = {}
    for row in csv.DictReader(first.splitlines()):
        key = row["draw"], row["A"], row["B"]
        sums[key] = sums.get(key, 0) + int(row["simulated_count"])
    assert {key[1:]: value for key, value in sums.items() if key[0] == "2"} == {
        ("no", "no"): 7, ("no", "yes"): 15, ("yes", "no"): 19, ("yes", "yes"): 6
    }  # fmt: skip
    assert run_auditor([*command, "--seed", "5", "--force"], tmp_path / "home").code == 0
    assert out.read_text() == first


def test_a_stored_table_is_simulated_with_what_is_out(cube: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    run_auditor(["table", "add", "cube", cube], home)
    run_auditor(["table", "request", "cube", "A,B", "--by", "ann"], home)
    drawn = run_auditor(["--json", "table", "simulate", "cube", "--out", tmp_path / "s.csv"], home)
    assert (drawn.code, drawn.json["held"]) == (0, [["A", "B"]])
    refused = run_auditor(["table", "simulate", "cube", "--given", "B,C", "--out", tmp_path / "t.csv"], home)
    assert (refused.code, "leave out --given" in refused.err) == (2, True)
