"""`auditor microdata microaggregate` with households, dates, categories, missing values, weights, scaling, medians."""

from __future__ import annotations

import csv
import json
import random
import statistics
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli.app import run

CANARY = "quagmire"
COLUMNS = "name,household,age,wage,born,seen,region,education,smokes,code,hour"
SCALE = "education=low<mid<high"
START = datetime(2024, 1, 1)


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    draw = random.Random(7)
    path = tmp_path / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS.split(","))
        for row in range(60):
            age = draw.randint(18, 90) if row % 6 else ""
            born = date(1940, 1, 1) + timedelta(days=draw.randint(0, 20_000))
            seen = START + timedelta(seconds=draw.randint(0, 10**7))
            region, education = draw.choice(["north", CANARY, "east"]), draw.choice(["low", "mid", "high"])
            own = [f"P{row}", f"h{row // 3 * 2 + row % 3 // 2}", age, round(draw.lognormvariate(8, 1), 2), born, seen]
            categories = [region, education, draw.choice(["true", "false"]), draw.choice([11, 22, 33])]
            out.writerow([*own, *categories, "07:30:00"])
    return path


def command(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    common = ("--k", 3, "--identifier", "name", "--effort", "0.05")
    assert run(["--json", "microdata", "microaggregate", "people.csv", *map(str, (*common, *arguments))]) == code
    out, err = capsys.readouterr()
    assert CANARY not in out + err
    assert "Traceback" not in err
    return json.loads(out) if code == 0 else err


def rows_of(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(name).read_text(encoding="utf-8").splitlines()))


