"""Tables in a real store: what comes out is what went in, and what is out is never forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np
import pytest

from auditor.core.errors import AlreadyExists, BadInput, NotFound, StoreConflict, StoreCorrupt, StoreError
from auditor.formats.tables import LoadedTable
from auditor.store.opening import Store
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored import cells as table_cells
from auditor.subjects.tables.stored.history import read_history
from auditor.subjects.tables.stored.marginals import (
    CellBounds,
    StoredMarginal,
    read_marginal,
    read_released,
    write_marginal,
)
from auditor.subjects.tables.stored.releases import Releases
from auditor.subjects.tables.stored.rows import TableRow, lock_table, read_counts, read_row
from graphkit.errors import BrokenClaim
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.table_samples import loaded_table, same_table

pytestmark = pytest.mark.neo4j

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
T = TypeVar("T")

NAMES = [
    "survey",
    "Robert'); DROP TABLE students;--",
    'a"b`c\\d',
    "x'}) DETACH DELETE n //",
    "../../etc/passwd",
    "Ελλάδα 🜁 e\u0301",
    "n" * 200,
]
BAD_NAMES = ["", "  ", "a\nb", "a\x00b", "n" * 201, "\udce9", "table:a", "network:a"]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every table take several chunks."""
    monkeypatch.setattr(table_cells, "_CHUNK", 2)


def release(store: Store, name: str, *sets: tuple[int, ...]) -> None:
    """Let marginals of a table go out."""

    def work(tx: object) -> None:
        row = lock_table(tx, name)  # type: ignore[arg-type]
        table = read_counts(tx, row)  # type: ignore[arg-type]
        for axes in sets:
            counts = table.marginal(axes)
            out = StoredMarginal(axes, "released", AT, counts.cells, counts.counts)
            write_marginal(tx, row, out)  # type: ignore[arg-type]

    store.connection.write(work)


def write(store: Store, marginal: StoredMarginal) -> None:
    store.connection.write(lambda tx: write_marginal(tx, lock_table(tx, "t"), marginal))


def read(store: Store, axes: tuple[int, ...]) -> StoredMarginal | None:
    return within(store, "t", lambda tx, row: read_marginal(tx, row.data, axes))  # type: ignore[arg-type]


def within(store: Store, name: str, work: Callable[[object, TableRow], T]) -> T:
    """Return what `work` reads of a table in a transaction."""
    return store.connection.read_transaction(lambda tx: work(tx, read_row(tx, name)))


def history(store: Store, name: str) -> list[tuple[int, list[tuple[int, ...]]]]:
    found = within(store, name, lambda tx, row: read_history(tx, row))  # type: ignore[arg-type]
    return [(version.version, [marginal.axes for marginal in version.released]) for version in found]


@pytest.mark.parametrize("shape", [(2, 3, 2), (1,), (5,), (4, 4, 4), (1, 1)])
@pytest.mark.usefixtures("small_chunks")
def test_what_comes_out_is_what_went_in(store: Store, shape: tuple[int, ...]) -> None:
    loaded = loaded_table(1, shape)
    info, added = Tables(store).add("t", loaded, source="f.csv", actor="ada")
    assert (info.variables, info.version, info.source, info.released) == (loaded.table.variables, 1, "f.csv", 0)
    assert info.cells == loaded.table.size
    assert Tables(store).show("t") == info
    assert list(Tables(store).list()) == [info]
    assert same_table(Releases(store).state("t").table, loaded.table)
    assert not added.known
    assert not added.later


def test_a_large_table_comes_back(store: Store) -> None:
    variables = tuple(Variable(f"v{axis}", tuple(map(str, range(60)))) for axis in range(3))
    cells = np.arange(0, 60**3, 2)
    table = ContingencyTable(variables, cells, cells + 2**34)
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    assert same_table(Releases(store).state("t").table, table)
    assert store.connection.read("MATCH (c:AuditorTableChunk) RETURN count(c) AS n")[0]["n"] == 3


