"""`auditor table check`: files of marginals, no store, one line for what is wrong, and no count."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

FILES = {
    "smoker-ill.csv": "smoker,ill,count\nyes,yes,4711\nno,no,60\n",
    "ill-old.csv": "ill;old;count\nyes;yes;4711\nno;no;60\n",
    "smoker-old.csv": "smoker,old,count\nyes,yes,4681\nyes,no,30\nno,yes,30\nno,no,30\n",
    "old.csv": "old,count\nyes,4710\nno,61\n",
    "few.csv": "old,count\nyes,1\nno,2\n",
    "bad.csv": "old,count\nyes,-4711\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    assert run(["--json", "table", "check", *arguments]) == code
    out, err = capsys.readouterr()
    assert (err, "47" in out) == ("", False)
    return json.loads(out)


def test_marginals_that_fit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = answer(capsys, "smoker-ill.csv", "ill-old.csv", "--out", "table.csv")
    assert (data["fits"], data["conflict"], data["file"]) == (True, [], "table.csv")
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    for variables, name in ((("smoker", "ill"), "smoker-ill.csv"), (("ill", "old"), "ill-old.csv")):
        sums: dict[tuple[str, ...], int] = {}
        for row in rows:
            key = tuple(row[variable] for variable in variables)
            sums[key] = sums.get(key, 0) + int(row["simulated_count"])
        assert sums["yes", "yes"] == 4711, name
        assert sums["no", "no"] == 60, name
    assert run(["table", "check", "smoker-ill.csv", "ill-old.csv", "--out", "table.csv"]) == 2
    assert "--force" in capsys.readouterr().err


def test_three_of_which_any_two_fit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = ["smoker-ill.csv", "ill-old.csv", "smoker-old.csv"]
    data = answer(capsys, *files, "--out", "table.csv", code=1)
    assert (data["fits"], data["conflict"], data["irreducible"], data["reason"]) == (False, files, True, "together")
    assert not (tmp_path / "table.csv").exists()
    assert run(["table", "check", *files]) == 1
    out = capsys.readouterr().out
    assert all(name in out for name in files)
    for left_out in files:
        assert answer(capsys, *(name for name in files if name != left_out))["fits"]


def test_two_that_differ(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "smoker-ill.csv", "old.csv", "ill-old.csv", code=1)
    assert (data["conflict"], data["shared"]) == (["old.csv", "ill-old.csv"], ["old"])
    assert data["differing"] == [{"old": "yes"}, {"old": "no"}]
    assert run(["table", "check", "old.csv", "ill-old.csv"]) == 1
    out = capsys.readouterr().out
    assert "count differently by old" in out
    assert "47" not in out
    assert answer(capsys, "old.csv", "few.csv", code=1)["reason"] == "totals"


def test_what_was_not_proven_in_time_is_no_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from auditor.subjects.tables.releases import fit
    from graphkit.tables.programs.consistency import Consistency

    monkeypatch.setattr(fit, "consistency_of", lambda *_: Consistency(None))
    data = answer(capsys, "smoker-ill.csv", "ill-old.csv", code=3)
    assert (data["fits"], data["irreducible"]) == (None, None)


def test_what_was_written_is_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answer(capsys, "smoker-ill.csv", "ill-old.csv", "--out", "table.csv")
    data = answer(capsys, "table.csv", "smoker-ill.csv")
    assert data["fits"]
    assert ["simulated table" in remark for remark in data["remarks"]] == [True]
    assert run(["table", "check", "table.csv", "ill-old.csv"]) == 0
    assert capsys.readouterr().err.count("simulated table") == 1


def test_merged_categories_are_recognized(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("age,count\n0-59,5\n60-79 + 80+,4\n")
    (tmp_path / "s.csv").write_text("age,count\n0-59,5\n60-79,3\n80+,1\n")
    data = answer(capsys, "m.csv", "s.csv", code=1)
    assert 'age = "60-79 + 80+" of m.csv looks like 60-79 and 80+ of s.csv merged' in data["remarks"][0]
    assert run(["table", "check", "s.csv", "m.csv"]) == 1
    assert "looks like" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["old.csv"], "two or more"),
        (["old.csv", "nowhere.csv"], "no such file"),
        (["old.csv", "bad.csv"], "bad.csv, line 2: a negative count"),
        (["old.csv", "few.csv", "--count", "people"], "no column 'people'"),
        (["old.csv", "few.csv", "--time-limit", "0"], "time limit"),
        (["old.csv", "few.csv", "--out", "nowhere/x.csv"], "does not exist"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "check", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.strip().splitlines())) == ("", 1)
    assert said in err
    assert "47" not in err
