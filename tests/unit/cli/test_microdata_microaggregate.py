"""`auditor microdata microaggregate` on files: what is written holds what it claims, and bad input writes nothing."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from auditor.core.errors import BadInput
from auditor.subjects.microdata.exports import large, reading_back
from auditor.subjects.microdata.exports.attributes import reading
from cli.app import run
from cli.microdata import comparison
from cli.microdata.wanted import what_was_done
from graphkit.verification import Check, Verification

CANARY = "quagmire"


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    draw = random.Random(7)
    path = tmp_path / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["name", "age", "wage", "region", 'a "note"'])
        for row in range(60):
            note = draw.choice(["", "007", "x;y", 'say "so"', "two\nlines", CANARY])
            out.writerow(
                [f"P, {row}", draw.randint(18, 90), round(draw.lognormvariate(8, 1), 2), draw.choice("AB"), note]
            )
    return path


def command(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    assert run(["--json", "microdata", "microaggregate", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert CANARY not in out + err
    assert "Traceback" not in err
    return json.loads(out) if code == 0 else err


@pytest.mark.parametrize("in_parts", [(), ("--large", "--memory", "200m")], ids=["at once", "in parts"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_what_is_written_is_what_was_promised(
    people: Path, capsys: pytest.CaptureFixture[str], suffix: str, in_parts: tuple[str, ...]
) -> None:
    out, key = people.with_name(f"released{suffix}"), people.with_name("key.csv")
    options = ("--identifier", "name", "--attribute", "age,wage", "--key-file", key, "--effort", "0.05", *in_parts)
    data = command(capsys, people, "--k", 4, *options, "--out", out)
    assert data["removed"] == ["name"]
    assert data["proven_loss"] <= data["information_loss"] < 30
    assert all(check["passed"] for check in data["verification"])
    before = duckdb.sql(f"SELECT * FROM read_csv('{people}', all_varchar = true)").fetchall()
    reading = f"'{out}'" if suffix == ".parquet" else f"read_csv('{out}', all_varchar = true)"
    after = duckdb.sql(f"SELECT * FROM {reading}").fetchall()
    assert [name for name, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM {reading}").fetchall()] == [
        "age", "wage", "region", 'a "note"'
    ]  # fmt: skip
    rows = {int(row["published"]): int(row["original"]) for row in csv.DictReader(key.open(encoding="utf-8"))}
    assert key.stat().st_mode & 0o077 == 0
    assert sorted(rows.values()) == list(range(60))
    groups: dict[Any, list[int]] = {}
    for place, row in enumerate(after):
        assert [str(value or "") for value in row[2:]] == [str(value or "") for value in before[rows[place]][3:]]
        groups.setdefault(row[:2], []).append(rows[place])
    assert min(map(len, groups.values())) >= 4
    for (age, wage), members in groups.items():
        assert float(age) == pytest.approx(sum(float(before[row][1]) for row in members) / len(members))
        assert float(wage) == pytest.approx(sum(float(before[row][2]) for row in members) / len(members))
    manifest = json.loads(out.with_name(out.name + ".manifest.json").read_text(encoding="utf-8"))
    assert manifest["claim"]["k"] == 4
    assert manifest["files"][out.name]["sha256"] == data["digests"][str(out)]


@pytest.mark.parametrize("in_parts", [(), ("--large",)], ids=["at once", "in parts"])
@pytest.mark.parametrize("how", ["microaggregate", "generalize"])
def test_columns_that_leave_as_they_are_and_one_that_names_the_record_are_told(
    people: Path, capsys: pytest.CaptureFixture[str], how: str, in_parts: tuple[str, ...]
) -> None:
    asked = ["microdata", how, str(people), "--k", "4", "--attribute", "age", "--sensitive", "wage"]
    asked += ["--effort", "0.05", "--dry-run", *in_parts]
    assert run(["--json", *asked]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["unchanged"], told["unchanged_naming"]) == (["name", "region", 'a "note"'], ["name"])
    assert run(asked) == 0
    err = " ".join(capsys.readouterr().err.split())
    assert "left as they are: name, region" in err
    assert "name has another value in every record" in err
    assert "--identifier name" in err
    assert run(["--json", *asked, "--identifier", "name"]) == 0
    assert json.loads(capsys.readouterr().out)["unchanged_naming"] == []


def test_what_a_policy_demands_of_sensitive_columns_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, policy = tmp_path / "people.csv", tmp_path / "policy.toml"
    people.write_text("age,ill,job\n1,a,x\n2,a,y\n8,b,x\n9,b,y\n", encoding="utf-8")
    policy.write_text("[microdata]\nk = 2\ndistinct_l = 2\n", encoding="utf-8")
    options = (people, "--k", 2, "--attribute", "age", "--policy", policy, "--dry-run", "--sensitive")
    assert "required: 2 (microdata.distinct_l of" in command(capsys, *options, "ill", code=1)
    assert "(microdata.distinct_l) needs all records" in command(capsys, *options, "job", "--large", code=2)
    assert "of job (microdata.distinct_l) was measured" in command(capsys, *options, "job")["remarks"][0]
    policy.write_text("[microdata]\nk = 2\ndistinct_l = 1\nt = 0.1\n", encoding="utf-8")
    assert "allowed: 0.1 (microdata.t of" in command(capsys, *options, "ill", code=1)
    assert command(capsys, *options[:-4], "--dry-run", "--sensitive", "ill")["remarks"] == []


def test_numbers_with_decimal_commas_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people, said = tmp_path / "people.csv", "column 'size' holds numbers with decimal commas and was read as text"
    people.write_text("size;age\n170,3;1\n168;2\n-1,5;3\n2,5;4\n", encoding="utf-8")
    options = (people, "--k", 2, "--attribute", "size", "--dry-run")
    assert said in command(capsys, *options)["remarks"][0]
    assert said in command(capsys, *options, "--large", code=2)
    monkeypatch.setattr(reading, "MOST_CATEGORIES", 3)
    assert said in command(capsys, *options, code=2)


def test_the_answer_says_no_more_than_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,home\n1,1\n1,1\n1,2\n2,2\n2,2\n2,2\n,2\n", encoding="utf-8")
    words = ["microdata", "microaggregate", str(people), "--k", "7", "--attribute", "age", "--dry-run"]
    assert run([*words, "--missing", "impute"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1, of 7 records" in said
    assert "by the aggregate of the attribute" in said
    assert "stratum" not in said
    people.write_text("age\n" + "1\n2\n3\n" * 3, encoding="utf-8")
    words[4] = "4"
    assert run([*words, "--large", "--effort", "0.05"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "(no bound is proven with --large)" in said


@pytest.mark.parametrize(
    ("approval", "said"),
    [
        (None, "a version was written"),
        ("an id", "a version was made and awaits approval by another person; nothing is released yet"),
    ],
)
def test_what_awaits_approval_is_not_told_as_written(approval: str | None, said: str) -> None:
    assert what_was_done(SimpleNamespace(approval=approval)) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ratio", "said"), [(0.99999, "more than 99.9 %"), (0.00001, "less than 0.01 %"), (0.5, "at least 50 %")]
)
def test_what_is_left_of_a_variance_is_said_once(ratio: float, said: str) -> None:
    assert comparison._at_least(ratio).replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_date_that_is_none_is_told_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "waive", "aa", "--reason", "x", "--until", "2030-13-01"]) == 2
    assert "'--until': '2030-13-01' is no date such as 2030-01-31; see" in capsys.readouterr().err


def test_help_and_errors_name_every_suffix_that_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["microdata", "microaggregate", "--help"]) == 0
    told = capsys.readouterr().out
    with pytest.raises(BadInput) as refused:
        reading_back.format_written(Path("a.doc"))
    for suffix, delimiter in {".csv": ",", ".tsv": "\t", ".txt": "\t", ".parquet": None, ".pq": None}.items():
        written = reading_back.copy_options(Path(f"a{suffix}"))
        assert written.endswith("COMPRESSION zstd" if delimiter is None else f"DELIMITER '{delimiter}'")
        assert suffix in told
        assert suffix in str(refused.value)


def test_rows_are_in_another_order_each_time(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for name in ("one.csv", "other.csv"):
        options = ("--attribute", "age", "--keep-integers", "--seed", 5, "--out", people.with_name(name))
        command(capsys, people, "--k", 3, *options)
        texts.append(people.with_name(name).read_text(encoding="utf-8"))
    assert texts[0] != texts[1]
    ages = Counter(row["age"] for row in csv.DictReader(people.with_name("one.csv").open(encoding="utf-8")))
    assert min(ages.values()) >= 3
    assert all(age.isdigit() for age in ages)


def test_parts_round_whole_numbers_and_say_what_that_loses(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--attribute", "age,wage", "--keep-integers", "--effort", "0.05", "--large")
    data = command(capsys, people, "--k", 3, *options, "--out", people.with_name("one.csv"))
    rows = [(row["age"], row["wage"]) for row in csv.DictReader(people.with_name("one.csv").open(encoding="utf-8"))]
    assert all(age.isdigit() for age, _ in rows)
    assert min(Counter(rows).values()) >= 3
    assert data["information_loss"] < data["rounded_loss"] < data["information_loss"] + 1
    dry = command(capsys, people, "--k", 3, *options, "--dry-run")
    assert (dry["files"], dry["information_loss"]) == ([], data["information_loss"])


def test_many_records_are_worked_on_in_parts_unasked(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "MANY_RECORDS", 50)
    file = people.with_name("people.parquet")
    duckdb.sql(f"COPY (SELECT * FROM '{people}') TO '{file}'")
    in_parts = []
    export = large.export_large
    monkeypatch.setattr(large, "export_large", lambda *given, **named: in_parts.append(1) or export(*given, **named))
    for options in ((), ("--stratum", "region"), ("--method", "mdav-mhm"), ("--time-limit", 5)):
        command(capsys, file, "--k", 3, "--attribute", "age", "--dry-run", "--effort", "0.05", *options)
    # the others need all records at once
    assert len(in_parts) == 1


def test_strata_are_not_mixed(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = people.with_name("a.csv")
    command(
        capsys, people, "--k", 3, "--attribute", "age,wage", "--stratum", "region", "--effort", "0.05", "--out", out
    )
    regions: dict[tuple[str, str], set[str]] = {}
    for row in csv.DictReader(out.open(encoding="utf-8")):
        regions.setdefault((row["age"], row["wage"]), set()).add(row["region"])
    assert all(len(found) == 1 for found in regions.values())


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--k", 3], 2, "say where to write"),
        (["--k", 1, "--out", "a.csv"], 2, "k (1) must be at least 2"),
        (["--k", 61, "--out", "a.csv"], 2, "k (61) is larger than the number of records (60)"),
        (["--k", 3, "--out", "a.xls"], 2, "no suffix that says what to write"),
        (["--k", 3, "--out", "people.csv", "--force"], 2, "is part of the original"),
        (["--k", 3, "--out", "a.csv", "--attribute", "nothing"], 2, "has no column 'nothing'"),
        (["--k", 3, "--out", "a.csv", "--identifier", "age", "--attribute", "age"], 2, "declared as identifier"),
        (["--k", 3, "--out", "a.csv", "--key-file", "a.csv"], 2, "is a file of the original or of its release"),
        (["--k", 3, "--out", "a.csv", "--preset", "magic"], 2, "preset"),
        (["--k", 3, "--dry-run", "--method", "magic"], 2, "unknown method"),
        (["--k", 61, "--out", "a.csv", "--large"], 2, "k (61) is larger than the number of records (60)"),
        (["--k", 3, "--dry-run", "--large", "--stratum", "region"], 2, "--stratum needs all records at once"),
        (["--k", 3, "--dry-run", "--large", "--method", "icsm"], 2, "--method icsm needs all records at once"),
        (["--k", 3, "--dry-run", "--large", "--time-limit", 5], 2, "--time-limit needs all records at once"),
        (["--k", 3, "--out", "people.csv", "--force", "--large"], 2, "is part of the original"),
        (["--k", 3, "--dry-run", "--large", "--memory", "much"], 2, "--memory must be a number with k, m or g"),
    ],
)
def test_bad_input_is_a_line_and_writes_nothing(
    people: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[object],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(people.parent)
    said = command(capsys, "people.csv", *options, code=code)
    assert words in said
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_a_value_that_is_missing_is_counted_and_not_shown(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people.write_text(people.read_text(encoding="utf-8") + f"zed,,3.5,A,{CANARY}\n", encoding="utf-8")
    said = command(capsys, people, "--k", 3, "--attribute", "age", "--out", people.with_name("a.csv"), code=2)
    assert "1 record without a finite number in 'age'" in said
    options = ("--attribute", "age", "--large", "--out", people.with_name("a.csv"))
    assert "1 record without a finite number in 'age'" in command(capsys, people, "--k", 3, *options, code=2)


@pytest.mark.parametrize("in_parts", [False, True])
def test_what_fails_its_check_is_not_published(
    people: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, in_parts: bool
) -> None:
    def wrong(*_: object) -> Verification:
        return Verification((Check("values", False, "wrong"),))

    monkeypatch.setattr(reading_back, "verify_microaggregation", wrong)
    monkeypatch.setattr("graphkit.microdata.table.verify.verify_table", wrong)
    key, out = people.with_name("key.csv"), people.with_name("a.csv")
    options = (
        "--attribute",
        "age",
        "--effort",
        "0.1",
        "--out",
        out,
        "--key-file",
        key,
        *(["--large"] if in_parts else []),
    )
    said = command(capsys, people, "--k", 3, *options, code=3)
    assert "fails its check (values); nothing was published" in said
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_pages_are_written_beside_the_release(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside, outside, out = (people.with_name(name) for name in ("in.html", "out.html", "a.csv"))
    options = ("--attribute", "age,wage", "--method", "mdav", "--report", inside, "--public-report", outside, "--curve")
    data = command(capsys, people, "--k", 4, *options, "--out", out)
    assert data["utility"]["linkage"]["correct"] <= 1 / 4
    assert data["utility"]["rank_disclosure"] is not None
    assert [point["k"] for point in data["curve"]] == [2, 3, 4, 5, 10, 20, 50]
    losses = [point["information_loss"] for point in data["curve"]]
    assert losses[2] == pytest.approx(data["information_loss"])
    assert data["reports"] == [str(inside), str(outside)]
    assert "do not pass on" in inside.read_text(encoding="utf-8")
    assert "public edition" in outside.read_text(encoding="utf-8")
    # an existing page is not replaced, and nothing else is done
    said = command(capsys, people, "--k", 4, "--attribute", "age", "--dry-run", "--report", inside, code=2)
    assert "exists already" in said


def test_a_curve_ends_where_a_stratum_does(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--attribute", "age,wage", "--stratum", "region", "--method", "mdav", "--curve", "--dry-run")
    assert [point["k"] for point in command(capsys, people, "--k", 4, *options)["curve"]] == [2, 3, 4, 5, 10, 20]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--dry-run", "--public-report", "a.html"], "leave out --dry-run"),
        (["--out", "a.csv", "--report", "a.csv"], "is another file of this command"),
        (["--out", "a.csv", "--report", "people.csv", "--force"], "is another file of this command"),
        (["--out", "a.csv", "--report", "a.csv.manifest.json"], "is another file of this command"),
        (["--out", "a.csv", "--report", "a.html", "--public-report", "./a.html"], "is another file of this command"),
        (["--out", "a.csv", "--report", "nowhere/a.html"], "nowhere"),
    ],
)
def test_a_page_that_cannot_be_written_ends_the_command_before_any_work(
    people: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[object],
    words: str,
) -> None:
    monkeypatch.chdir(people.parent)
    assert words in command(capsys, "people.csv", "--k", 3, *options, code=2)
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_numbers_that_are_too_large_to_be_rounded_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,number\n" + "".join(f"{n},{2**53 + 2 * n}\n" for n in range(6)), encoding="utf-8")
    options = (people, "--k", 2, "--attribute", "age,number", "--dry-run")
    said = ["the means of column 'number' are not rounded: it holds numbers of 2⁵³ and more"]
    assert command(capsys, *options, "--keep-integers")["remarks"] == said
    assert command(capsys, *options)["remarks"] == []
