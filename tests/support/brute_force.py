"""Oracles that try everything, for tiny inputs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

import networkx as nx
import numpy as np

from graphkit.networks.graphs.graph import SimpleGraph

__all__ = ["all_graphs", "anonymizing", "anonymous_sequences", "minimum_edges", "sequence_demands"]


def anonymizing(graph: SimpleGraph, k: int) -> Iterator[np.ndarray]:
    """Yield the degrees after every set of new edges that makes the graph k-anonymous, the smallest sets first."""
    present = {tuple(edge) for edge in graph.edges.tolist()}
    absent = [pair for pair in combinations(range(graph.n), 2) if pair not in present]
    degrees = graph.degrees()
    for size in range(len(absent) + 1):
        for chosen in combinations(absent, size):
            after = degrees + np.bincount(np.array(chosen, dtype=int).ravel(), minlength=graph.n)
            _, sizes = np.unique(after, return_counts=True)
            if sizes.min() >= k:
                yield after


def minimum_edges(graph: SimpleGraph, k: int) -> int:
    """Return the least number of new edges that make the graph k-anonymous; the complete graph is, for n >= k."""
    return int((next(anonymizing(graph, k)) - graph.degrees()).sum()) // 2


def anonymous_sequences(blocks: list[int], k: int, maximum: int) -> set[tuple[int, ...]]:
    """Return all k-anonymous descending degree sequences, up to `maximum`, above the one with these blocks."""
    degrees = [d for d in range(len(blocks) - 1, -1, -1) for _ in range(blocks[d])]
    return {
        tuple(after)
        for after in combinations_with_replacement(range(maximum, -1, -1), len(degrees))
        if all(a >= b for a, b in zip(after, degrees, strict=True))
        and all(after.count(value) >= k for value in set(after))
    }


def sequence_demands(blocks: list[int], after: tuple[int, ...]) -> list[int]:
    """Return the demands, sorted to sorted, descending."""
    degrees = [d for d in range(len(blocks) - 1, -1, -1) for _ in range(blocks[d])]
    return sorted((a - b for a, b in zip(after, degrees, strict=True)), reverse=True)


@lru_cache(maxsize=1)
def _atlas() -> tuple[SimpleGraph, ...]:
    graphs = [g for g in nx.graph_atlas_g() if 2 <= g.number_of_nodes() <= 6]
    return tuple(SimpleGraph.from_edges(np.array(list(g.edges), dtype=int), g.number_of_nodes()) for g in graphs)


def all_graphs() -> Iterator[tuple[SimpleGraph, int]]:
    """Yield every graph with 2 to 6 vertices up to isomorphism, with every k from 2 to n."""
    for graph, k in product(_atlas(), range(2, 7)):
        if k <= graph.n:
            yield graph, k
