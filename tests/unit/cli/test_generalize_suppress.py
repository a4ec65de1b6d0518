"""`auditor microdata generalize --suppress`: what is left out, what is said of it, and what verification finds."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.unit.cli.test_microdata_generalize import SECRET, answer, folder, run

__all__ = ["folder"]

COMMAND = "generalize people.csv --k 3 --identifier name --attribute age,job --seed 1"


def lines(name: str) -> list[list[str]]:
    with Path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def failed(capsys: pytest.CaptureFixture[str], options: str = "") -> list[str]:
    found = answer(capsys, f"verify people.csv out.csv {options}", 1)
    return [check["name"] for check in found["verification"] if not check["passed"]]


@pytest.mark.usefixtures("folder")
def test_those_that_cost_most_are_left_out_and_the_claim_says_how_many(capsys: pytest.CaptureFixture[str]) -> None:
    every = answer(capsys, f"{COMMAND} --dry-run")
    assert (every["suppressed"], every["information_loss_with_suppressed"]) == (0, every["information_loss"])
    found = answer(capsys, f"{COMMAND} --suppress 5% --out out.csv --key-file key.csv --report page.html --curve")
    # the age of one record is far above all others
    assert (found["records"], found["suppressed"]) == (41, 2)
    assert found["information_loss"] < 0.8 * every["information_loss"]
    assert 0 <= found["proven_loss"] <= found["information_loss"]
    whole = (39 * found["information_loss"] + 2) / 41
    assert found["information_loss_with_suppressed"] == pytest.approx(whole)
    assert len(lines("out.csv")) == 39
    assert SECRET not in Path("out.csv").read_text(encoding="utf-8")
    claim = json.loads(Path("out.csv.manifest.json").read_text(encoding="utf-8"))["claim"]
    assert (claim["n"], claim["suppressed"]) == (39, 2)
    assert len(lines("key.csv")) == 39
    assert "2 of 41 were left out" in Path("page.html").read_text(encoding="utf-8")
    for key in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {key}")["passed"]
    assert run(["microdata", *COMMAND.split(), "--suppress", "0.05", "--effort", "0.1", "--dry-run"]) == 0
    assert "left out" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_a_file_that_leaves_out_others_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, f"{COMMAND} --suppress 0.05 --out out.csv --key-file key.csv")
    path, manifest = Path("out.csv"), Path("out.csv.manifest.json")
    text, claimed = path.read_text(encoding="utf-8"), manifest.read_text(encoding="utf-8")
    header, *rows = text.splitlines()
    # one more is missing
    path.write_text("\n".join([header, *rows[1:]]) + "\n", encoding="utf-8")
    assert {"checksum", "records"} <= set(failed(capsys))
    # a record that was left out stands where another one was, with what that one was generalized to
    kept = {int(original) for original, _ in lines("key.csv")}
    gone = next(row for place, row in enumerate(lines("people.csv")) if place not in kept)
    # which row comes first is drawn: it may hold just that
    changed = [",".join([row.rsplit(",", 2)[0], *gone[-2:]]) for row in rows]
    place = next(place for place, row in enumerate(rows) if row != changed[place])
    others = [*rows[:place], changed[place], *rows[place + 1 :]]
    path.write_text("\n".join([header, *others]) + "\n", encoding="utf-8")
    assert failed(capsys, "--key key.csv") == ["checksum", "others"]
    # the claim leaves out one more than the file
    path.write_text(text, encoding="utf-8")
    for suppressed in (1, 3):
        wrong = json.loads(claimed)
        wrong["claim"]["suppressed"] = suppressed
        manifest.write_text(json.dumps(wrong), encoding="utf-8")
        assert "records" in failed(capsys)
    # a record whose values are its own alone
    manifest.write_text(claimed, encoding="utf-8")
    alone = next(row for place, row in enumerate(lines("people.csv")) if place in kept)
    changed = [",".join([alone[1], alone[2], *row.rsplit(",", 2)[1:]]) for row in rows[:1]]
    path.write_text("\n".join([header, *changed, *rows[1:]]) + "\n", encoding="utf-8")
    assert {"hidden", "shared", "matching"} & set(failed(capsys))


@pytest.mark.usefixtures("folder")
def test_strata_and_demands_hold_for_what_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    demands = "--stratum ill --sensitive zip --l 2 --t 0.9 --suppress 0.1"
    found = answer(capsys, f"{COMMAND} {demands} --out out.csv --key-file key.csv")
    assert 0 < found["suppressed"] <= 4
    assert found["sensitive"][0]["fewest"] >= 2
    assert [check["name"] for check in found["verification"]].count("diverse") == 1
    for key in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {key}")["passed"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--suppress 1", "below 1"),
        ("--suppress -0.1", "at least 0"),
        ("--suppress 100%", "below 1"),
        ("--suppress some", "share"),
        ("--suppress 96%", "fewer than k (3)"),
        ("--suppress 96% --large", "fewer than k (3)"),
    ],
)
def test_a_share_that_cannot_be_left_out_is_one_line(
    capsys: pytest.CaptureFixture[str], options: str, said: str
) -> None:
    assert run(["microdata", *COMMAND.split(), "--dry-run", *options.split()]) in (2, 4, 5)
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert said in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.usefixtures("folder")
def test_other_columns_are_compared_with_the_originals_that_were_released(capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, f"{COMMAND} --suppress 5% --out out.csv --key-file key.csv")
    found = answer(capsys, "compare people.csv out.csv --key key.csv --attribute zip,ill")
    assert found["information_loss"] == 0
    assert found["matched_by"] == "key"
