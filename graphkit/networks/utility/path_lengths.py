"""Searches along shortest paths: from every vertex where that is quick, otherwise from a sample of them."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import compiled
from graphkit.networks.graphs.graph import SimpleGraph

_EXACT_VERTICES = 20_000
_EXACT_WORK = 400_000_000
"""Largest n·m for which a search from every vertex takes about a second."""


def is_searched_whole(n: int, m: int, sample: int) -> bool:
    """Whether a graph of n vertices and m edges is searched from every vertex instead of a sample of them."""
    return n <= sample or (n <= _EXACT_VERTICES and n * m <= _EXACT_WORK)


def inverse_distances(graph: SimpleGraph, sources: Ints) -> Floats:
    """Return for every vertex the sum of 1/distance to those sources that reach it, itself left out.

    Notes
    -----
    O(m) a source.

    Examples
    --------
    >>> inverse_distances(SimpleGraph.from_edges([(0, 1), (1, 2)], n=4), np.array([0, 1])).tolist()
    [1.0, 1.0, 1.5, 0.0]
    """
    sums = np.zeros(graph.n)
    for queue, counts in _searches(graph, sources):
        _add_inverse(queue, counts, sums)
    return sums


def distance_counts(graph: SimpleGraph, sources: Ints) -> Iterator[Ints]:
    """Yield for each source how many vertices lie at distance 0, 1, 2, … of it.

    Notes
    -----
    O(m) a source.
    """
    for _, counts in _searches(graph, sources):
        yield counts.copy()


def _searches(graph: SimpleGraph, sources: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each source the vertices that it reaches, nearest first, and how many lie at distance 0, 1, 2, ….

    Both are overwritten by the next search.
    """
    matrix = graph.to_scipy()
    starts, neighbours = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    queue, counts = np.empty(graph.n, dtype=np.int64), np.empty(graph.n, dtype=np.int64)
    seen_from = np.full(graph.n, -1, dtype=np.int64)
    for source in sources.tolist():
        levels, reached = _search(starts, neighbours, source, seen_from, queue, counts)
        yield queue[:reached], counts[:levels]


@compiled
def _search(starts: Ints, neighbours: Ints, source: int, seen_from: Ints, queue: Ints, counts: Ints) -> tuple[int, int]:
    """Search breadth first, write vertices and level sizes, and return the number of levels and of vertices."""
    queue[0] = source
    seen_from[source] = source
    head, tail, levels = 0, 1, 0
    while head < tail:
        end = tail
        counts[levels] = end - head
        levels += 1
        while head < end:
            vertex = queue[head]
            head += 1
            for i in range(starts[vertex], starts[vertex + 1]):
                other = neighbours[i]
                if seen_from[other] != source:
                    seen_from[other] = source
                    queue[tail] = other
                    tail += 1
    return levels, tail


@compiled
def _add_inverse(queue: Ints, counts: Ints, sums: Floats) -> None:
    """Add 1/d to the sum of every vertex at distance d of the first one."""
    position = 1
    for d in range(1, counts.size):
        for vertex in queue[position : position + counts[d]]:
            sums[vertex] += 1 / d
        position += counts[d]
