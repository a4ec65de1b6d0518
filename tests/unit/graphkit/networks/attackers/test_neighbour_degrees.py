"""The hierarchy of Hay et al. against its definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks.attackers import neighbour_degrees
from graphkit.networks.attackers.neighbour_degrees import neighbour_degree_sets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph
from tests.support.partitions import as_sets, by_key, to_networkx
from tests.support.strategies import graphs


def told(graph: nx.Graph, depth: int) -> list[Hashable]:
    """What H_depth tells of each vertex, written out."""
    known: dict[int, Hashable] = dict.fromkeys(graph, 0)
    for _ in range(depth):
        known = {v: frozenset(Counter(known[u] for u in graph[v]).items()) for v in graph}
    return [known[v] for v in graph]


@given(graph=graphs(max_n=10), depth=st.integers(0, 4), whole=st.integers(0, 5))
@settings(max_examples=250, deadline=None)
def test_each_depth_is_its_definition(graph: SimpleGraph, depth: int, whole: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbour_degrees, "_WHOLE_ROUNDS", whole)
        assert as_sets(neighbour_degree_sets(graph, depth)) == by_key(told(to_networkx(graph), depth))


@given(graph=graphs(max_n=10))
@settings(max_examples=100, deadline=None)
def test_the_end_is_where_nothing_changes(graph: SimpleGraph) -> None:
    sets = neighbour_degree_sets(graph, None)
    assert sets.undecided == 0
    assert as_sets(sets) == by_key(told(to_networkx(graph), graph.n + 1))


def test_a_long_path_is_followed_to_its_middle() -> None:
    sets = neighbour_degree_sets(as_simple_graph(nx.path_graph(2001)), None)
    distances = [min(v, 2000 - v) for v in range(2001)]
    assert as_sets(sets) == by_key_fast(distances)


@pytest.mark.parametrize("seed", range(6))
def test_sets_that_fall_apart_over_many_rounds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_degrees, "_WHOLE_ROUNDS", seed % 3)
    # a path with a hub that is tied to most of it: large parts are looked at, small ones are not
    rng = np.random.default_rng(seed)
    tree = nx.path_graph(60)
    tree.add_edges_from((60, int(v)) for v in rng.choice(np.arange(1, 59), 55, replace=False))
    graph = as_simple_graph(tree)
    for depth in (1, 2, 3, 5, 8, 13, None):
        rounds = 61 if depth is None else depth
        assert as_sets(neighbour_degree_sets(graph, depth)) == by_key(numbered(tree, rounds))


def numbered(graph: nx.Graph, depth: int) -> list[int]:
    """What H_depth tells of each vertex, as numbers: written out it would be too long."""
    known = dict.fromkeys(graph, 0)
    for _ in range(depth):
        told_now = {v: tuple(sorted(known[u] for u in graph[v])) for v in graph}
        names = {told_: i for i, told_ in enumerate(sorted(set(told_now.values())))}
        known = {v: names[told_now[v]] for v in graph}
    return [known[v] for v in sorted(graph)]


def by_key_fast(keys: list[int]) -> set[frozenset[int]]:
    sets: dict[int, set[int]] = {}
    for i, key in enumerate(keys):
        sets.setdefault(key, set()).add(i)
    return set(map(frozenset, sets.values()))


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
