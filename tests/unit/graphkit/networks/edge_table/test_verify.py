"""The check of a released edge table finds every way in which it may be wrong."""

from __future__ import annotations

from typing import Any

import ibis
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table import verify_edge_table
from graphkit.networks.edge_table.vertices import as_table
from graphkit.networks.verify import DegreeClaim, verify_release
from tests.support.edge_tables import edge_table
from tests.support.strategies import graphs

CONNECTION = ibis.duckdb.connect(threads=1)
Array = NDArray[np.int64]

# a cycle of six with two isolated vertices, published in reverse; the original lacks the last edge
EDGES = np.array([(7, 6), (6, 5), (5, 4), (4, 3), (3, 2), (2, 7)])
ORIGINAL = np.array([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
IDS = np.arange(8)[::-1].copy()
CLAIM = DegreeClaim(k=2, n=8)


def table(columns: dict[str, Any]) -> Any:
    return CONNECTION.create_table(ibis.util.gen_name("t"), as_table(**columns))


def failed(
    claim: DegreeClaim = CLAIM,
    edges: Array = EDGES,
    count: int | None = None,
    vertices: Array | None = IDS,
    original: Array | None = ORIGINAL,
    published: Array | None = IDS,
) -> list[str]:
    """The names of the checks that fail."""
    verification = verify_edge_table(
        CONNECTION,
        claim,
        table({"source": edges[:, 0], "target": edges[:, 1]}),
        len(edges) if count is None else count,
        vertices=None if vertices is None else table({"id": vertices}),
        original=None if original is None else edge_table(CONNECTION, original),
        published=None if published is None else table({"vertex": np.arange(len(published)), "published": published}),
    )
    return [check.name for check in verification.checks if not check.passed]


def with_row(row: tuple[int, int]) -> Array:
    return np.concatenate((EDGES, np.array([row])))


def test_a_right_release_passes() -> None:
    assert failed() == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"claim": DegreeClaim(k=3, n=8)}, ["k-anonymous"]),
        ({"claim": DegreeClaim(k=2, n=9)}, ["vertices"]),
        ({"edges": with_row((7, 7)), "count": 7}, ["simple"]),
        ({"edges": with_row((6, 7)), "count": 7}, ["simple"]),
        ({"edges": with_row((0, 8)), "count": 7}, ["simple"]),
        ({"edges": with_row((-1, 0)), "count": 7}, ["simple"]),
        ({"edges": with_row((0, 5)), "count": 7}, ["k-anonymous"]),
        ({"count": 5}, ["size"]),
        ({"vertices": None}, ["vertices"]),
        ({"vertices": IDS[:-1]}, ["vertices"]),
        ({"vertices": np.append(IDS, 3)}, ["vertices"]),
        ({"vertices": IDS + 1}, ["vertices"]),
        ({"original": None}, ["contains the original"]),
        ({"published": None}, ["contains the original"]),
        ({"published": np.arange(8)}, ["contains the original"]),
        ({"published": IDS[:-1]}, ["contains the original"]),
        ({"published": np.array([7, 6, 5, 4, 3, 2, 1, 1])}, ["contains the original"]),
        ({"original": np.array([(0, 2)])}, ["contains the original"]),
        ({"original": np.array([(0, 1), (0, 9)])}, ["contains the original"]),
    ],
    ids=str,
)
def test_every_fault_is_found(arguments: dict[str, Any], expected: list[str]) -> None:
    assert failed(**arguments) == expected


@given(graph=graphs(min_n=1, max_n=7), data=st.data())
@settings(max_examples=8, deadline=None)
def test_it_agrees_with_the_check_in_memory(graph: Any, data: st.DataObject) -> None:
    published = np.array(data.draw(st.permutations(range(graph.n))))
    claim = DegreeClaim(k=data.draw(st.integers(1, 3)), n=graph.n)
    edges = published[graph.edges]
    original = type(graph)(graph.n, graph.edges[:: data.draw(st.integers(1, 2))])
    in_memory = verify_release(claim, edges, np.arange(graph.n), original, published)
    found = failed(claim, edges, None, np.arange(graph.n), original.edges, published)
    assert (found == []) == in_memory.passed


@pytest.mark.parametrize(
    "columns", [{"source": ["0"], "target": ["1"]}, {"source": [0]}, {"a": [0], "b": [1], "c": [1]}]
)
def test_what_is_no_pair_of_numbers_fails(columns: dict[str, list[Any]]) -> None:
    written = CONNECTION.create_table(ibis.util.gen_name("t"), ibis.memtable(columns))
    verification = verify_edge_table(CONNECTION, DegreeClaim(k=2, n=2, supergraph=False), written, 1)
    assert [check.name for check in verification.checks if not check.passed] == ["simple"]


def test_more_vertices_than_can_be_compared_are_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot be verified"):
        failed(DegreeClaim(k=2, n=2**40))


def test_no_edges_are_one_block() -> None:
    nothing = np.empty((0, 2), dtype=np.int64)
    assert failed(DegreeClaim(k=3, n=3), nothing, 0, np.arange(3), nothing, np.arange(3)) == []
    assert failed(DegreeClaim(k=4, n=3), nothing, 0, np.arange(3), nothing, np.arange(3)) == ["k-anonymous"]
