"""`auditor microdata generalize --household`: nobody hides among members of the own household."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

COMMAND = "generalize people.csv --k 3 --quasi-identifier age,job --household home --effort 0.05"
HIDDEN = "street-8675309"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in which members of a household are alike; some records have none."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    draw = random.Random(5)
    rows = []
    for home in range(20):
        age, job = draw.randint(20, 80), draw.choice(("clerk", "nurse"))
        name = HIDDEN if home == 3 else f"h{home}"
        rows += [[age + member, job, name if home else "", draw.randint(0, 1)] for member in range(3)]
    with Path("people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["age", "job", "home", "ill"], *rows])
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> Any:
    assert run(["--json", "microdata", *command.split()]) == code
    out, err = capsys.readouterr()
    assert HIDDEN not in out + err
    assert "Traceback" not in err
    return json.loads(out) if out else err


@pytest.mark.usefixtures("folder")
def test_a_version_hides_each_record_among_as_many_households_and_does_not_tell_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = answer(capsys, f"{COMMAND} --out out.csv --key-file key.csv")
    assert found["removed"] == ["home"]
    checks = {check["name"]: check["text"] for check in found["verification"] if check["passed"]}
    assert checks["households"] == "every record covers originals of 3 households"
    assert checks["diverse"] == "every original sees records of 3 households"
    assert found["sensitive"] == [{"column": "home", "demand": "3 households", "fewest": 3, "of_households": True}]
    assert run(["microdata", *COMMAND.split(), "--dry-run", "--report", "report.html"]) == 0
    assert "No two of them are of one household." in Path("report.html").read_text(encoding="utf-8")
    assert "each hides among records of 3 households at least" in capsys.readouterr().out
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == ["age", "job", "ill"]
    claim = json.loads(Path("out.csv.manifest.json").read_text(encoding="utf-8"))["claim"]
    assert claim["sensitive"] == [{"column": "home", "distinct": 3, "households": True}]
    for known in ("", "--key key.csv"):
        again = answer(capsys, f"verify people.csv out.csv {known}")
        assert again["passed"]
    without = answer(capsys, COMMAND.replace("--household home", "--identifier home") + " --dry-run")
    assert without["information_loss"] < found["information_loss"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--l home=2", "not published"),
        ("--attribute age,home", "'home' is declared as household"),
        ("--k 21", "or there are fewer"),
        ("--method greedy", "knows no demands"),
    ],
)
def test_what_households_make_impossible_is_refused(capsys: pytest.CaptureFixture[str], more: str, said: str) -> None:
    assert said in answer(capsys, f"{COMMAND} {more} --out out.csv", 2)
    assert not Path("out.csv").exists()
