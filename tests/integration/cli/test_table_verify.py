"""`auditor table verify`: a released file is what was released, and any other file is not."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from auditor.config import Settings
from auditor.core.errors import BadFile
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.files import marginal_text
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.releases.verifying import VerifiedMarginal, verify_released_marginal
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

LAX = Policy(table=TablePolicy(threshold=2, min_width=1, hide_small=False))
BANDS = {"age": [["0-19", "20-39"]]}


def survey(more: int = 0) -> LoadedTable:
    variables = [Variable("age", ("0-19", "20-39", "40+")), Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))]
    counts = np.array([5, 6, 7, 8, 9, 10, 11, 0, 13, 14, 15, 16 + more]).reshape(3, 2, 2)
    return LoadedTable(ContingencyTable.from_dense(counts, variables))


def ask(store: Store, names: list[str], merged: dict[str, list[list[str]]] | None = None) -> str:
    """Return what a released file holds."""
    request = MarginalRequest("t", names, LAX, by="ann", actor="ada", merged=merged or {})
    answer = answer_request(store, request, clock=time.monotonic)
    assert answer.marginal is not None
    return marginal_text(answer.marginal)


@pytest.fixture
def table(neo4j_connection: Connection) -> Store:
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection)
    Tables(store).add("t", survey(), source="f", actor="ada")
    return store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "released.csv"


def verify(store: Store, file: Path, text: str) -> VerifiedMarginal:
    file.write_text(text)
    return verify_released_marginal(store, "t", file)


def failed(store: Store, file: Path, text: str) -> list[str]:
    return [check.name for check in verify(store, file, text).verification.checks if not check.passed]


def test_a_released_file_holds_and_any_change_of_it_fails(table: Store, file: Path) -> None:
    text = ask(table, ["age", "sex"], BANDS)
    good = verify(table, file, text)
    assert good.verification.passed
    assert good.marginal == "age (0-19 + 20-39), sex"
    assert good.release is not None
    assert (good.release.by, good.release.entry) == ("ann", 2)
    header, *rows = text.splitlines()
    # saved again by a spreadsheet, its rows and columns in another order
    turned = [";".join(reversed(line.split(","))) for line in [header, *reversed(rows)]]
    assert failed(table, file, "\ufeff" + "\r\n".join(turned)) == []
    assert failed(table, file, "\n".join([header, *rows[1:]])) == ["rows"]
    assert failed(table, file, "\n".join([header, *rows, rows[0]])) == ["rows"]
    assert failed(table, file, "\n".join([header, *rows, "unknown,f,1"])) == ["rows"]
    one_more = rows[0].rpartition(",")[0] + ",27"
    assert failed(table, file, "\n".join([header, one_more, *rows[1:]])) == ["counts", "table"]
    assert failed(table, file, text.replace("count", "simulated_count")) == ["header"]
    # two counts exchanged, with the total kept
    swapped = [row.rpartition(",")[0] for row in rows]
    exchanged = [f"{a},{b.rpartition(',')[2]}" for a, b in zip(swapped, [rows[1], rows[0], *rows[2:]], strict=True)]
    assert failed(table, file, "\n".join([header, *exchanged])) == ["counts", "table"]


def test_what_follows_is_verified_and_what_was_not_released_is_compared_with_no_count(table: Store, file: Path) -> None:
    ask(table, ["age", "sex"], BANDS)
    follows = verify(table, file, "sex,count\nf,57\nm,57\n")
    assert follows.verification.passed
    assert (follows.follows_from, follows.release) == ("age (0-19 + 20-39), sex", None)
    assert failed(table, file, "sex,count\nf,58\nm,56\n") == ["counts", "table"]
    # of the true table, but finer than what was released
    for text in ("age,count\n0-19,26\n20-39,30\n40+,58\n", "ill,count\nno,60\nyes,54\n"):
        (check,) = verify(table, file, text).verification.checks
        assert (check.name, check.passed) == ("released", False)
    with pytest.raises(BadFile, match="line 1"):
        verify(table, file, "district,count\nNorth,3\n")
    with pytest.raises(BadFile, match="line 2"):
        verify(table, file, "sex,count\nf,5.5\n")


def test_the_version_of_the_data_is_told(table: Store, file: Path) -> None:
    old = ask(table, ["sex"])
    Tables(table).add("t", survey(more=2), source="f", actor="ada", new_version=True)
    new = ask(table, ["sex"])
    assert old != new
    assert [verify(table, file, text).versions for text in (old, new)] == [(1,), (2,)]
    ill, same = ask(table, ["ill", "age"]), verify(table, file, old)
    assert "version 1 of the data; the table has version 2 now" in same.verification.checks[0].text
    assert failed(table, file, ill) == []


def test_the_command(table: Store, file: Path, neo4j_settings: Settings) -> None:
    file.write_text(ask(table, ["sex", "ill"]))
    good = run_auditor(["--json", "table", "verify", "t", file], neo4j_settings.home)
    assert (good.code, good.json["passed"], good.json["release"]["by"]) == (0, True, "ann")
    file.write_text(file.read_text().replace("f,no", "f,yes"))
    assert run_auditor(["table", "verify", "t", file], neo4j_settings.home).code == 1
    file.write_text("a,b\n1,2\n")
    bad = run_auditor(["table", "verify", "t", file], neo4j_settings.home)
    assert (bad.code, bad.err.count("\n")) == (2, 1)
