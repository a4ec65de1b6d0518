"""Bounds of a stored table: from what is out, what if, noted in the ledger before they are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

# of the docs: every pair is harmless, all three are not
CUBE = "A,B,C,count\n" + "".join(
    f"{a},{b},{c},{count}\n"
    for (a, b, c), count in zip(
        [(a, b, c) for a in "01" for b in "01" for c in "01"], (1, 6, 7, 8, 9, 10, 5, 1), strict=True
    )
)


@pytest.fixture
def home(tmp_path: Path, neo4j_settings: Settings, neo4j_connection: Connection) -> Path:
    # an emptied store: a cube that another test left would look alike
    (tmp_path / "cube.csv").write_text(CUBE)
    return neo4j_settings.home


def add(home: Path, name: str, file: Path) -> None:
    ended = run_auditor(["table", "add", name, file], home)
    assert ended.code == 0, ended.err


def answer(home: Path, *arguments: object, code: int = 0) -> Any:
    ended = run_auditor(["--json", *arguments], home)
    assert ended.code == code, ended.err
    return ended.json


@pytest.mark.slow
def test_what_is_out_and_what_would_be(home: Path, tmp_path: Path) -> None:
    add(home, "cube", tmp_path / "cube.csv")
    nothing = answer(home, "table", "bounds", "cube")
    assert nothing["given"] == []
    assert {(cell["lower"], cell["upper"]) for cell in nothing["cells"]} == {(0, 47)}
    for names in ("A,B", "C,A"):
        answer(home, "table", "request", "cube", names, "--by", "ann")
    out = answer(home, "table", "bounds", "table:cube")
    assert out["given"] == [["A", "B"], ["A", "C"]]
    assert out["complete"]
    # the marginal that is refused, tried by the officer
    tried = answer(home, "table", "bounds", "cube", "--and", "C,B", "--count-tables")
    assert tried["given"] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert tried["cells"][0] == {"cell": {"A": "0", "B": "0", "C": "0"}, "lower": 0, "upper": 2, "status": "sharp"}
    assert tried["tables"] == {"count": 3, "complete": True}
    assert answer(home, "table", "bounds", "cube", "--given", "B", "--and", "C")["given"] == [["B"], ["C"]]

    # every look is there, with what was asked, and no count
    entries = answer(home, "ledger", "show", "--limit", 50)["entries"]
    looks = [entry for entry in entries if entry["kind"] == "table_bounds" and entry["subject"] == "table:cube"]
    assert len(looks) == 4
    payload = json.loads(looks[1]["payload"]) if isinstance(looks[1]["payload"], str) else looks[1]["payload"]
    assert payload == {
        "cells": 8,
        "exact": True,
        "given": [["A", "B"], ["A", "C"], ["B", "C"]],
        "given_merged": [],
        "population": payload["population"],
        "tables_counted": True,
        "version": 1,
    }
    assert looks[1]["actor"] == "tester"
    assert answer(home, "ledger", "verify")["intact"]


@pytest.mark.slow
def test_a_look_that_fails_before_it_is_shown_is_not_noted(home: Path, tmp_path: Path) -> None:
    add(home, "quiet", tmp_path / "cube.csv")
    before = answer(home, "ledger", "show", "--limit", 1)["entries"][0]["seq"]
    for arguments, said in (
        (["--given", "Z"], "no variable 'Z'"),
        (["--cells", "A=q"], "no category"),
        (["--records"], "stored table"),
        (["--picture", str(tmp_path / "none" / "x.svg")], "does not exist"),
    ):
        ended = run_auditor(["table", "bounds", "quiet", *arguments], home)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err
        assert len(ended.err.strip().splitlines()) == 1
    assert run_auditor(["table", "bounds", "nobody"], home).code == 2
    assert answer(home, "ledger", "show", "--limit", 1)["entries"][0]["seq"] == before


def test_a_file_of_the_name_of_a_table(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(home, "cube.csv", tmp_path / "cube.csv")
    monkeypatch.chdir(tmp_path)
    # what ends like a file is one; the prefix says table
    assert run_auditor(["table", "bounds", "cube.csv"], home).code == 2
    assert answer(home, "table", "bounds", "table:cube.csv")["table"] == "cube.csv"
