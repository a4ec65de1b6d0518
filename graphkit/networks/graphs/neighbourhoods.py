"""The neighbours of vertices that were asked for so far, as sets and in order."""

from collections.abc import Iterable

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph_view import GraphView


class Neighbourhoods:
    """Neighbours of the vertices of a view, each asked for once.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> near = Neighbourhoods(as_view([(0, 1), (1, 2)]))
    >>> near.fetch([0, 1])
    >>> sorted(near.of(1)), near.ordered(2).tolist()
    ([0, 2], [1])
    """

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self._found: dict[int, tuple[frozenset[int], Ints]] = {}

    def fetch(self, vertices: Iterable[int]) -> None:
        """Ask for the neighbours of several vertices at once."""
        missing = sorted(set(vertices) - self._found.keys())
        if missing:
            for v, near in zip(missing, self._view.neighbours(np.array(missing, dtype=np.int64)), strict=True):
                self._found[v] = frozenset(near.tolist()), near

    def of(self, v: int) -> frozenset[int]:
        """Return the neighbours of a vertex."""
        self.fetch([v])
        return self._found[v][0]

    def ordered(self, v: int) -> Ints:
        """Return the neighbours of a vertex, ascending."""
        self.fetch([v])
        return self._found[v][1]
