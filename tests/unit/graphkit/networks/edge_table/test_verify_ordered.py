"""The check of a release that is read in order finds every way in which it may be wrong."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table import verify_ordered_edges
from graphkit.networks.verify import DegreeClaim, verify_release
from tests.support.strategies import graphs

Array = NDArray[np.int64]
# a cycle of six with two isolated vertices; the original lacks the last edge
EDGES = np.array([(2, 3), (2, 7), (3, 4), (4, 5), (5, 6), (6, 7)])
ORIGINAL = EDGES[[0, 2, 3, 4, 5]]
CLAIM = DegreeClaim(k=2, n=8)


def pieces(rows: Array, size: int) -> list[tuple[Array, Array]]:
    return [(rows[i : i + size, 0], rows[i : i + size, 1]) for i in range(0, len(rows), size)]


def failed(
    claim: DegreeClaim = CLAIM,
    edges: Any = EDGES,
    count: int = 6,
    vertices: Any = range(8),
    original: Any = ORIGINAL,
    wanted_count: int = 5,
    size: int = 2,
) -> list[str]:
    """The names of the checks that fail."""
    verification = verify_ordered_edges(
        claim,
        pieces(np.array(edges), size),
        count,
        vertices=None if vertices is None else [np.array(vertices)],
        wanted=None if original is None else pieces(np.array(original), 3),
        wanted_count=wanted_count,
    )
    return [check.name for check in verification.checks if not check.passed]


def with_row(row: tuple[int, int]) -> Array:
    rows = np.concatenate((EDGES, [row]))
    return rows[np.lexsort(rows.T[::-1])]


@pytest.mark.parametrize("size", [1, 2, 9])
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, []),
        ({"claim": DegreeClaim(k=3, n=8)}, ["k-anonymous"]),
        ({"claim": DegreeClaim(k=2, n=9)}, ["vertices"]),
        ({"edges": with_row((7, 7)), "count": 7}, ["simple"]),
        ({"edges": with_row((5, 6)), "count": 7}, ["simple"]),
        ({"edges": with_row((0, 8)), "count": 7}, ["simple"]),
        ({"edges": with_row((-1, 0)), "count": 7}, ["simple"]),
        ({"edges": with_row((0, 5)), "count": 7}, ["k-anonymous"]),
        ({"edges": EDGES[::-1]}, ["order"]),
        ({"edges": EDGES[:, ::-1]}, ["order"]),
        ({"count": 5}, ["size"]),
        ({"vertices": None}, ["vertices"]),
        ({"vertices": range(7)}, ["vertices"]),
        ({"vertices": [0, *range(8)]}, ["vertices"]),
        ({"vertices": range(1, 9)}, ["vertices"]),
        ({"original": None}, ["contains the original"]),
        ({"original": [(0, 1)], "wanted_count": 1}, ["contains the original"]),
        ({"original": [(2, 4)], "wanted_count": 1}, ["contains the original"]),
        ({"original": [*ORIGINAL.tolist(), (7, 8)], "wanted_count": 6}, ["contains the original"]),
        ({"original": ORIGINAL[:-1]}, ["contains the original"]),
    ],
    ids=str,
)
def test_every_fault_is_found(arguments: dict[str, Any], expected: list[str], size: int) -> None:
    assert failed(**arguments, size=size) == expected


@given(graph=graphs(min_n=1, max_n=7), data=st.data())
@settings(max_examples=15, deadline=None)
def test_it_agrees_with_the_check_in_memory(graph: Any, data: st.DataObject) -> None:
    published = np.array(data.draw(st.permutations(range(graph.n))))
    claim = DegreeClaim(k=data.draw(st.integers(1, 3)), n=graph.n)
    original = type(graph)(graph.n, graph.edges[:: data.draw(st.integers(1, 2))])

    def moved(edges: Array) -> Array:
        rows = np.sort(published[edges].reshape(-1, 2), axis=1)
        return rows[np.lexsort(rows.T[::-1])]

    edges, wanted = moved(graph.edges), moved(original.edges)
    in_memory = verify_release(claim, edges, np.arange(graph.n), original, published)
    found = failed(claim, edges, len(edges), range(graph.n), wanted, len(wanted), size=data.draw(st.integers(1, 4)))
    assert (found == []) == in_memory.passed


def test_more_vertices_than_can_be_compared_are_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot be verified"):
        failed(DegreeClaim(k=2, n=2**40))
