"""`auditor microdata compare` on files: what it says with and without a key, and never a value."""

from __future__ import annotations

import csv
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

SECRET = "8675309"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file of records and a release of it with its key; one wage, the largest, is a canary."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    rows = [[draw.randint(18, 90), draw.randint(1000, 9000), draw.choice("AB")] for _ in range(50)] + [
        [41, SECRET, "A"]
    ]
    with Path("people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["age", "wage", "region"], *rows])
    words = "microdata microaggregate people.csv --k 3 --attribute age,wage --out released.csv --key-file key.csv -q"
    assert run([*words.split(), "--method", "mdav"]) == 0
    capsys.readouterr()
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> Any:
    assert run(["--json", "microdata", "compare", *map(str, words)]) == code
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert "Traceback" not in err
    return json.loads(out) if code == 0 else err


@pytest.mark.usefixtures("folder")
def test_the_keys_of_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "people.csv", "released.csv", "--key", "key.csv")
    assert set(found) == {
        "microdata", "records", "incomplete", "matched_by", "changed", "unchanged", "attributes", "unique",
        "correlations", "regressions", "eigenvalues", "information_loss", "absolute_loss", "linkage",
        "spread_disclosure", "rank_disclosure",
    }  # fmt: skip
    assert found["microdata"] == ["people.csv", "released.csv"]
    assert (found["records"], found["matched_by"], found["changed"]) == ([51, 51], "key", [])
    assert [one["attribute"] for one in found["attributes"]] == ["age", "wage"]
    assert found["correlations"]["attributes"] == ["age", "wage"]
    assert [one["attribute"] for one in found["regressions"]] == ["age", "wage"]
    assert found["unique"][1] == 0
    assert found["linkage"]["before"] > 0.9
    assert found["linkage"]["correct"] <= 1 / 3
    assert set(found["rank_disclosure"]) == {"width", "by_attribute", "values", "records"}


@pytest.mark.usefixtures("folder")
def test_the_loss_is_that_of_the_export(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--json microdata microaggregate people.csv --k 4 --attribute age,wage --out b.parquet --key-file b.key.csv"
    assert run([*words.split(), "--method", "mdav"]) == 0
    loss = json.loads(capsys.readouterr().out)["information_loss"]
    found = answer(capsys, "people.csv", "b.parquet", "--key", "b.key.csv")
    assert found["information_loss"] == pytest.approx(loss)


@pytest.mark.usefixtures("folder")
def test_without_a_key_records_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "people.csv", "released.csv")
    assert found["matched_by"] is None
    assert found["information_loss"] is found["linkage"] is found["rank_disclosure"] is None
    assert found["attributes"][0]["mean_shift"] == 0
    assert run(["microdata", "compare", "people.csv", "released.csv"]) == 0
    out = capsys.readouterr().out
    assert "Which record is which is not known" in out
    assert SECRET not in out


