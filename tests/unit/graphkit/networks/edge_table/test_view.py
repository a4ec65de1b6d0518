"""A view refuses what is no canonical edge table, and sends many vertices as a table."""

from __future__ import annotations

import ibis
import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table import EdgeTableView, check_canonical
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from tests.support.edge_tables import edge_table, view_of

CONNECTION = ibis.duckdb.connect(threads=1)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, 0)], "1 rows"),
        ([(1, 0)], "1 rows"),
        ([(0, 3)], "1 rows"),
        ([(-1, 0), (0, 9)], "2 rows"),
        ([(0, 1), (0, 1), (1, 2)], "1 edges occur more than once"),
    ],
)
def test_a_table_that_is_not_canonical_is_refused(edges: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        EdgeTableView(CONNECTION, edge_table(CONNECTION, np.array(edges)), 3)


@pytest.mark.parametrize(
    "columns", [{"low": [0], "end": [1]}, {"low": ["0"], "high": ["1"]}, {"low": [0.0], "high": [1.0]}]
)
def test_columns_must_be_integers_low_and_high(columns: dict[str, list[object]]) -> None:
    table = CONNECTION.create_table(ibis.util.gen_name("t"), ibis.memtable(columns))
    with pytest.raises(InvalidInput, match="integer columns low and high"):
        check_canonical(CONNECTION, table, 2)


def test_a_missing_end_is_refused() -> None:
    schema = {"low": "int64", "high": "int64"}
    table = CONNECTION.create_table(ibis.util.gen_name("t"), ibis.memtable([(0, None)], schema=schema), schema=schema)
    with pytest.raises(InvalidInput, match="1 rows"):
        check_canonical(CONNECTION, table, 2)


def test_thousands_of_vertices_are_asked_for_at_once() -> None:
    graph = SimpleGraph.from_edges(np.random.default_rng(2).integers(0, 20_000, (60_000, 2)), 20_000)
    view, memory = view_of(CONNECTION, graph), IgraphView.of(graph)
    vertices = np.random.default_rng(3).permutation(graph.n)[:10_000]
    assert np.array_equal(view.degrees(vertices), memory.degrees(vertices))
    assert np.array_equal(view.edges_among(vertices), memory.edges_among(vertices))
    for mine, theirs in zip(view.neighbours(vertices), memory.neighbours(vertices), strict=True):
        assert np.array_equal(mine, theirs)
