"""The hierarchy of Hay et al. against its definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks.attackers import neighbour_degrees
from graphkit.networks.attackers.neighbour_degrees import neighbour_degree_sets
from graphkit.networks.graph import SimpleGraph
from graphkit.networks.interchange import as_simple_graph
from tests.support.partitions import as_sets, by_key, to_networkx
from tests.support.strategies import graphs


def told(graph: nx.Graph, depth: int) -> list[Hashable]:
    """What H_depth tells of each vertex, written out."""
    known: dict[int, Hashable] = dict.fromkeys(graph, 0)
    for _ in range(depth):
        known = {v: frozenset(Counter(known[u] for u in graph[v]).items()) for v in graph}
    return [known[v] for v in graph]


@given(graph=graphs(max_n=10), depth=st.integers(0, 4))
@settings(max_examples=200, deadline=None)
def test_each_depth_is_its_definition(graph: SimpleGraph, depth: int) -> None:
    assert as_sets(neighbour_degree_sets(graph, depth)) == by_key(told(to_networkx(graph), depth))


@given(graph=graphs(max_n=10))
@settings(max_examples=100, deadline=None)
def test_the_end_is_where_nothing_changes(graph: SimpleGraph) -> None:
    sets = neighbour_degree_sets(graph, None)
    assert sets.undecided == 0
    assert as_sets(sets) == by_key(told(to_networkx(graph), graph.n + 1))


def test_a_long_path_is_cut_off_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_simple_graph(nx.path_graph(21))
    whole = neighbour_degree_sets(path, None)
    assert (whole.risk(2).classes, whole.undecided) == (11, 0)
    monkeypatch.setattr(neighbour_degrees, "_MOST_ROUNDS", 4)
    cut = neighbour_degree_sets(path, None)
    assert cut.risk(2).classes == 5
    assert cut.undecided == 21


@pytest.mark.parametrize(
    ("graph", "second"),
    [
        (nx.empty_graph(0), []),
        (nx.empty_graph(3), [3]),
        (nx.star_graph(4), [1, 4]),
        (nx.path_graph(6), [2, 2, 2]),
        (nx.complete_graph(5), [5]),
        (nx.disjoint_union(nx.path_graph(2), nx.star_graph(2)), [1, 2, 2]),
    ],
    ids=["empty", "isolated", "star", "path", "complete", "edge and star"],
)
def test_by_hand(graph: nx.Graph, second: list[int]) -> None:
    assert sorted(neighbour_degree_sets(as_simple_graph(graph)).sizes().tolist()) == second


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(InvalidInput, match="depth"):
        neighbour_degree_sets(as_simple_graph(nx.path_graph(2)), -1)