@pytest.mark.parametrize("name", NAMES)
def test_any_name_on_one_line_is_just_a_name(store: Store, name: str) -> None:
    Tables(store).add(name, loaded_table(1), source=name, actor=name)
    assert [info.name for info in Tables(store).list()] == [name]
    assert Tables(store).exists(name)
    with pytest.raises(AlreadyExists):
        Tables(store).add(name, loaded_table(1), source="f", actor="ada")
    Tables(store).remove(name, actor="ada")
    assert not Tables(store).exists(name)
    assert [entry.subject for entry in store.ledger.show()] == [f"table:{name}"] * 2
    assert store.ledger.verify().intact


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_before_anything_is_written(store: Store, name: str) -> None:
    with pytest.raises(BadInput):
        Tables(store).add(name, loaded_table(1), source="f", actor="ada")
    assert not Tables(store).exists(name)
    for ask in (Tables(store).show, Releases(store).state, Tables(store).released, Tables(store).overlaps):
        with pytest.raises(NotFound):
            ask(name)
    assert store.ledger.show() == []


def test_a_network_and_a_table_may_have_one_name(store: Store) -> None:
    from tests.support.store_samples import random_network

    Networks(store).add("twin", random_network(1), source="f", actor="ada")
    Tables(store).add("twin", loaded_table(1), source="f", actor="ada")
    about = store.connection.read("MATCH (e:AuditorEntry)-[:ABOUT]->(s) RETURN e.kind AS kind, labels(s) AS labels")
    assert {(record["kind"], *record["labels"]) for record in about} == {
        ("network_added", "AuditorNetwork"),
        ("table_added", "AuditorTable"),
    }


def test_the_ledger_tells_no_count(store: Store) -> None:
    loaded = loaded_table(1)
    Tables(store).add("t", loaded, source="f.csv", actor="ada")
    Tables(store).remove("t", actor="bob")
    removed, added = store.ledger.show()
    assert (added.kind, removed.kind) == ("table_added", "table_removed")
    payload = json.loads(added.payload)
    assert set(payload) == {"population", "version", "variables", "cells", "source", "known"}
    assert payload["variables"] == list(loaded.table.names)
    assert payload["cells"] == loaded.table.size
    assert set(json.loads(removed.payload)) == {"population", "version", "variables", "cells"}
    assert loaded.checksum not in added.payload + removed.payload
    linked = store.connection.read(
        "MATCH (e:AuditorEntry)-[:ABOUT]->(:AuditorRemovedTable {name: 't'}) RETURN count(e) AS n"
    )
    assert linked[0]["n"] == 2


@pytest.mark.usefixtures("small_chunks")
def test_removal_takes_the_counts_and_leaves_what_is_out(store: Store) -> None:
    loaded = loaded_table(1)
    Tables(store).add("t", loaded, source="f", actor="ada")
    release(store, "t", (0, 1))
    Tables(store).remove("t", actor="ada")
    (left,) = store.connection.read(
        "MATCH (d:AuditorTableData) RETURN d.cells AS cells, d.counts AS counts, d.held AS held"
    )
    assert dict(left) == {"cells": None, "counts": None, "held": False}
    owners = store.connection.read("MATCH (c:AuditorTableChunk) RETURN DISTINCT c.owner AS owner")
    assert [record["owner"].endswith(":0-1") for record in owners] == [True]
    with pytest.raises(NotFound):
        Tables(store).remove("t", actor="ada")
    for again in (Tables(store).show, Releases(store).state):
        with pytest.raises(NotFound):
            again("t")
    # the same data under another name, its rows in another order
    turned = LoadedTable(
        ContingencyTable.from_dense(loaded.table.dense()[::-1].T, _turned(loaded.table.variables)[::-1])
    )
    info, added = Tables(store).add("other", turned, source="g", actor="ada")
    assert (added.known, added.later, info.released, info.version) == (True, False, 1, 1)
    assert same_table(Releases(store).state("other").table, loaded.table), "positions mean what they meant"
    assert history(store, "other") == [(1, [(0, 1)])]
    (out,) = Tables(store).released("other")
    assert (out.names, out.released_at, out.simulated) == (loaded.table.names[:2], AT, False)


