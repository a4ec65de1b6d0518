"""An edge table is normalised in the database as it would be in memory."""

from __future__ import annotations

from typing import Any

import ibis
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table import EdgeTable, normalise
from tests.support.edge_tables import edges_of

CONNECTION = ibis.duckdb.connect(threads=1)
IDS = {
    "small": st.integers(0, 6),
    "scattered": st.sampled_from([-(2**63), -5, 0, 3, 10**12, 2**63 - 1]),
    "text": st.sampled_from(["ann", "Bo", "zoë", "10", "9", "ann "]),
    "text of integers": st.sampled_from(["-3", "10", "9", "0", "123456789012345678"]),
}


def table_of(rows: list[tuple[Any, Any]], kind: str = "int64", other: str | None = None) -> Any:
    schema = {"a": kind, "b": other or kind}
    data = {"a": [row[0] for row in rows], "b": [row[1] for row in rows]}
    return CONNECTION.create_table(ibis.util.gen_name("rows"), ibis.memtable(data, schema=schema), schema=schema)


def in_memory(rows: list[tuple[Any, Any]], known: set[Any]) -> tuple[list[Any], list[tuple[int, int]], int]:
    """Ids in their order, edges and the number of loops, by definition."""
    ids = {end for row in rows for end in row} | known
    if all(isinstance(end, str) and end.lstrip("-").isdigit() for end in ids):
        ids, rows = {int(end) for end in ids}, [(int(one), int(other)) for one, other in rows]
    # code points order text as its UTF-8 bytes do
    order = sorted(ids)
    place = {end: number for number, end in enumerate(order)}
    pairs = {tuple(sorted((place[one], place[other]))) for one, other in rows if one != other}
    return order, sorted(pairs), sum(one == other for one, other in rows)


def check(graph: EdgeTable, rows: list[tuple[Any, Any]], known: set[Any]) -> None:
    order, edges, loops = in_memory(rows, known)
    assert graph.vertex_count == len(order)
    assert edges_of(CONNECTION, graph.edges) == edges
    assert (graph.edge_count, graph.loops) == (len(edges), loops)
    assert graph.repeated == len(rows) - loops - len(edges)
    if graph.ids is None:
        assert order == list(range(len(order)))
    else:
        assert edges_of(CONNECTION, graph.ids.select("vertex", "id")) == list(enumerate(order))


@pytest.mark.parametrize("kind", sorted(IDS))
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_ids_are_numbered_in_their_order(kind: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(IDS[kind], IDS[kind]), max_size=10))
    check(normalise(CONNECTION, table_of(rows, "string" if "text" in kind else "int64")), rows, set())


@pytest.mark.parametrize("kind", ["scattered", "text", "text of integers"])
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_listed_vertices_may_have_no_edges(kind: str, data: st.DataObject) -> None:
    known = data.draw(st.sets(IDS[kind], min_size=1))
    rows = data.draw(st.lists(st.tuples(*[st.sampled_from(sorted(known))] * 2), max_size=6))
    text = "text" in kind
    listed = ibis.memtable({"id": sorted(known)}, schema={"id": "string" if text else "int64"})
    vertices = CONNECTION.create_table(ibis.util.gen_name("ids"), listed)
    check(normalise(CONNECTION, table_of(rows, "string" if text else "int64"), vertices), rows, known)


def test_a_number_of_vertices_says_that_ids_are_numbers_from_0() -> None:
    graph = normalise(CONNECTION, table_of([(4, 0), (0, 4), (2, 2)]), 6)
    assert (graph.vertex_count, graph.ids, graph.loops, graph.repeated) == (6, None, 1, 1)
    assert edges_of(CONNECTION, graph.edges) == [(0, 4)]
    assert graph.view().block_sequence().tolist() == [4, 2]


def test_integers_beyond_63_bits_are_text() -> None:
    rows = [(2**63, 1), (1, 10)]
    graph = normalise(CONNECTION, table_of(rows, "uint64"))
    assert graph.ids is not None
    assert edges_of(CONNECTION, graph.ids.select("vertex", "id")) == [(0, "1"), (1, "10"), (2, str(2**63))]


@pytest.mark.parametrize(("one", "other"), [("int32", "int64"), ("uint64", "int8"), ("string", "int64")])
def test_columns_of_two_types_are_compared_as_one(one: str, other: str) -> None:
    rows: list[tuple[Any, Any]] = [("1" if one == "string" else 1, 2), ("2" if one == "string" else 2, 1)]
    graph = normalise(CONNECTION, table_of(rows, one, other))
    assert (graph.vertex_count, graph.edge_count, graph.repeated) == (2, 1, 1)


def test_no_rows_are_no_vertices() -> None:
    graph = normalise(CONNECTION, table_of([]))
    assert (graph.vertex_count, graph.edge_count) == (0, 0)
    assert graph.view().block_sequence().tolist() == []


@pytest.mark.parametrize(
    ("table", "vertices", "message"),
    [
        (table_of([(1, None)]), None, "an id is missing in 1 row;"),
        (table_of([("", "x")], "string"), None, "an id is missing in 1 row;"),
        (table_of([(0.5, 1.5)], "float64"), None, "must be integers or text"),
        (table_of([(0, 1)]).select("a"), None, "two columns"),
        (table_of([(0, 7)]), 5, "outside 0 to 4: 1;"),
        (table_of([(-1, 1)]), 5, "outside 0 to 4: 1;"),
        (table_of([("x", "y")], "string"), 5, "ids are text"),
        (table_of([(0, 1)]), table_of([(0, 0)]), "name 1 vertex that is not listed"),
        (table_of([(0, 1)]), table_of([(0, 0), (1, 0), (1, 0)]), "listed more than once among the vertices: 1;"),
        (table_of([(0, 1)]), table_of([(0, 0), (1, 0), (None, 0)]), "an id is missing in 1 row;"),
    ],
    ids=map(str, range(10)),
)
def test_what_is_no_edge_table_is_refused(table: Any, vertices: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        normalise(CONNECTION, table, vertices)


def test_the_numbers_are_those_of_the_reader_in_memory(tmp_path: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from auditor.formats.networks import read_network

    rng = np.random.default_rng(5)
    ends = rng.integers(-(2**60), 2**60, 40)[rng.integers(0, 40, (200, 2))]
    pq.write_table(pa.table({"source": ends[:, 0], "target": ends[:, 1]}), tmp_path / "ties.parquet")
    loaded = read_network(tmp_path / "ties.parquet")
    graph = normalise(CONNECTION, CONNECTION.read_parquet(tmp_path / "ties.parquet"))
    assert edges_of(CONNECTION, graph.edges) == [tuple(edge) for edge in loaded.graph.edges.tolist()]
    assert graph.ids is not None
    assert edges_of(CONNECTION, graph.ids.select("vertex", "id")) == list(enumerate(loaded.labels.tolist()))
