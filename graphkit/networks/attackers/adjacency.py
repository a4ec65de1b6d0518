"""The neighbours of every vertex in two arrays, and classes of vertices by what their neighbours look like."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.ordering import adjacency_lists


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """Neighbours of every vertex: those of v are ``targets[offsets[v]:offsets[v + 1]]``, ascending."""

    offsets: Ints
    targets: Ints

    @classmethod
    def of(cls, graph: SimpleGraph) -> "Adjacency":
        """Return the adjacency of a graph; O(m log m) time."""
        return cls(*adjacency_lists(graph.edges, graph.n))

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.offsets.size - 1

    def degrees(self) -> Ints:
        """Return the degree of every vertex."""
        return np.diff(self.offsets)

    def sources(self) -> Ints:
        """Return the vertex at which each arc begins, shape (2m,)."""
        return np.repeat(np.arange(self.n), self.degrees())

    def around(self, vertices: Ints) -> Ints:
        """Return the neighbours of some vertices, those of each in turn; a vertex may come more than once."""
        counts = self.offsets[vertices + 1] - self.offsets[vertices]
        # each arc's rank within its vertex, plus where that vertex begins
        ranks = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Ints = self.targets[np.repeat(self.offsets[vertices], counts) + ranks]
        return found


def multiset_classes(offsets: Ints, values: Ints) -> Ints:
    """Return classes of vertices that have the same multiset of values on their arcs.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n+1,)
        Where the arcs of each vertex begin.
    values : ndarray of int64, shape (2m,)
        A value of each arc, not negative.

    Notes
    -----
    Exact: multisets are compared, not hashes of them. O(m log m) time.

    Examples
    --------
    >>> multiset_classes(np.array([0, 2, 3, 5, 5]), np.array([7, 1, 4, 1, 7])).tolist()
    [0, 1, 0, 2]
    """
    return classes_of(multisets(offsets, values))


def multisets(offsets: Ints, values: Ints) -> Iterator[bytes]:
    """Yield the sorted values of each stretch between two offsets, as bytes."""
    base = int(values.max()) + 1 if values.size else 1
    owners = np.repeat(np.arange(offsets.size - 1), np.diff(offsets)) * base
    ordered = np.sort(owners + values) - owners
    return (ordered[a:b].tobytes() for a, b in pairwise(offsets.tolist()))


def classes_of(keys: Iterable[Hashable]) -> Ints:
    """Return the number of each key, equal keys the same, in the order in which they first appear.

    Examples
    --------
    >>> classes_of("abca").tolist()
    [0, 1, 2, 0]
    """
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