def _turned(variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
    first, *rest = variables
    return (Variable(first.name, first.categories[::-1]), *rest)


def test_two_names_of_one_data_have_one_history(store: Store) -> None:
    loaded = loaded_table(1)
    Tables(store).add("a", loaded, source="f", actor="ada")
    Tables(store).add("b", loaded, source="f", actor="ada")
    release(store, "a", (0,))
    release(store, "b", (1,))
    assert history(store, "a") == history(store, "b") == [(1, [(0,), (1,)])]
    assert Tables(store).show("a").revision == Tables(store).show("b").revision == 2
    Tables(store).remove("a", actor="ada")
    assert same_table(Releases(store).state("b").table, loaded.table)
    (overlap,) = Tables(store).overlaps("b")
    assert (overlap.name, overlap.removed, overlap.same_population) == ("a", True, True)
    assert store.connection.read("MATCH (d:AuditorTableData) RETURN count(d) AS n")[0]["n"] == 1


@pytest.mark.parametrize("removed", [False, True])
def test_other_data_under_an_old_name_need_a_word_and_go_on_with_its_history(store: Store, removed: bool) -> None:
    first, second = loaded_table(1), loaded_table(2, (3, 2))
    Tables(store).add("t", first, source="f", actor="ada")
    release(store, "t", (0,))
    if removed:
        Tables(store).remove("t", actor="ada")
    before = store.ledger.verify().entries
    with pytest.raises(AlreadyExists, match="--new-version"):
        Tables(store).add("t", second, source="g", actor="ada")
    assert store.ledger.verify().entries == before
    info, added = Tables(store).add("t", second, source="g", actor="ada", new_version=True)
    assert (info.version, info.released, added.known, added.later) == (2, 1, False, True)
    assert same_table(Releases(store).state("t").table, second.table)
    assert history(store, "t") == [(1, [(0,)]), (2, [])]
    release(store, "t", (0, 1))
    assert history(store, "t") == [(1, [(0,)]), (2, [(0, 1)])]
    # and back again
    with pytest.raises(AlreadyExists):
        Tables(store).add("t", first, source="f", actor="ada")
    info, added = Tables(store).add("t", first, source="f", actor="ada", new_version=True)
    assert (info.version, info.released, added.known) == (1, 2, True)
    assert same_table(Releases(store).state("t").table, first.table)
    assert store.ledger.verify().intact


def test_populations_are_not_mixed(store: Store) -> None:
    Tables(store).add("a", loaded_table(1), source="f", actor="ada")
    Tables(store).add("b", loaded_table(2, prefix="w"), source="f", actor="ada")
    for confirmed in (False, True):
        with pytest.raises(BadInput, match="another table"):
            Tables(store).add("b", loaded_table(1), source="f", actor="ada", new_version=confirmed)
    with pytest.raises(BadInput, match="never was"):
        Tables(store).add("c", loaded_table(3), source="f", actor="ada", new_version=True)
    assert [info.name for info in Tables(store).list()] == ["a", "b"]


def test_tables_that_share_a_variable_are_said(store: Store) -> None:
    whole = loaded_table(1)
    part = LoadedTable(whole.table.marginal([0, 2]))
    stranger = loaded_table(9, prefix="w")
    Tables(store).add("whole", whole, source="f", actor="ada")
    Tables(store).add("stranger", stranger, source="f", actor="ada")
    Tables(store).add("part", part, source="f", actor="ada")
    assert Tables(store).overlaps("stranger") == []
    (overlap,) = Tables(store).overlaps("part")
    assert (overlap.name, overlap.removed, overlap.same_population) == ("whole", False, False)
    assert overlap.variables == part.table.names
    assert "whole" in overlap.sentence
    # a removed table is not forgotten
    Tables(store).remove("whole", actor="ada")
    (overlap,) = Tables(store).overlaps("part")
    assert (overlap.name, overlap.removed) == ("whole", True)


@pytest.mark.usefixtures("small_chunks")
def test_marginals_are_read_as_they_were_written(store: Store) -> None:
    loaded = loaded_table(1)
    Tables(store).add("t", loaded, source="f", actor="ada")
    bounds = CellBounds(np.array([3, 1]), np.array([0, 2]), np.array([4, 2**40]), ("outer", "sharp"))
    counts = loaded.table.marginal([0, 2])
    written = [
        StoredMarginal((0, 2), "released", AT, counts.cells, counts.counts, simulated=True, bounds=bounds),
        StoredMarginal((1,), "refused"),
        StoredMarginal((0, 1), "undecided", bounds=bounds),
        StoredMarginal((), "none"),
    ]
    for marginal in written:
        write(store, marginal)
    found = [read(store, axes) for axes in ((), (1,), (0, 1), (0, 2))]
    assert [(m.axes, m.status, m.simulated) for m in found if m is not None] == [
        ((), "none", False),
        ((1,), "refused", False),
        ((0, 1), "undecided", False),
        ((0, 2), "released", True),
    ]
    (out,) = within(store, "t", lambda tx, row: read_released(tx, row.data))  # type: ignore[arg-type]
    assert out.cells is not None
    assert out.counts is not None
    assert np.array_equal(out.cells, counts.cells)
    assert np.array_equal(out.counts, counts.counts)
    assert out.released_at == AT
    for bounded in found[2:]:
        assert bounded is not None
        marginal = bounded
        assert marginal.bounds is not None
        assert marginal.bounds.upper.tolist() == [4, 2**40]
        assert marginal.bounds.status == ("outer", "sharp")
    one = read(store, (1,))
    assert one is not None
    assert one.bounds is None
    assert read(store, (2,)) is None
    # bounds of what is out may be renewed; nothing else of it
    other = StoredMarginal((0, 2), "released", AT, counts.cells, counts.counts + 1)
    write(store, other)
    again = read(store, (0, 2))
    assert again is not None
    assert again.bounds is None
    assert again.counts is not None
    assert np.array_equal(again.counts, counts.counts)
    with pytest.raises(BrokenClaim):
        write(store, StoredMarginal((0, 2), "refused"))
    assert Tables(store).show("t").revision == 1
    Tables(store).remove("t", actor="ada")
    left = store.connection.read("MATCH (m:AuditorMarginal) WHERE m.bound_cells IS NOT NULL RETURN count(m) AS n")
    assert left[0]["n"] == 0, "bounds tell which cells are sensitive"


def test_a_decision_about_what_has_changed_starts_over(store: Store) -> None:
    Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    seen = Tables(store).show("t").revision
    release(store, "t", (0,))
    with pytest.raises(StoreConflict):
        store.connection.write(lambda tx: lock_table(tx, "t", revision=seen))
    now = Tables(store).show("t").revision
    assert store.connection.write(lambda tx: lock_table(tx, "t", revision=now)).revision == now


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (d:AuditorTableData) SET d.counts = [1] + d.counts[1..]",
        "MATCH (d:AuditorTableData) SET d.cells = []",
        "MATCH (d:AuditorTableData) SET d.cells = [0] + [x IN d.cells[1..] | x - 1]",
        "MATCH (d:AuditorTableData) SET d.checksum = 'f00'",
        "MATCH (d:AuditorTableData) SET d.chunks = 3",
        "MATCH (d:AuditorTableData) REMOVE d.chunks",
    ],
)
def test_a_table_that_was_changed_behind_our_back_is_noticed(store: Store, damage: str) -> None:
    Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    store.connection.execute(damage)
    with pytest.raises(StoreCorrupt):
        Releases(store).state("t")


@pytest.mark.parametrize("step", ["add", "remove"])
def test_a_commit_that_nobody_was_told_of_is_not_done_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The driver runs the work again after a connection that was lost in the moment of the commit."""
    if step == "remove":
        Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    before = store.ledger.verify().entries
    write = store.connection.write
    monkeypatch.setattr(store.connection, "write", lambda work: [write(work), write(work)][1])
    if step == "add":
        Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    else:
        Tables(store).remove("t", actor="ada")
    assert store.ledger.verify().entries == before + 1
    assert Tables(store).exists("t") == (step == "add")


def test_a_failed_addition_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StoreError("no")

    monkeypatch.setattr(store.ledger, "append", broken)
    with pytest.raises(StoreError):
        Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    assert store.connection.read("MATCH (n) WHERE NOT n:AuditorStore RETURN count(n) AS left")[0]["left"] == 0
