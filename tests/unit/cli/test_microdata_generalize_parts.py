"""`auditor microdata generalize --large`: part by part, to the same promise."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from auditor.subjects.microdata.exports.generalized import large, large_check
from cli.app import run
from graphkit.microdata.demand import Demand
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Check

SECRET = "8675309"
COMMAND = "generalize people.csv --k 3 --identifier name --quasi-identifier age,job,born --effort 0.05 --large"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of records with missing values, dates, and characters that have a meaning; one age is a canary."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    jobs = ("clerk", "nurse", "a|b", "")
    rows = [
        [f"P{n}", draw.choice([*range(18, 90), ""]), draw.choice(jobs), f"19{draw.randint(50, 99)}-02-11", n % 2]
        for n in range(80)
    ]
    with Path("people.csv").open("w", encoding="utf-8", newline="") as file:
        header = ["name", "age", "job", "born", "ill"]
        csv.writer(file).writerows([header, *rows, ["P80", SECRET, "clerk", "1950-02-11", 1]])
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> Any:
    assert run(["--json", "microdata", *command.split()]) == code
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert "nurse" not in out + err
    assert "Traceback" not in err
    return json.loads(out) if out else err


@pytest.mark.usefixtures("folder")
def test_a_version_is_written_verified_and_verified_again(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, f"{COMMAND} --memory 200m --hierarchy job=prefixes --out out.csv --key-file key.csv")
    assert (found["k"], found["records"], found["removed"], found["count_queries"]) == (3, 81, ["name"], None)
    assert found["information_loss"] == pytest.approx(sum(found["losses"].values()) / 3)
    names = ["columns", "records", "regular", "extents", "drawn", "others"]
    assert [check["name"] for check in found["verification"] if check["passed"]] == names
    # in memory and without the graph, too
    for known in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv --hierarchy job=prefixes {known}")["passed"]
    dry = answer(capsys, f"{COMMAND} --hierarchy job=prefixes --dry-run")
    assert (dry["files"], dry["information_loss"]) == ([], found["information_loss"])


@pytest.mark.usefixtures("folder")
def test_many_records_are_worked_on_in_parts_unasked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "MANY_RECORDS", 50)
    duckdb.sql("COPY (SELECT * FROM 'people.csv') TO 'people.parquet'")
    command = "generalize people.parquet --k 3 --attribute age,job --effort 0.05 --dry-run"
    assert answer(capsys, command)["count_queries"] is None
    assert answer(capsys, f"{command} --time-limit 5")["count_queries"] is not None


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--t ill=0.6 --suppress 0.1", "with --suppress needs all records at once; leave out --large, or that"),
        ("--t ill=0.01", "from the whole file; raise k, or t"),
        ("--household ill", "a household has more than one in 3"),
        ("--l ill=3", "ill' has 2 values, l cannot be 3"),
        ("--suppress 1", "share of records to leave out (1)"),
        ("--time-limit 5", "--time-limit needs all records at once"),
        ("--gap 0.1", "--gap needs all records at once"),
        ("--curve", "--curve needs all records at once"),
        ("--report page.html", "--report needs all records at once"),
        ("--method none", "unknown method 'none'"),
        ("--k 82", "k (82) is larger than the number of records (81)"),
        ("--memory much", "--memory must be a number with k, m or g"),
        ("--attribute height", "height"),
    ],
)
def test_what_parts_cannot_do_is_refused_in_a_line(capsys: pytest.CaptureFixture[str], options: str, said: str) -> None:
    error = answer(capsys, f"{COMMAND} --dry-run {options}", 2)
    assert said in error
    assert error.count("\n") == 1
    assert not list(Path().glob("page*"))


@pytest.mark.usefixtures("folder")
def test_what_fails_its_check_is_not_published(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = large_check.covering_checks
    for change, failed in CHANGES.items():

        def wrong(*given: Any, change: str = change) -> tuple[Check, ...]:
            given[0].execute(change.format(f'"{given[4]}"'))
            return checks(*given)

        monkeypatch.setattr("auditor.subjects.microdata.exports.generalized.large_file.covering_checks", wrong)
        said = answer(capsys, f"{COMMAND} --out out.csv", 3)
        assert f"fails its check ({failed}); nothing was published" in said
        assert [path.name for path in Path().iterdir()] == ["people.csv"]


@pytest.mark.usefixtures("folder")
def test_what_originals_see_is_near_the_whole_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path("people.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    # few have much, and the order of the numbers is not that of their texts
    paid = ["paid", *random.Random(4).choices([7, 21, 63, 189], [60, 25, 10, 5], k=81)]
    with Path("people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*row, pay] for row, pay in zip(rows, paid, strict=True))
    command = f"{COMMAND} --sensitive ill,paid --hierarchy job=prefixes --key-file key.csv"
    found = answer(capsys, f"{command} --t ill=0.4 --t paid=0.2 --out out.csv")
    assert [check["name"] for check in found["verification"] if check["passed"]].count("diverse") == 2
    assert answer(capsys, "verify people.csv out.csv --hierarchy job=prefixes --key key.csv")["passed"]
    checks = large_check.covering_checks

    def stricter(duck: Any, claim: FreeformClaim, *given: Any) -> tuple[Check, ...]:
        return checks(duck, replace(claim, demands=(Demand("paid", t=0.2, distance="ordered"),)), *given)

    monkeypatch.setattr("auditor.subjects.microdata.exports.generalized.large_file.covering_checks", stricter)
    said = answer(capsys, f"{COMMAND} --hierarchy job=prefixes --out other.csv", 3)
    assert "fails its check (diverse); nothing was published" in said


# what the graph would have to be otherwise, and the check that finds it
CHANGES = {
    "DELETE FROM {} WHERE record = 5": "regular",
    "UPDATE {} SET covered = [covered[1], covered[1], covered[3]] WHERE record = 5": "regular",
    "UPDATE {} SET covered = list_transform(covered, x -> (x + 40) % 81)": "extents, drawn",
    "UPDATE {} SET record = (record + 40) % 81": "extents, drawn",
}


@pytest.mark.usefixtures("folder")
def test_a_value_that_is_none_of_its_attribute_is_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = large_check.read_cells

    def changed(domain: Any, cells: Any) -> Any:
        return read(domain, ["{none}", *cells[1:]] if domain.kind == "set" else cells)

    monkeypatch.setattr(large_check, "read_cells", changed)
    assert "(extents)" in answer(capsys, f"{COMMAND} --out out.csv", 3)

    def widened(domain: Any, cells: Any) -> Any:
        extents = read(domain, cells)
        if domain.kind == "set":
            extents = np.bitwise_or(extents, 1)
        return extents

    monkeypatch.setattr(large_check, "read_cells", widened)
    assert "(extents)" in answer(capsys, f"{COMMAND} --out out.csv", 3)
