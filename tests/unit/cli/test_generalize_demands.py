"""`auditor microdata generalize` with demands on sensitive columns."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.test_microdata_generalize import answer, folder, run

__all__ = ["folder"]

ILLS = ("flu", "flu", "asthma")
COMMAND = "generalize records.csv --k 3 --attribute age,job --effort 0.05 --seed 1"


@pytest.fixture
def _records(folder: Path) -> None:
    rows: list[list[Any]] = [["age", "job", "ill", "income"]]
    # those of an age have the same illness
    rows += [[20 + n // 4, ("clerk", "nurse")[n % 2], ILLS[n // 4 % 3], 100 * (n // 4)] for n in range(48)]
    with Path("records.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def seen(found: dict[str, Any]) -> dict[str, int]:
    return {one["column"]: one["fewest"] for one in found["sensitive"]}


@pytest.mark.usefixtures("_records")
def test_every_original_sees_what_is_demanded_in_the_file_as_it_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    without = answer(capsys, f"{COMMAND} --sensitive ill --dry-run")
    assert seen(without) == {"ill": 1}
    found = answer(capsys, f"{COMMAND} --sensitive ill,income --l 2 --t income=0.5 --out out.csv --key-file key.csv")
    assert min(seen(found).values()) >= 2
    assert found["information_loss"] > without["information_loss"]
    assert [check["name"] for check in found["verification"]].count("diverse") == 2
    claim = json.loads(Path("out.csv.manifest.json").read_text(encoding="utf-8"))["claim"]
    assert claim["sensitive"][0] == {"column": "ill", "distinct": 2}
    assert claim["sensitive"][1] == {"column": "income", "distinct": 2, "t": "0.5", "distance": "ordered"}
    for key in ("", "--key key.csv"):
        checks = answer(capsys, f"verify records.csv out.csv {key}")["verification"]
        assert [check["name"] for check in checks].count("fitting") == 2


@pytest.mark.usefixtures("_records")
def test_a_policy_that_is_named_demands_too_and_is_not_undercut(capsys: pytest.CaptureFixture[str]) -> None:
    policy = "[microdata]\nk = 3\ndistinct_l = 2\n"
    Path("policy.toml").write_text(policy, encoding="utf-8")
    found = answer(capsys, f"{COMMAND} --sensitive ill --policy policy.toml --dry-run")
    assert seen(found) == {"ill": 2}
    assert found["sensitive"][0]["demand"] == "2 values"
    Path("policy.toml").write_text(f"{policy}t = 0.4\n", encoding="utf-8")
    assert (
        run(
            [
                "microdata",
                *COMMAND.split(),
                "--t",
                "ill=0.5",
                "--sensitive",
                "ill",
                "--policy",
                "policy.toml",
                "--dry-run",
            ]
        )
        != 0
    )
    assert "microdata.t" in capsys.readouterr().err


@pytest.mark.usefixtures("_records")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--l 2", "declared as sensitive"),
        ("--l age=2", "generalized"),
        ("--l ill=3", "2 values"),
        ("--l ill=4", "raise k"),
        ("--l ill=x", "whole number"),
        ("--l ill=0", "at least 1"),
        ("--t ill=2", "from 0 to 1"),
        ("--t income=0.01", "from the whole file"),
        ("--l weight=2", "weight"),
        ("--l ill=2 --method greedy", "greedy"),
    ],
)
def test_demands_that_cannot_be_met_are_one_line(capsys: pytest.CaptureFixture[str], options: str, said: str) -> None:
    assert run(["microdata", *COMMAND.split(), "--dry-run", *options.split()]) in (2, 4, 5)
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert said in err