@pytest.mark.usefixtures("folder")
def test_columns_are_those_of_the_manifest_or_all_numbers_or_those_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("released.csv.manifest.json").unlink()
    found = answer(capsys, "people.csv", "released.csv", "--attribute", "wage")
    assert [one["attribute"] for one in found["attributes"]] == ["wage"]
    assert found["correlations"] is None
    found = answer(capsys, "people.csv", "released.csv")
    assert [one["attribute"] for one in found["attributes"]] == ["age", "wage"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("key", [[], ["--key", "r.key.csv"]])
def test_a_column_that_is_unchanged_is_said_to_be_so_and_moved_by_nothing(
    capsys: pytest.CaptureFixture[str], key: list[str]
) -> None:
    # sums in another order differ by rounding
    words = "people.csv --k 3 --attribute wage --out r.csv --key-file r.key.csv -q --method mdav"
    assert run(["microdata", "microaggregate", *words.split()]) == 0
    capsys.readouterr()
    found = answer(capsys, "people.csv", "r.csv", "--attribute", "age,wage", *key)
    assert found["unchanged"] == ["age"]
    assert list(found["attributes"][0].values()) == ["age", 0, 1, 0, 0]
    assert run(["microdata", "compare", "people.csv", "r.csv", "--attribute", "age,wage", *key]) == 0
    assert "Unchanged, with the same values in both files: age\n" in capsys.readouterr().out


@pytest.mark.parametrize("missing", ["group", "impute"])
def test_records_that_lack_a_value_are_left_out_and_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    lines = (folder / "people.csv").read_text(encoding="utf-8").splitlines()
    for row in (3, 9, 14, 20):
        lines[row] = f",{lines[row].partition(',')[2]}"
    Path("gaps.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = f"gaps.csv --k 3 --attribute age,wage --missing {missing} --out r.csv --key-file r.key.csv -q --method mdav"
    assert run(["microdata", "microaggregate", *words.split()]) == 0
    capsys.readouterr()
    alone = answer(capsys, "gaps.csv", "r.csv")
    assert alone["incomplete"] == [4, 0 if missing == "impute" else 4]
    found = answer(capsys, "gaps.csv", "r.csv", "--key", "r.key.csv")
    assert (found["incomplete"], found["records"]) == ([4, 4], [47, 47])
    # the same of the complete records alone, each with the record that it became
    with Path("gaps.csv").open(encoding="utf-8") as before, Path("r.csv").open(encoding="utf-8") as after:
        originals, published = [list(csv.DictReader(file)) for file in (before, after)]
    with Path("r.key.csv").open(encoding="utf-8") as file:
        pairs = [(originals[int(one["original"])], published[int(one["published"])]) for one in csv.DictReader(file)]
    whole = [(one, other) for one, other in pairs if one["age"] and other["age"]]
    means = [sum(float(pair[side]["age"]) for pair in whole) / 47 for side in (0, 1)]
    spread = math.sqrt(sum((float(one["age"]) - means[0]) ** 2 for one, _ in whole) / 47)
    assert found["attributes"][0]["mean_shift"] == pytest.approx((means[1] - means[0]) / spread, abs=1e-9)


def test_a_release_that_was_changed_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    released = folder / "released.csv"
    released.write_text(released.read_text(encoding="utf-8") + "30,3000,A\n", encoding="utf-8")
    assert answer(capsys, "people.csv", "released.csv")["changed"] == ["released.csv"]
    assert "cannot match 51 records of the original and 52" in answer(
        capsys, "people.csv", "released.csv", "--key", "key.csv", code=2
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("original,published\n0,0\n", "does not name every record"),
        ("original,published\n0,0\n0,1\n", "line 3: this row was named before"),
        ("original,published\n0,0\n1,0\n", "line 3: this row was named before"),
        ("original,published\n0,51\n", "line 2: there is no such row"),
        (f"original,published\n{SECRET},0\n", "line 2: there is no such row"),
        ("original,published\nann,0\n", "line 2: there must be two row numbers"),
        ("original,published\n²,0\n", "line 2: there must be two row numbers"),
        (f"original,published\n{'9' * 5000},0\n", "line 2: there must be two row numbers"),
        ("a,b\n", "is no key file"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(capsys: pytest.CaptureFixture[str], key: str, words: str) -> None:
    Path("other.csv").write_text(key, encoding="utf-8")
    assert words in answer(capsys, "people.csv", "released.csv", "--key", "other.csv", code=2)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["released.csv", "--attribute", "region"], 2, "holds something else than numbers"),
        (["released.csv", "--attribute", "nothing"], 2, "has no column 'nothing'"),
        (["nowhere.csv"], 2, "does not exist"),
        (["texts.csv"], 2, "in common, and only numbers are compared"),
        (["empty.csv"], 2, "has no records"),
        (["gaps.csv"], 2, "no record has a value of each attribute"),
        (["infinite.csv"], 2, "1 record with an infinite value"),
        (["released.csv", "--sample", "1"], 2, "sample"),
    ],
)
def test_bad_input_is_a_line(capsys: pytest.CaptureFixture[str], options: list[str], code: int, words: str) -> None:
    Path("texts.csv").write_text("age\nold\nyoung\n", encoding="utf-8")
    Path("gaps.csv").write_text("age,wage\n30,\n,6\n", encoding="utf-8")
    Path("infinite.csv").write_text("age,wage\n30,5\n40,inf\n", encoding="utf-8")
    Path("empty.csv").write_text("age,wage\n", encoding="utf-8")
    said = answer(capsys, "people.csv", *options, code=code)
    assert words in said
