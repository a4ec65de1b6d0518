"""Erdős–Gallai against the definition, and with the graph against brute force."""

from itertools import chain, combinations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.sequences.graphic import advanced_deficit, erdos_gallai
from tests.support.strategies import graphs


def excess(demands: list[int], r: int) -> int:
    ordered = sorted(demands, reverse=True)
    return sum(ordered[:r]) - r * (r - 1) - sum(min(r, d) for d in ordered[r:])


@given(st.lists(st.integers(1, 9), min_size=1, max_size=14))
@settings(max_examples=400, deadline=None)
def test_the_deficit_is_the_largest_excess_over_all_r(demands: list[int]) -> None:
    test = erdos_gallai(np.bincount(demands))
    worst = max(excess(demands, r) for r in range(1, len(demands) + 1))
    assert test.deficit == worst
    assert test.r == next(r for r in range(1, len(demands) + 1) if excess(demands, r) == worst)
    assert (test.is_even and test.deficit <= 0) == nx.is_graphical(demands)


def test_no_demands_are_graphic() -> None:
    for nothing in (np.zeros(1, dtype=int), np.empty(0, dtype=int)):
        test = erdos_gallai(nothing)
        assert test.is_even
        assert test.deficit <= 0


def realizable(graph: SimpleGraph, demands: np.ndarray) -> bool:
    present = {tuple(edge) for edge in graph.edges.tolist()}
    absent = [pair for pair in combinations(range(graph.n), 2) if pair not in present]
    size = int(demands.sum()) // 2
    return any(
        np.array_equal(np.bincount(np.array(chosen, dtype=int).ravel(), minlength=graph.n), demands)
        for chosen in combinations(absent, size)
    )


@given(graph=graphs(min_n=2, max_n=6), data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_positive_advanced_deficit_proves_that_nothing_realizes_the_demands(
    graph: SimpleGraph, data: st.DataObject
) -> None:
    demands = np.array(data.draw(st.lists(st.integers(0, 3), min_size=graph.n, max_size=graph.n)))
    if demands.sum() % 2 or demands.sum() == 0:
        return
    vertices = np.flatnonzero(demands)
    view = IgraphView.of(graph)
    possible = realizable(graph, demands)
    every_subset = chain.from_iterable(combinations(range(graph.n), size) for size in range(1, graph.n + 1))
    for subset in every_subset:
        deficit = advanced_deficit(view, np.array(subset), vertices, demands[vertices])
        assert deficit <= 0 or not possible


def test_three_against_three_violates_no_subset_and_is_still_impossible() -> None:
    graph = SimpleGraph.from_edges([(u, v) for u in range(3) for v in range(3, 6)])
    demands = np.ones(6, dtype=np.int64)
    assert not realizable(graph, demands)
    for size in range(1, 7):
        for subset in combinations(range(6), size):
            assert advanced_deficit(IgraphView.of(graph), np.array(subset), np.arange(6), demands) <= 0
