"""`auditor microdata generalize` and `verify` on files: what they write and say, and never a value."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from cli.app import run

SECRET = "8675309"
JOBS = ("clerk", "nurse", "cook")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of records; one age, the largest, is a canary."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    rows = [[f"P{n}", draw.randint(18, 90), draw.choice(JOBS), f"13{draw.randint(10, 40)}", n % 2] for n in range(40)]
    write("people.csv", [*rows, ["P40", SECRET, "cook", "1310", 1]])
    Path("jobs.csv").write_text("clerk;office;*\nnurse;care;*\ncook;care;*\n", encoding="utf-8")
    return tmp_path


def write(name: str, rows: list[list[Any]]) -> None:
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["name", "age", "job", "zip", "ill"], *rows])


def answer(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> Any:
    words = command.split()
    assert run(["--json", "microdata", *words, *(["--effort", "0.1"] if words[0] == "generalize" else [])]) == code
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert "nurse" not in out + err
    assert "Traceback" not in err
    return json.loads(out) if out else err


@pytest.mark.usefixtures("folder")
def test_a_version_is_written_verified_and_verified_again(capsys: pytest.CaptureFixture[str]) -> None:
    command = "generalize people.csv --k 3 --identifier name --quasi-identifier age,job,zip --out out.csv"
    found = answer(capsys, f"{command} --hierarchy job=jobs.csv,zip=prefixes --key-file key.csv")
    assert (found["k"], found["records"], found["removed"]) == (3, 41, ["name"])
    assert set(found["losses"]) == {"age", "job", "zip"}
    assert found["information_loss"] == pytest.approx(sum(found["losses"].values()) / 3)
    assert 0 <= found["proven_loss"] <= found["information_loss"]
    assert all(check["passed"] for check in found["verification"])
    rows = list(csv.DictReader(Path("out.csv").read_text(encoding="utf-8").splitlines()))
    assert list(rows[0]) == ["age", "job", "zip", "ill"]
    assert {row["job"] for row in rows} <= {*JOBS, "office", "care", "*"}
    hierarchies = "--hierarchy job=jobs.csv --hierarchy zip=prefixes"
    for known in (hierarchies, f"{hierarchies} --key key.csv"):
        again = answer(capsys, f"verify people.csv out.csv {known}")
        assert again["passed"]
    assert "hierarchy" in answer(capsys, "verify people.csv out.csv --hierarchy zip=prefixes", 2)


@pytest.mark.usefixtures("folder")
def test_the_recipient_is_told_how_values_are_written_and_the_owner_where_ranges_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    manifest = Path("out.csv.manifest.json")
    for options, forms, remarks in (
        ("--attribute age", ["a..b", r"\N..b"], 1),
        ("--attribute job --hierarchy job=jobs.csv", ["the name of a group"], 0),
        ("--attribute age --hierarchy age=intervals:5:20", ["the name of a group"], 0),
    ):
        found = answer(capsys, f"generalize people.csv --k 3 --identifier name {options} --out out.csv --force")
        claim = json.loads(manifest.read_text(encoding="utf-8"))["claim"]
        assert list(claim.pop("notation")) == [*forms, "any other text", "an empty cell"]
        assert (
            sum("ranges of age begin and end with values of the data" in said for said in found["remarks"]) == remarks
        )
    # a manifest of an earlier version has none
    manifest.write_text(
        json.dumps({**json.loads(manifest.read_text(encoding="utf-8")), "claim": claim}), encoding="utf-8"
    )
    assert answer(capsys, "verify people.csv out.csv --hierarchy age=intervals:5:20")["passed"]
    quiet = "microdata generalize people.csv --k 3 --attribute age --dry-run --effort 0.1 --quiet"
    assert run(quiet.split()) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("folder")
def test_a_changed_file_does_not_hold_what_it_claims(capsys: pytest.CaptureFixture[str]) -> None:
    command = "generalize people.csv --k 3 --identifier name --attribute age,job --out out.csv --key-file key.csv"
    answer(capsys, command)
    path = Path("out.csv")
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    fields = [line.rsplit(",", 2) for line in rows]
    # the same values, at other records
    swapped = [",".join([one[0], *other[1:]]) for one, other in zip(fields, fields[1:] + fields[:1], strict=True)]
    path.write_text("\n".join([header, *swapped]) + "\n", encoding="utf-8")

    def failed(options: str = "") -> list[str]:
        found = answer(capsys, f"verify people.csv out.csv {options}", 1)
        return [check["name"] for check in found["verification"] if not check["passed"]]

    assert failed() == ["checksum"]
    assert failed("--key key.csv") == ["checksum", "others"]
    path.write_text("\n".join([header, *(f'20,"clerk",{one[1]},{one[2]}' for one in fields)]) + "\n", encoding="utf-8")
    assert failed()[0] == "checksum"
    assert len(failed()) > 1


@pytest.mark.usefixtures("folder")
def test_groups_are_verified_too(capsys: pytest.CaptureFixture[str]) -> None:
    command = "microaggregate people.csv --k 3 --identifier name --attribute age,zip --method mdav --out out.csv"
    answer(capsys, f"{command} --key-file key.csv")
    for key in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {key}")["passed"]
    header, *rows = [line.split(",") for line in Path("out.csv").read_text(encoding="utf-8").splitlines()]

    def failed(*changed: list[str]) -> list[str]:
        with Path("out.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *changed])
        found = answer(capsys, "verify people.csv out.csv", 1)
        return [check["name"] for check in found["verification"] if not check["passed"]]

    assert failed(*rows[:-1], ["1", rows[-1][1], "2", rows[-1][3]]) == ["checksum", "k-anonymous"]
    other = "nurse" if rows[-1][1] == "cook" else "cook"
    assert failed(*rows[:-1], [rows[-1][0], other, *rows[-1][2:]]) == ["checksum", "others"]
    # a file of other people
    Path("others.csv").write_text(Path("people.csv").read_text(encoding="utf-8").replace("cook", "smith"))
    assert not answer(capsys, "verify others.csv out.csv", 1)["passed"]
    Path("fewer.csv").write_text("name,age,zip\nP1,30,1310\n")
    assert not answer(capsys, "verify fewer.csv out.csv", 1)["passed"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--k 42 --attribute age", "42"),
        ("--k 1 --attribute age", "2"),
        ("--k 3", "--quasi-identifier"),
        ("--k 3 --attribute height", "height"),
        ("--k 3 --attribute age --hierarchy job=jobs.csv", "job"),
        ("--k 3 --attribute job --hierarchy jobs.csv", "zip=prefixes"),
        ("--k 3 --attribute job --hierarchy job=none.csv", "none.csv"),
        ("--k 3 --attribute age --hierarchy age=jobs.csv", "in record 1"),
        ("--k 3 --attribute job --hierarchy job=intervals:5", "hierarchy of 'job': intervals"),
        ("--k 3 --attribute job --hierarchy job=dates", "hierarchy of 'job': a category is no date"),
        ("--k 3 --attribute age --attribute-weight age=0", "positive"),
        ("--k 3 --attribute age --method none", "none"),
        ("--k 3 --attribute age --household age", "is declared as household"),
        ("--k 3 --attribute age --stratum age", "age"),
    ],
)
def test_what_cannot_be_done_is_one_line(capsys: pytest.CaptureFixture[str], options: str, said: str) -> None:
    assert run(["microdata", "generalize", "people.csv", "--dry-run", *options.split()]) in (2, 4, 5)
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert len(err.strip().splitlines()) == 1
    assert said in err


@pytest.mark.usefixtures("folder")
def test_an_audit_of_generalized_records_says_that_it_is_the_wrong_test(capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, "generalize people.csv --k 3 --identifier name --attribute age,job --out out.csv")
    run(["microdata", "audit", "out.csv", "--quasi-identifier", "age,job", "--k", "3"])
    out, err = capsys.readouterr()
    assert "auditor microdata verify" in out + err
    assert out.splitlines()[0].endswith("violated by this test, which is not the one for what its manifest claims")


@pytest.mark.usefixtures("folder")
def test_strata_are_kept_apart_and_nobody_hides_in_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    command = "generalize people.csv --k 3 --identifier name --attribute age,job --stratum ill --out out.csv"
    found = answer(capsys, f"{command} --key-file key.csv --curve --report page.html")
    assert found["losses"].keys() == {"age", "job"}
    assert [point["k"] for point in found["curve"]] == [2, 3, 5, 10, 20]
    assert json.loads(Path("out.csv.manifest.json").read_text(encoding="utf-8"))["claim"]["stratum"] == "ill"
    for key in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {key}")["passed"]
    # records take each other's strata: without the column nobody could tell. The younger half is in one of them, where
    # nobody hides who is older; two records that are wide enough could change places, and all would still hide
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    strata = sorted(row[-1] for row in rows)
    for row, stratum in zip(sorted(rows), strata, strict=True):
        row[-1] = stratum
    with Path("out.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    again = answer(capsys, "verify people.csv out.csv", 1)
    failed = [check["name"] for check in again["verification"] if not check["passed"]]
    assert failed[0] == "checksum"
    assert set(failed) & {"matching", "hidden", "shared"}
    small = command.replace("--k 3", "--k 21")
    assert "1 stratum has fewer than k" in answer(capsys, small.replace("out.csv", "b.csv"), 2)


@pytest.mark.usefixtures("folder")
def test_a_number_that_is_missing_hides_among_others(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[list[Any]] = [[f"P{n}", "" if n in (5, 6) else 20 + n % 9, JOBS[n % 3], "1310", 1] for n in range(40)]
    write("people.csv", rows)
    command = "generalize people.csv --k 3 --identifier name --attribute age,job --out out.csv --key-file key.csv"
    found = answer(capsys, f"{command} --report page.html")
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        cells = [row["age"] for row in csv.DictReader(file)]
    # two are too few to be left alone
    assert sum(cell.startswith(r"\N..") for cell in cells) >= 3
    assert "" not in cells
    assert 0 < found["losses"]["age"] < 0.5
    for key in ("", "--key key.csv"):
        assert answer(capsys, f"verify people.csv out.csv {key}")["passed"]
    assert "Passed" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_records_that_are_all_alike_lose_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    write("people.csv", [["P", 30, "cook", "1310", 1]] * 5)
    found = answer(capsys, "generalize people.csv --k 5 --attribute age,job,zip --out out.csv")
    assert (found["information_loss"], found["status"]) == (0, "optimal")
    assert Path("out.csv").read_text(encoding="utf-8").splitlines()[1] == "P,30,cook,1310,1"


@pytest.mark.usefixtures("folder")
def test_a_report_shows_attributes_before_and_after_and_no_rare_value(capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[list[Any]] = [[f"P{n}", 20 + n % 9, JOBS[n % 3], "1310", 1] for n in range(60)]
    write("people.csv", [*rows, ["P", 30, SECRET, "1", 0]])
    command = "generalize people.csv --k 3 --identifier name --attribute age,job --dry-run --curve --report page.html"
    found = answer(capsys, command)
    assert [point["k"] for point in found["curve"]] == [2, 3, 5, 10, 20]
    assert [point["gcp"] for point in found["curve"]] == sorted(point["gcp"] for point in found["curve"])
    page = Path("page.html").read_text(encoding="utf-8")
    assert SECRET not in page
    # a single other one would be counted by what is missing in the rest: one of the three stands among the others, too
    assert sum(job in page for job in JOBS[:3]) == 2
    assert page.count('<svg class="chart"') == 3
    assert "Nothing was written" in page
    assert "any value from a to b" in page
    # its words are not those of classes
    assert "<b>GCP</b>: the mean" in page
    assert "alike" not in page
    # the same k by methods of other tools; the last one suppresses the one rare record, and loses all of it
    rows = re.findall(r"<tr><th[^>]*>(this release|Mondrian|global recoding)</th><td>([0-9.]+)</td>", page)
    assert [name for name, _ in rows] == ["this release", "Mondrian", "global recoding"]
    assert float(rows[0][1]) < float(rows[1][1])
    assert "another file" in answer(capsys, command.replace("page.html", "people.csv"), 2)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("large", ["", " --large"])
def test_numbers_with_decimal_commas_are_named(capsys: pytest.CaptureFixture[str], large: str) -> None:
    rows = [f"{20 + n};{150 + n % 9},5" for n in range(12)]
    Path("sizes.csv").write_text("\n".join(["age;size", *rows]) + "\n", encoding="utf-8")
    found = answer(capsys, f"generalize sizes.csv --k 3 --quasi-identifier age,size --out {len(large)}.csv{large}")
    said = "column 'size' holds numbers with decimal commas and was read as text; write them with points"
    assert found["remarks"][0] == said
