"""Hub fingerprints against shortest paths of another library."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks.attackers.hub_fingerprints import hub_fingerprint_sets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph
from tests.support.partitions import as_sets, to_networkx
from tests.support.strategies import graphs


@given(graph=graphs(max_n=12), hubs=st.integers(1, 5), distance=st.integers(1, 12))
@settings(max_examples=200, deadline=None)
def test_sets_are_equal_distances(graph: SimpleGraph, hubs: int, distance: int) -> None:
    other = to_networkx(graph)
    chosen = sorted(other, key=lambda v: (-other.degree[v], v))[:hubs]
    near = [nx.single_source_shortest_path_length(other, hub, cutoff=distance) for hub in chosen]
    prints = {v: tuple(lengths.get(v) for lengths in near) for v in other if v not in chosen}
    expected = {frozenset(v for v in prints if prints[v] == print_) for print_ in prints.values()}
    sets = hub_fingerprint_sets(graph, hubs, distance)
    assert as_sets(sets) == expected
    assert sets.class_of[chosen].tolist() == [-1] * len(chosen)
    assert sets.risk(2).n == graph.n - len(chosen)


@pytest.mark.parametrize(
    ("graph", "hubs", "classes"),
    [
        (nx.empty_graph(0), 3, []),
        (nx.empty_graph(4), 1, [3]),
        (nx.star_graph(5), 1, [5]),
        (nx.path_graph(5), 1, [1, 1, 2]),
        (nx.complete_graph(4), 2, [2]),
        (nx.complete_graph(3), 9, []),
    ],
    ids=["empty", "isolated", "star", "path", "complete", "all are hubs"],
)
def test_by_hand(graph: nx.Graph, hubs: int, classes: list[int]) -> None:
    sets = hub_fingerprint_sets(as_simple_graph(graph), hubs)
    assert sorted(sets.sizes().tolist()) == classes
    assert sets.below(2).size == classes.count(1)


def test_without_hubs_or_distance_there_is_no_knowledge() -> None:
    graph = as_simple_graph(nx.path_graph(3))
    with pytest.raises(InvalidInput, match="hubs"):
        hub_fingerprint_sets(graph, 0)
    with pytest.raises(InvalidInput, match="distance"):
        hub_fingerprint_sets(graph, 1, 0)
