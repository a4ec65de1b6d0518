"""The path of a table through the command line: add, look, remove, add again; no count on the way."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.config import Settings
from auditor.store.opening import open_store
from auditor.subjects.tables.stored.releases import Releases
from tests.support.commands import Finished, run_auditor, start_auditor

# an emptied store for each test
pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("neo4j_connection")]

SECRET = "48151"
"""A count, and what no output may hold."""

SURVEY = f"sex,smoking,count\nf,yes,{SECRET}\nf,no,31\nm,yes,17\nm,no,0\n"


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text(SURVEY)
    return path


def no_count_in(ended: Finished) -> None:
    assert SECRET not in ended.out + ended.err
    assert "Traceback" not in ended.err


@pytest.mark.slow
def test_from_a_file_into_the_store_and_out_again(survey: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home

    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(["--json", *arguments], home)
        assert ended.code == code, ended.err
        no_count_in(ended)
        return ended

    added = auditor("table", "add", "story", survey).json
    assert added["variables"] == [
        {"name": "sex", "categories": ["f", "m"]},
        {"name": "smoking", "categories": ["yes", "no"]},
    ]
    assert (added["cells"], added["version"], added["known"], added["remarks"]) == (4, 1, False, [])
    shown = auditor("table", "show", "table:story").json
    assert {key: shown[key] for key in added if key in shown} == {key: added[key] for key in shown if key in added}
    assert (shown["marginals"], shown["overlaps"]) == ([], [])
    assert [table["name"] for table in auditor("table", "list").json["tables"]] == ["story"]
    with open_store(neo4j_settings) as store:
        assert Releases(store).state("story").table.dense().tolist() == [[int(SECRET), 31], [17, 0]]

    # the same people, one variable less
    part = auditor("table", "add", "part", survey, "--variables", "sex", "--sum").json
    (remark,) = part["remarks"]
    assert "'story'" in remark
    assert part["overlaps"][0]["variables"] == ["sex"]
    assert auditor("table", "show", "story").json["overlaps"][0]["name"] == "part"

    auditor("table", "remove", "story", code=2)
    auditor("table", "remove", "story", "--yes")
    auditor("table", "show", "story", code=2)
    again = auditor("table", "add", "again", survey).json
    assert again["known"]
    assert again["population"] == added["population"]
    auditor("table", "remove", "table:again", "--yes")

    kinds = [entry["kind"] for entry in auditor("ledger", "show").json["entries"]]
    assert kinds[:5] == ["table_removed", "table_added", "table_removed", "table_added", "table_added"]
    assert auditor("ledger", "verify").json["intact"]
    ledger = tmp_path / "ledger.jsonl"
    auditor("ledger", "export", ledger)
    text = ledger.read_text()
    assert SECRET not in text
    assert json.loads(text.splitlines()[-1])["subject"] == "table:again"
    auditor("table", "remove", "part", "--yes")


def test_records_in_parquet(tmp_path: Path, neo4j_settings: Settings) -> None:
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"id": range(6), "town, now": ["Köln", "Bonn"] * 3, "age": [9, 10, 11] * 2}), path)
    command = ["table", "add", "people", path, "--records", "--variables", '"town, now",age', "--json"]
    added = run_auditor(command, neo4j_settings.home)
    assert added.code == 0, added.err
    assert [variable["name"] for variable in added.json["variables"]] == ["town, now", "age"]
    assert added.json["variables"][1]["categories"] == ["9", "10", "11"]


def test_other_data_under_an_old_name(survey: Path, tmp_path: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    other = tmp_path / "other.csv.gz"
    other.write_bytes(gzip.compress(b"colour,count\nred,5\nblue,6\n"))
    assert run_auditor(["table", "add", "states", other], home).code == 0
    survey.write_text(SURVEY.replace("31", "32"))
    refused = run_auditor(["table", "add", "states", survey], home)
    assert refused.code == 2
    assert "--new-version" in refused.err
    assert len(refused.err.strip().splitlines()) == 1
    accepted = run_auditor(["table", "add", "states", survey, "--new-version"], home)
    assert accepted.code == 0
    assert "version 2" in accepted.err
    assert run_auditor(["table", "show", "states", "--json"], home).json["version"] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--count", "people"], "no column 'people'"),
        (["--variables", "sex,,age"], "empty name"),
        (["--variables", '"sex'], "commas"),
        (["--variables", "sex"], "--sum"),
        (["--records", "--sum"], "leave out --sum"),
        (["--records", "--count", "count"], "exclude each other"),
        (["--missing", " "], "blank"),
        (["--delimiter", "ab"], "one ASCII character"),
        (["--new-version"], "never was a table"),
    ],
)
def test_wrong_usage_is_one_line(survey: Path, neo4j_settings: Settings, arguments: list[str], said: str) -> None:
    ended = run_auditor(["table", "add", "wrong", survey, *arguments], neo4j_settings.home)
    no_count_in(ended)
    assert ended.code == 2
    assert said in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_a_bad_file_needs_no_store(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"sex,count\nf,-{SECRET}\n")
    ended = run_auditor(["table", "add", "bad", path], tmp_path / "home", NEO4J_URI="bolt://127.0.0.1:1")
    no_count_in(ended)
    assert (ended.code, ended.err.strip()) == (2, f"auditor: {path}, line 2: a negative count; correct it")


def test_families_are_told_apart(survey: Path, neo4j_settings: Settings) -> None:
    home = neo4j_settings.home
    for command in (["network", "audit", "table:x", "--k", "2"], ["table", "show", "network:x"]):
        ended = run_auditor(command, home)
        assert ended.code == 2
        assert "--help" in ended.err
    for name in ("table:x", "network:x", "a\nb", ""):
        assert run_auditor(["table", "add", name, survey], home).code == 2


def test_a_file_in_the_place_of_a_table_is_told(survey: Path, neo4j_settings: Settings) -> None:
    for command in (["show", survey], ["request", survey, "sex", "--by", "ann"], ["lattice", survey]):
        ended = run_auditor(["table", *command], neo4j_settings.home)
        assert (ended.code, "auditor table add NAME" in ended.err) == (2, True)


def test_two_at_once_are_both_stored(survey: Path, neo4j_settings: Settings) -> None:
    running = [start_auditor(["--json", "table", "add", f"twin {i}", survey], neo4j_settings.home) for i in range(2)]
    populations = set()
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        populations.add(json.loads(out)["population"])
    assert len(populations) == 1
