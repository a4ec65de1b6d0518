"""How far all vertices are from all others, searched from 64 of them at once."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import compiled
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.words import members_in


class AllDistances(NamedTuple):
    """What the figures need of the distances between all pairs."""

    counts: Ints
    """How many ordered pairs lie at distance 0, 1, 2, …."""
    inverse: Floats
    """Shape (n,): for every vertex the sum of 1/distance to all others that it reaches."""


def all_distances(graph: SimpleGraph) -> AllDistances:
    """Return the distances of all pairs, added up.

    Notes
    -----
    Breadth first from 64 vertices together: a bit each in one word of every vertex, so that vertices which several
    sources reach at the same distance are looked at once. O(n·m) at worst, as one after the other; a few times less
    where distances are short.

    References
    ----------
    Then et al. 2014, "The more the merrier: efficient multi-source graph traversal".

    Examples
    --------
    >>> found = all_distances(SimpleGraph.from_edges([(0, 1), (1, 2)], n=4))
    >>> found.counts.tolist(), found.inverse.tolist()
    ([4, 4, 2], [1.5, 2.0, 1.5, 0.0])
    """
    matrix = graph.to_scipy()
    counts, inverse = np.zeros(graph.n + 1, dtype=np.int64), np.zeros(graph.n)
    _search_all(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), counts, inverse)
    return AllDistances(np.trim_zeros(counts, "b"), inverse)


@compiled
def _search_all(starts: Ints, neighbours: Ints, counts: Ints, inverse: Floats) -> None:
    n = inverse.size
    seen, now, then = np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.uint64)
    queue, touched = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for first in range(0, n, 64):
        size = min(64, n - first)
        seen[:] = 0
        for bit in range(size):
            queue[bit] = first + bit
            now[first + bit] = seen[first + bit] = np.uint64(1) << np.uint64(bit)
        counts[0] += size
        d = 0
        while size:
            d += 1
            found = 0
            for vertex in queue[:size]:
                for other in neighbours[starts[vertex] : starts[vertex + 1]]:
                    if not then[other]:
                        touched[found] = other
                        found += 1
                    then[other] |= now[vertex]
            size = 0
            for vertex in touched[:found]:
                new = then[vertex] & ~seen[vertex]
                then[vertex] = 0
                if new:
                    seen[vertex] |= new
                    now[vertex] = new
                    queue[size] = vertex
                    size += 1
                    sources = members_in(new)
                    counts[d] += sources
                    inverse[vertex] += sources / d
