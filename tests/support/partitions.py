"""Candidate sets by definition: every pair of vertices is compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import networkx as nx
import numpy as np

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets

__all__ = ["as_sets", "by_key", "cones", "ego_networks_match", "pairwise_sets", "to_networkx"]

Partition = set[frozenset[int]]


def to_networkx(graph: SimpleGraph) -> nx.Graph:
    """The same graph in another library."""
    other = nx.empty_graph(graph.n)
    other.add_edges_from(graph.edges.tolist())
    return other


def as_sets(sets: CandidateSets) -> Partition:
    """The sets of a partition, and a check that they are numbered without gaps."""
    numbers = sets.class_of[sets.class_of >= 0]
    assert set(numbers.tolist()) == set(range(sets.sizes().size))
    return {frozenset(np.flatnonzero(sets.class_of == number).tolist()) for number in range(sets.sizes().size)}


def by_key(keys: Sequence[Hashable]) -> Partition:
    """The sets of places that hold the same key."""
    return {frozenset(i for i, other in enumerate(keys) if other == key) for key in keys}


def pairwise_sets(n: int, alike: Callable[[int, int], bool]) -> Partition:
    """The sets of an equivalence relation."""
    return {frozenset(v for v in range(n) if alike(u, v)) for u in range(n)}


def ego_networks_match(graph: nx.Graph, u: int, v: int) -> bool:
    """Whether an isomorphism of ego networks maps one centre to the other, as VF2 finds out."""
    first, second = nx.ego_graph(graph, u), nx.ego_graph(graph, v)
    nx.set_node_attributes(first, {node: node == u for node in first}, "centre")
    nx.set_node_attributes(second, {node: node == v for node in second}, "centre")
    return bool(nx.is_isomorphic(first, second, node_match=lambda a, b: a["centre"] == b["centre"]))


def cones(*bases: SimpleGraph) -> SimpleGraph:
    """Vertices 0, 1, …, each adjacent to all of a graph of its own: the graphs become what is among its neighbours."""
    edges: list[tuple[int, int]] = []
    first = len(bases)
    for apex, base in enumerate(bases):
        edges += [(apex, first + v) for v in range(base.n)]
        edges += [(first + u, first + v) for u, v in base.edges.tolist()]
        first += base.n
    return SimpleGraph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), first)
