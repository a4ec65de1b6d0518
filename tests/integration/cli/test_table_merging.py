"""Requests with merged categories, from the refusal that proposes them to every place that knows what is out."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor

pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("neo4j_connection")]

AGES = ("0-19", "20-39", "40-59", "60-79", "80+")
COUNTS = {"f": (40, 30, 20, 2, 1), "m": (35, 25, 30, 0, 8)}
SURVEY = "sex,age,count\n" + "".join(
    f"{sex},{age},{count}\n" for sex, counts in COUNTS.items() for age, count in zip(AGES, counts, strict=True)
)

Auditor = Callable[..., Finished]


@pytest.fixture
def auditor(tmp_path: Path, neo4j_settings: Settings) -> Auditor:
    """A store with the survey, and a policy that proposes."""
    (tmp_path / "survey.csv").write_text(SURVEY)
    (tmp_path / "policy.toml").write_text('[table]\nanswers = ["release", "refuse", "coarsen"]\n')

    def run(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor([*arguments], neo4j_settings.home)
        assert ended.code == code, ended.out + ended.err
        assert "Traceback" not in ended.err
        return ended

    run("table", "add", "survey", tmp_path / "survey.csv")
    return run


@pytest.mark.slow
def test_a_refusal_proposes_what_passes(auditor: Auditor, tmp_path: Path) -> None:
    policy, out = tmp_path / "policy.toml", tmp_path / "out.csv"
    ask = ["--json", "table", "request", "survey", "age,sex", "--by", "ann", "--policy", policy]
    refused = auditor(*ask, code=1).json
    assert refused["answer"] == "coarsen"
    assert refused["file"] is None
    assert refused["proposal"] == {"names": ["sex", "age"], "merged": {"age": [["60-79", "80+"]]}}
    assert auditor(*ask, code=1).json["proposal"] == refused["proposal"]
    told = auditor(*ask[1:], code=1).out
    assert "may be released instead: sex, age (60-79 + 80+)" in told
    command = f"Next: auditor table request survey sex,age --merge age=60-79,80+ --by ann --policy {policy}"
    assert command in told
    assert "Next:" not in auditor("--quiet", *ask[1:], code=1).out

    merge = ["--merge", "age=60-79,80+"]
    released = auditor(*ask, *merge, "--out", out).json
    assert (released["answer"], released["merged"]) == ("release", {"age": [["60-79", "80+"]]})
    rows = list(csv.reader(out.open()))
    assert rows[0] == ["sex", "age", "count"]
    assert ["f", "60-79 + 80+", "3"] in rows
    assert len(rows) == 1 + 2 * 4
    # the same with its categories in another order, and what follows from it
    assert auditor(*ask, "--merge", "age=80+,60-79").json["implied"]
    assert auditor(*ask, "--merge", "age=60-79,80+", "--merge", "age=0-19,20-39").json["implied"]
    # a finer one is still refused, and there is nothing more to propose
    again = auditor(*ask, code=1).json
    assert (again["answer"], again["proposal"]) == ("refuse", None)

    shown = auditor("table", "show", "survey").out
    assert "sex, age (60-79 + 80+)" in shown
    bounds = auditor("--json", "table", "bounds", "survey").json
    assert {"age": [["60-79", "80+"]]} in bounds["merged"]
    assert bounds["given"] == [["sex", "age"]] * len(bounds["merged"])
    cells = {tuple(cell["cell"].values()): (cell["lower"], cell["upper"]) for cell in bounds["cells"]}
    assert cells["f", "20-39"] == (30, 30)
    assert cells["f", "80+"] == (0, 3)
    lattice = auditor("--json", "table", "lattice", "survey").json
    assert {"names": ["sex", "age"], "merged": {"age": [["60-79", "80+"]]}} in lattice["merged"]
    assert {"marginal": ["sex", "age"], "status": "refused"} in lattice["marginals"]
    assert {"marginal": ["sex"], "status": "implied"} in lattice["marginals"]
    entries = auditor("--json", "table", "ledger", "survey").json["entries"]
    assert [entry["answer"] for entry in entries if entry["answer"]] == [
        *["coarsen"] * 4, "release", "release", "release", "refuse"
    ]  # fmt: skip
    assert [entry["proof"] for entry in entries if entry["answer"]][4:7] == ["tables", "implied", "implied"]
    assert auditor("table", "ledger", "survey").out.count("release (follows)") == 2
    assert entries[1]["proposal"] == {"marginal": ["sex", "age"], "merged": {"age": [["60-79", "80+"]]}}
    assert "sex, age (60-79 + 80+)" in auditor("table", "ledger", "survey").out
    auditor("ledger", "verify")


@pytest.mark.slow
def test_what_is_merged_counts_for_all_that_follows(auditor: Auditor, tmp_path: Path) -> None:
    ask = ["--json", "table", "request", "survey", "sex,age", "--by", "ann"]
    auditor(*ask, "--merge", "age=60-79,80+")
    # there are two people from 60 to 79; by what is known, one of the three old women may be missing among them
    frontier = auditor("--json", "table", "frontier", "survey").json
    assert frontier["maximal_releasable"] == []
    assert frontier["minimal_unreleasable"] == [["age"]]
    assert auditor("--json", "table", "request", "survey", "age", "--by", "bob", code=1).json["answer"] == "refuse"
    # groups that cross those that are out: together they tell the oldest apart
    auditor(*ask, "--merge", "age=40-59,60-79", code=1)
    drawn = auditor("--json", "table", "simulate", "survey", "--out", tmp_path / "drawn.csv", "--seed", "3").json
    assert drawn["merged"] == [{"age": [["60-79", "80+"]]}]
    counts = {(row[0], row[1]): int(row[2]) for row in list(csv.reader((tmp_path / "drawn.csv").open()))[1:]}
    assert counts["f", "40-59"] == 20
    assert counts["f", "60-79"] + counts["f", "80+"] == 3
    # neither another name nor another state of the data makes it forgotten
    auditor("table", "remove", "survey", "--yes")
    (tmp_path / "later.csv").write_text(SURVEY.replace("f,0-19,40", "f,0-19,41"))
    auditor("table", "add", "survey", tmp_path / "later.csv", "--new-version")
    assert auditor("--json", "table", "request", "survey", "age", "--by", "bob", code=1).json["answer"] == "refuse"
    auditor(*ask, "--merge", "age=40-59,60-79", code=1)


@pytest.mark.parametrize("answers", [["release", "refuse", "coarsen"], ["release", "refuse", "coarsen", "simulate"]])
def test_proposals_may_come_from_drawn_tables(auditor: Auditor, tmp_path: Path, answers: list[str]) -> None:
    policy = tmp_path / "drawn.toml"
    policy.write_text(f'[table]\nsensitive = "all"\nrefusals = "sampled"\nanswers = {answers}\n')
    auditor("table", "request", "survey", "sex", "--by", "ann")
    ask = ["--json", "table", "request", "survey", "sex,age", "--by", "ann", "--policy", policy]
    found = auditor(*ask, "--explain", code=1).json
    assert found["answer"] in ("coarsen", "refuse")
    if found["proposal"] is not None:
        assert auditor(*ask, code=1).json["proposal"] == found["proposal"]


def test_without_it_in_the_policy_nothing_is_proposed(auditor: Auditor) -> None:
    refused = auditor("--json", "table", "request", "survey", "sex,age", "--by", "ann", code=1).json
    assert (refused["answer"], refused["proposal"]) == ("refuse", None)


def test_a_proposal_with_awkward_names_can_be_asked_for_as_it_is_printed(auditor: Auditor, tmp_path: Path) -> None:
    names = {"0-19": "=0-19", "60-79": '60, ""to"" 79', "80+": "80+, that's all", "age": "=age, years"}
    text = SURVEY
    for plain, awkward in names.items():
        text = text.replace(plain, f'"{awkward}"')
    (tmp_path / "awkward.csv").write_text(text)
    auditor("table", "add", "awkward", tmp_path / "awkward.csv")
    policy = tmp_path / "policy.toml"
    ask = ["table", "request", "awkward", 'sex,"=age, years"', "--by", "City of G", "--policy", policy]
    told = auditor(*ask, code=1).out
    assert 'may be released instead: sex, "=age, years" ("60, ""to"" 79" + "80+, that\'s all")' in told
    (line,) = [line for line in told.splitlines() if line.startswith("Next: ")]
    words = shlex.split(line.removeprefix("Next: auditor "))
    assert auditor("--json", *words).json["answer"] == "release"
    explained = auditor(*ask, "--explain", code=1).out
    assert 'sex=f, "=age, years"="80+, that\'s all"' in explained


def test_a_merged_name_that_is_taken_is_bad_input_whatever_the_answer(auditor: Auditor, tmp_path: Path) -> None:
    (tmp_path / "taken.csv").write_text(SURVEY.replace("0-19", "60-79 + 80+"))
    auditor("table", "add", "taken", tmp_path / "taken.csv")
    strict = tmp_path / "strict.toml"
    strict.write_text("[table]\nmin_width = 1000\n")
    for more in ([], ["--policy", strict]):
        ask = ["table", "request", "taken", "sex,age", "--merge", "age=60-79,80+", "--by", "ann", *more]
        assert "the name of another category" in auditor(*ask, code=2).err


@pytest.mark.parametrize(
    ("merge", "said"),
    [
        ("age", "must name a variable and two or more categories"),
        ("age=80+", "must name a variable and two or more categories"),
        ("age=80+,81+", "has no category '81+'"),
        ("age=80+,80+", "merged twice"),
        ("sex=f,m", "leave the variable out"),
        ("height=f,m", "there is no variable 'height'; the table has sex, age"),
        ("agge=60-79,80+", "there is no variable 'agge'; did you mean 'age'?"),
        ("age=80+,", "empty name"),
        ('"age=80+,60-79', "commas between them"),
    ],
)
def test_what_cannot_be_merged(auditor: Auditor, merge: str, said: str) -> None:
    ended = auditor("table", "request", "survey", "sex,age", "--by", "ann", "--merge", merge, code=2)
    assert said in ended.err
    assert len(ended.err.strip().splitlines()) == 1
