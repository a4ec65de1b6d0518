"""`network bounds` on files: every way to prove a bound, and the largest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli.app import run
from graphkit.networks import lower_bound
from graphkit.networks.bounds import BOUNDS
from tests.support.friends import KARATE, SECRET

pytestmark = pytest.mark.usefixtures("friends_folder")


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run(["--json", "network", "bounds", "friends.csv", *words]) == 0
    out = capsys.readouterr().out
    assert SECRET not in out
    return json.loads(out)


def test_several_block_sizes_in_one_word_or_many(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--k", "3,2", "--k", "20", "--k", "3")
    assert found == answer(capsys, "--k", "3, 2,20")
    assert [row["k"] for row in found["bounds"]] == [3, 2, 20]
    for row in found["bounds"]:
        assert set(row["by"]) >= set(BOUNDS)
        proven = [value for value in row["by"].values() if value is not None]
        assert row["lower_bound"] == max(proven) == lower_bound(KARATE, row["k"])


def test_bounds_and_anonymize_agree_for_the_same_effort(capsys: pytest.CaptureFixture[str]) -> None:
    for effort in ("0.001", "1"):
        bound = answer(capsys, "--k", "2", "--effort", effort)["bounds"][0]
        words = ["network", "anonymize", "friends.csv", "--k", "2", "--effort", effort, "--dry-run"]
        assert run(["--json", *words]) == 0
        made = json.loads(capsys.readouterr().out)
        assert (bound["lower_bound"], bound["found"]) == (made["lower_bound"], made["edges_added"])


def test_each_bound_says_what_it_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    methods = answer(capsys, "--k", "2")["methods"]
    assert [method["name"] for method in methods] == list(BOUNDS)
    assert all(all(method.values()) and len(method) == 4 for method in methods)


def test_a_person_reads_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--k", "2,3,5")["bounds"]
    assert run(["network", "bounds", "friends.csv", "--k", "2,3,5"]) == 0
    shown = capsys.readouterr().out.splitlines()
    # what raised the bound for none of them has no column
    useful = [way for way in found[0]["by"] if any(one["by"][way] is not None for one in found)]
    assert shown[0].split()[-len(useful) :] == useful
    for line, one in zip(shown[2:], found, strict=False):
        figures = [one["k"], one["lower_bound"], one["found"], *(one["by"][way] for way in useful)]
        assert line.split() == ["–" if value is None else str(value) for value in figures]
    # and is not explained
    title = next(place for place, line in enumerate(shown) if "What is proven" in line)
    assert [name for name in BOUNDS if any(line.startswith(name) for line in shown[title:])] == [
        way for way in useful if way in BOUNDS
    ]
    assert len(useful) < len(BOUNDS)
    assert max(map(len, shown)) <= 120


def test_quiet_leaves_the_figures_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-q", "network", "bounds", "friends.csv", "--k", "3"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert len(lines) == 3
