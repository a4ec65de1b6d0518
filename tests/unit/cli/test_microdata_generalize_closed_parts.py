"""`auditor microdata generalize --large` with demands, households, strata and records left out."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from auditor.subjects.microdata.exports.generalized import large_check
from cli.app import run
from graphkit.microdata.table import generalizing
from graphkit.verification import Check

SECRET = "street-8675309"
COMMAND = (
    "generalize people.csv --k 3 --identifier name --quasi-identifier age,job --sensitive ill --household home "
    "--stratum town --l 2 --entropy-l 1.8 --suppress 0.2 --effort 0.1 --large"
)
TOWNS = {"A": 40, "B": 40, "": 30}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of records in three strata, one of them those without a town; some records have no household."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(generalizing, "_MOST", 25)
    draw = random.Random(8)
    rows = []
    for town, size in TOWNS.items():
        for n in range(size):
            home = "" if n > 30 else SECRET if n < 2 else f"{town}{n // 2}"
            rows.append(
                [f"P{len(rows)}", draw.randint(20, 80), draw.choice(("clerk", "nurse")), home, town, draw.choice("xyz")]
            )
    rows[0][1] = 99
    draw.shuffle(rows)
    with Path("people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["name", "age", "job", "home", "town", "ill"], *rows])
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> Any:
    assert run(["--json", "microdata", *command.split()]) == code
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert "nurse" not in out + err
    assert "Traceback" not in err
    return json.loads(out) if out else err


@pytest.mark.usefixtures("folder")
def test_a_version_is_written_and_verified_in_parts_and_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, f"{COMMAND} --out out.csv --key-file key.csv")
    assert found["removed"] == ["name", "home"]
    assert 0 < found["suppressed"] <= 22
    assert found["information_loss_with_suppressed"] > found["information_loss"]
    assert [(seen["column"], seen["fewest"]) for seen in found["sensitive"]] == [("ill", 2), ("home", 3)]
    checks = {check["name"]: check["text"] for check in found["verification"] if check["passed"]}
    assert len(found["verification"]) == len(checks) + 1, "two of them are about what originals see"
    assert checks["strata"] == "records cover originals of their own stratum"
    assert checks["households"] == "every record covers originals of 3 households"
    assert checks["records"] == "as many records are there as were not left out"
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["age", "job", "town", "ill"]
    assert len(rows) == 110 - found["suppressed"]
    # in memory and without the graph, too
    for known in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {known}")["passed"]


@pytest.mark.usefixtures("folder")
def test_strata_need_no_demand(capsys: pytest.CaptureFixture[str]) -> None:
    command = "generalize people.csv --k 3 --attribute age,job --stratum town --effort 0.1 --large --out out.csv"
    assert "strata" in [check["name"] for check in answer(capsys, command)["verification"] if check["passed"]]


# what the graph or the originals would have to be otherwise, and the check that finds it
CHANGES = {
    'UPDATE "{codes}" SET s0 = 1': "",
    'UPDATE "{codes}" SET s1 = 7': "diverse, households",
    'UPDATE "{codes}" SET stratum = record': "strata",
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("change", list(CHANGES))
def test_what_misses_a_demand_is_not_published(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    checks = large_check.covering_checks

    def wrong(*given: Any) -> tuple[Check, ...]:
        given[0].execute(change.format(codes=given[3]))
        return checks(*given)

    monkeypatch.setattr("auditor.subjects.microdata.exports.generalized.large_file.covering_checks", wrong)
    if not CHANGES[change]:
        # of sensitive columns the written file counts, not what was read before
        assert answer(capsys, f"{COMMAND} --out out.csv")["files"]
        return
    said = answer(capsys, f"{COMMAND} --out out.csv", 3)
    assert f"fails its check ({CHANGES[change]}); nothing was published" in said
    assert [path.name for path in Path().iterdir()] == ["people.csv"]
