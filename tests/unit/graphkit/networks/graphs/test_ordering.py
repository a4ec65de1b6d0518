"""Canonical edges, adjacency lists and groups are what plain Python makes of the same pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphkit.networks.graphs.ordering import adjacency_lists, canonical_edges, grouped

N = 8
arcs = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=25)


def as_array(pairs: list[tuple[int, int]]) -> np.ndarray:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@given(arcs)
def test_canonical_edges_are_sorted_pairs_in_sorted_order(pairs: list[tuple[int, int]]) -> None:
    assert canonical_edges(as_array(pairs)).tolist() == sorted(sorted(pair) for pair in pairs)


@given(arcs)
def test_neighbours_come_in_the_order_of_the_edges_first_those_that_a_vertex_precedes(
    pairs: list[tuple[int, int]],
) -> None:
    offsets, neighbours = adjacency_lists(as_array(pairs), N)
    assert [part.tolist() for part in np.split(neighbours, offsets[1:-1])] == [
        sorted([b for a, b in pairs if a == v] + [a for a, b in pairs if b == v]) for v in range(N)
    ]
    assert (offsets[0], offsets[-1]) == (0, 2 * len(pairs))


@given(arcs, st.integers(N, N + 2))
def test_groups_are_ascending_and_may_be_empty(pairs: list[tuple[int, int]], count: int) -> None:
    groups, values = as_array(pairs).T
    assert [part.tolist() for part in grouped(groups, values, count)] == [
        sorted(value for group, value in pairs if group == number) for number in range(count)
    ]


def test_no_groups_at_all() -> None:
    nothing = np.empty(0, dtype=np.int64)
    assert grouped(nothing, nothing, 0) == []
