"""Ego networks: sizes by counting, isomorphism by comparing every pair with another library."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.attackers import ego_nets
from graphkit.networks.attackers.adjacency import Adjacency
from graphkit.networks.attackers.ego_kernels import arc_supports
from graphkit.networks.attackers.ego_nets import ego_isomorphism_sets, ego_size_sets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph
from tests.support.partitions import as_sets, by_key, cones, ego_networks_match, pairwise_sets, to_networkx
from tests.support.strategies import graphs

ROOK = nx.cartesian_product(nx.complete_graph(4), nx.complete_graph(4))
SHRIKHANDE = nx.Graph(
    [
        ((i, j), ((i + a) % 4, (j + b) % 4))
        for i in range(4)
        for j in range(4)
        for a, b in ((0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3))
    ]
)


def renumbered(graph: nx.Graph | SimpleGraph, seed: int) -> SimpleGraph:
    simple = as_simple_graph(graph)
    order = np.random.default_rng(seed).permutation(simple.n)
    return SimpleGraph.from_edges(order[simple.edges], simple.n)


@given(graph=graphs(max_n=9))
@settings(max_examples=150, deadline=None)
def test_sizes_and_supports_are_counts(graph: SimpleGraph) -> None:
    other = to_networkx(graph)
    egos = [nx.ego_graph(other, v) for v in range(graph.n)]
    assert as_sets(ego_size_sets(graph)) == by_key([(len(e), e.number_of_edges()) for e in egos])
    adjacency = Adjacency.of(graph)
    common = [len(set(other[u]) & set(other[v])) for u, v in zip(adjacency.sources(), adjacency.targets, strict=True)]
    assert arc_supports(adjacency).tolist() == common


@given(graph=graphs(max_n=9))
@settings(max_examples=60, deadline=None)
def test_classes_are_the_isomorphism_classes(graph: SimpleGraph) -> None:
    other = to_networkx(graph)
    expected = pairwise_sets(graph.n, lambda u, v: ego_networks_match(other, u, v))
    found = ego_isomorphism_sets(graph)
    assert as_sets(found) == expected
    assert found.undecided == 0


@given(bases=st.lists(graphs(max_n=6), min_size=2, max_size=5), seed=st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_a_cone_is_what_lies_under_it(bases: list[SimpleGraph], seed: int) -> None:
    twins = [renumbered(base, seed + i) for i, base in enumerate(bases)]
    class_of = ego_isomorphism_sets(cones(*bases, *twins)).class_of[: 2 * len(bases)]
    assert class_of[: len(bases)].tolist() == class_of[len(bases) :].tolist()
    others = [to_networkx(base) for base in bases]
    for i, first in enumerate(others):
        for j, second in enumerate(others):
            assert (class_of[i] == class_of[j]) == nx.is_isomorphic(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), nx.cycle_graph(6)),
        (nx.complete_bipartite_graph(3, 3), nx.circular_ladder_graph(3)),
        (nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5)), nx.cycle_graph(9)),
        (ROOK, SHRIKHANDE),
    ],
    ids=["two triangles and a hexagon", "K33 and a prism", "C4 + C5 and C9", "rook and Shrikhande"],
)
def test_what_colour_refinement_cannot_tell_apart(first: nx.Graph, second: nx.Graph) -> None:
    kinds = [0, 1, 0, 1, 1]
    graph = cones(*(renumbered((first, second)[kind], seed) for seed, kind in enumerate(kinds)))
    exact = ego_isomorphism_sets(graph)
    apexes = exact.class_of[: len(kinds)]
    assert [int(number != apexes[0]) for number in apexes] == kinds
    assert exact.undecided == 0
    # beyond the limit they are one set, and it is said how many vertices that concerns
    coarse = ego_isomorphism_sets(graph, largest=first.number_of_nodes())
    assert len(set(coarse.class_of[: len(kinds)].tolist())) == 1
    assert coarse.undecided >= len(kinds)
    bound, truth = coarse.risk(4), exact.risk(4)
    assert bound.classes < truth.classes
    assert bound.vertices_below_k < truth.vertices_below_k
    assert bound.smallest_class >= truth.smallest_class


def test_regular_graphs_are_compared_by_canonical_form() -> None:
    cubic = [nx.random_regular_graph(3, 10, seed=seed) for seed in range(30)]
    found = ego_isomorphism_sets(cones(*map(as_simple_graph, cubic))).class_of[: len(cubic)]
    alike = [[nx.is_isomorphic(first, second) for second in cubic] for first in cubic]
    assert (found[:, None] == found[None, :]).tolist() == alike
    assert 2 < len(set(found.tolist())) < len(cubic)


@given(graph=graphs(max_n=9))
@settings(max_examples=60, deadline=None)
def test_beyond_the_limit_the_sets_only_grow(graph: SimpleGraph) -> None:
    exact, coarse = ego_isomorphism_sets(graph), ego_isomorphism_sets(graph, largest=0)
    whole = as_sets(coarse)
    assert all(any(small <= large for large in whole) for small in as_sets(exact))
    decided = np.isin(coarse.class_of, np.flatnonzero(coarse.sizes() == 1))
    assert coarse.undecided <= graph.n - int(decided.sum())
    assert (exact.candidates() <= coarse.candidates()).all()


def test_parts_give_the_same_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = as_simple_graph(nx.powerlaw_cluster_graph(300, 5, 0.9, seed=1))
    whole = ego_isomorphism_sets(graph)
    monkeypatch.setattr(ego_nets, "_CHUNK", 7)
    assert ego_isomorphism_sets(graph).class_of.tolist() == whole.class_of.tolist()


def test_numbering_does_not_matter() -> None:
    graph = as_simple_graph(nx.powerlaw_cluster_graph(300, 4, 0.9, seed=2))
    sizes = sorted(ego_isomorphism_sets(graph).sizes().tolist())
    assert sorted(ego_isomorphism_sets(renumbered(graph, 3)).sizes().tolist()) == sizes
    assert max(sizes) > 1


@pytest.mark.parametrize(
    ("graph", "classes"),
    [
        (nx.empty_graph(0), []),
        (nx.empty_graph(4), [4]),
        (nx.star_graph(5), [1, 5]),
        (nx.path_graph(6), [2, 4]),
        (nx.complete_graph(6), [6]),
        (nx.disjoint_union(nx.complete_graph(3), nx.empty_graph(2)), [2, 3]),
    ],
    ids=["empty", "isolated", "star", "path", "complete", "triangle and two alone"],
)
def test_by_hand(graph: nx.Graph, classes: list[int]) -> None:
    for sets in (ego_isomorphism_sets(as_simple_graph(graph)), ego_size_sets(as_simple_graph(graph))):
        assert sorted(sets.sizes().tolist()) == classes