def groups_of(name: str, attributes: list[str]) -> list[tuple[dict[str, str], list[dict[str, str]]]]:
    """Return what every group published, and its original records, by the key file."""
    selected = ", ".join(f"CAST({attribute} AS VARCHAR)" for attribute in attributes)
    reading = f"'{name}'" if name.endswith("parquet") else f"read_csv('{name}', all_varchar = true)"
    before = rows_of("people.csv")
    rows = {int(row["published"]): int(row["original"]) for row in rows_of("key.csv")}
    found: dict[Any, list[dict[str, str]]] = {}
    for place, values in enumerate(duckdb.sql(f"SELECT {selected} FROM {reading}").fetchall()):
        found.setdefault(values, []).append(before[rows[place]])
    return [(dict(zip(attributes, values, strict=True)), members) for values, members in found.items()]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_every_kind_of_attribute_is_aggregated_as_itself(
    people: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    names = ["wage", "born", "seen", "region", "education", "smokes", "code"]
    options = ("--nominal", "code", "--ordinal", SCALE, "--aggregate", "wage=median", "--key-file", "key.csv")
    data = command(capsys, "--attribute", ",".join(names), *options, "--out", f"a.{suffix}")
    assert all(check["passed"] for check in data["verification"])
    assert [data["aggregates"][name] for name in names] == [
        "median", "mean", "mean", "mode", "lower median", "mode", "mode"
    ]  # fmt: skip
    assert data["information_loss"] < data["aggregate_loss"] < 100
    assert data["rounded_loss"] is not None
    groups = groups_of(f"a.{suffix}", names)
    assert min(len(members) for _, members in groups) >= 3
    order = ["low", "mid", "high"]
    for after, members in groups:
        for name in ("region", "smokes", "code"):
            counts = Counter(member[name] for member in members)
            assert after[name] == min(value for value in counts if counts[value] == max(counts.values()))
        ranks = sorted(order.index(member["education"]) for member in members)
        assert after["education"] == order[ranks[(len(ranks) - 1) // 2]]
        assert float(after["wage"]) == pytest.approx(statistics.median(float(one["wage"]) for one in members))
        days = [date.fromisoformat(one["born"]).toordinal() for one in members]
        assert abs(date.fromisoformat(after["born"]).toordinal() - sum(days) / len(days)) <= 0.5
        seconds = [(datetime.fromisoformat(one["seen"]) - START).total_seconds() for one in members]
        mean = sum(seconds) / len(seconds)
        assert (datetime.fromisoformat(after["seen"]) - START).total_seconds() == pytest.approx(mean, abs=1e-5)
    if suffix == "parquet":
        types = {name: kind for name, kind, *_ in duckdb.sql("DESCRIBE SELECT * FROM 'a.parquet'").fetchall()}
        assert [types[name] for name in names] == [
            "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR", "VARCHAR", "BOOLEAN", "BIGINT"
        ]  # fmt: skip
    claim = json.loads(Path(f"a.{suffix}.manifest.json").read_text(encoding="utf-8"))["claim"]
    assert claim["aggregates"] == data["aggregates"]
    assert claim["times"] == {"born": "DATE", "seen": "TIMESTAMP"}
    assert claim["scales"] == {"education": order}


def test_what_lacks_the_same_values_is_grouped_and_still_lacks_them(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--missing", "group", "--keep-integers", "--key-file", "key.csv")
    data = command(capsys, "--attribute", "age,wage", *options, "--out", "a.csv")
    assert "missing" in [check["name"] for check in data["verification"]]
    groups = groups_of("a.csv", ["age", "wage"])
    assert min(len(members) for _, members in groups) >= 3
    lacking = [members for after, members in groups if not after["age"]]
    assert sum(map(len, lacking)) == 10
    assert not any(member["age"] for members in lacking for member in members)


def test_imputation_is_stated_and_every_value_is_there(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--missing", "impute", "--aggregate", "median", "--stratum", "smokes", "--out", "a.csv")
    data = command(capsys, "--attribute", "age,wage", *options)
    assert (data["missing"], data["aggregates"]) == ("impute", {"age": "median", "wage": "median"})
    assert {"strata", "values"} <= {check["name"] for check in data["verification"]}
    claim = json.loads(Path("a.csv.manifest.json").read_text(encoding="utf-8"))["claim"]
    assert (claim["missing"], claim["stratum"]) == ("impute", "smokes")
    assert all(row["age"] for row in rows_of("a.csv"))


def test_households_stay_together(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = command(capsys, "--attribute", "wage,born", "--household", "household", "--out", "a.csv")
    assert "households" in [check["name"] for check in data["verification"]]
    values: dict[str, set[Any]] = {}
    for row in rows_of("a.csv"):
        values.setdefault(row["household"], set()).add((row["wage"], row["born"]))
    assert {len(found) for found in values.values()} == {1}


def test_weights_and_scaling_change_the_groups_and_are_said(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ("--attribute", "wage,code", "--dry-run")
    plain, heavy = command(capsys, *base), command(capsys, *base, "--attribute-weight", "wage=50")
    robust = command(capsys, *base, "--scaling", "robust")
    assert (plain["weights"], heavy["weights"]) == ({}, {"wage": 50.0})
    assert (plain["scaling"], robust["scaling"]) == ("standard", "robust")
    assert len({plain["information_loss"], heavy["information_loss"], robust["information_loss"]}) == 3
    assert plain["aggregate_loss"] is plain["rounded_loss"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--attribute", "hour"], "column 'hour' (time) is neither numbers, dates nor categories"),
        (["--attribute", "wage", "--scaling", "magic"], "unknown word 'magic'"),
        (["--attribute", "wage", "--missing", "magic"], "unknown word 'magic'"),
        (["--attribute", "wage", "--aggregate", "mode"], "unknown word 'mode'"),
        (["--attribute", "wage", "--aggregate", "wage=mode"], "'wage' cannot take the mode"),
        (["--attribute", "region", "--aggregate", "region=mean"], "'region' cannot take the mean"),
        (["--attribute", "wage", "--attribute-weight", "wage=0"], "weight of 'wage' (0) must be a positive number"),
        (["--attribute", "wage", "--attribute-weight", "wage=x"], "weight of 'wage' must be a number"),
        (["--attribute", "wage", "--attribute-weight", "2"], "needs an attribute for each weight"),
        (["--attribute", "wage", "--attribute-weight", "age=2"], "there is no attribute 'age' to weight"),
        (["--attribute", "wage", "--nominal", "code"], "there is no attribute 'code' to list as nominal"),
        (["--attribute", "education", "--ordinal", "education=low<mid"], "none of the categories that were declared"),
        (["--attribute", "education", "--ordinal", "education=low<low"], "two categories or more, each once"),
        (["--attribute", "code", "--nominal", "code", "--ordinal", "code=1<2"], "both nominal and ordinal"),
        (["--attribute", "education", "--ordinal", "education"], "must be a column and its categories in order"),
        (["--attribute", "age"], "10 records without a finite number in 'age'; choose --missing group"),
        (["--attribute", "wage", "--household", "household", "--method", "icsm"], "cannot keep households together"),
        (["--attribute", "wage", "--household", "household", "--stratum", "smokes"], "records in two strata"),
        (["--attribute", "age,wage", "--missing", "group", "--household", "household"], "lack different values"),
        (
            ["--attribute", "age,wage", "--missing", "group", "--k", "11"],
            "than k (11) records, 10 records in all",
        ),
    ],
)
def test_bad_input_is_a_line_and_writes_nothing(
    people: Path, capsys: pytest.CaptureFixture[str], options: list[object], words: str
) -> None:
    said = command(capsys, *options, "--out", "a.csv", code=2)
    assert words in " ".join(said.replace("│", " ").split())
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]
