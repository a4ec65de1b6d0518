"""The vertices of highest degree, one by one, with the adjacency among them."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.graphs.graph_view import GraphView


@dataclass(frozen=True, slots=True, eq=False)
class HighDegreeCore:
    """The first vertices by descending degree (ties by index), as positions 0, 1, …"""

    vertices: Ints
    """Vertex indices of the graph, shape (c,)."""
    degrees: Ints
    """Their degrees, descending, shape (c,)."""
    joinable: Bools
    """Whether two positions are distinct and not adjacent, shape (c, c)."""

    @property
    def size(self) -> int:
        """Number of vertices c."""
        return int(self.vertices.size)

    def joinable_before(self) -> Ints:
        """Return how many of the first 0, 1, 2, … positions each can be joined to, shape (c, c+1)."""
        counts = np.cumsum(self.joinable, axis=1, dtype=np.int32)
        return np.concatenate((np.zeros((self.size, 1), dtype=np.int32), counts), axis=1)


def vertices_by_degree(view: GraphView, limit: int | None = None) -> tuple[Ints, Ints]:
    """Return the first vertices by descending degree (ties by index), all by default, and their degrees."""
    blocks = view.block_sequence()
    occupied = np.flatnonzero(blocks)[::-1]
    if limit is not None:
        occupied = occupied[: int(np.searchsorted(np.cumsum(blocks[occupied]), limit)) + 1]
    groups = view.vertices_of_degrees(occupied)
    vertices = np.concatenate(groups)[:limit] if groups else np.empty(0, dtype=np.int64)
    return vertices, np.repeat(occupied, blocks[occupied])[:limit]


def high_degree_core(view: GraphView, limit: int) -> HighDegreeCore:
    """Return the `limit` vertices of highest degree, all of them in a smaller graph.

    Notes
    -----
    Two queries to the view; O(c²) space.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> core = high_degree_core(as_view([(0, 1), (1, 2)]), limit=2)
    >>> core.vertices.tolist(), core.degrees.tolist(), core.joinable.any()
    ([1, 0], [2, 1], np.False_)
    """
    vertices, degrees = vertices_by_degree(view, limit)
    place = np.argsort(vertices, kind="stable")
    edges = view.edges_among(vertices)
    ends = place[np.searchsorted(vertices[place], edges)]
    joinable = ~np.eye(vertices.size, dtype=bool)
    joinable[ends[:, 0], ends[:, 1]] = joinable[ends[:, 1], ends[:, 0]] = False
    return HighDegreeCore(vertices, degrees, joinable)


def truncated_positions(block_sequence: Ints, core: HighDegreeCore, k: int) -> Ints:
    """Return the degrees of all positions, descending: the core, then the other blocks truncated to 5k.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> view = as_view([(0, 1), (0, 2), (0, 3)])
    >>> truncated_positions(view.block_sequence(), high_degree_core(view, limit=1), k=2).tolist()
    [3, 1, 1, 1]
    """
    outside = block_sequence - np.bincount(core.degrees, minlength=block_sequence.size)
    occupied = np.flatnonzero(outside)[::-1]
    rest = np.repeat(occupied, np.minimum(outside[occupied], 5 * k))
    return np.concatenate((core.degrees, rest)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """All vertices by descending degree: the highest ones one by one, of the others how many there are."""

    core: HighDegreeCore
    degrees: Ints
    """Degrees of all positions, descending, blocks outside the core truncated to 5k; shape (p,)."""
    k: int
    """Least size of a group."""

    @property
    def outside(self) -> int:
        """The highest degree outside the core, −1 where nobody is."""
        return int(self.degrees[self.core.size]) if self.degrees.size > self.core.size else -1

    @classmethod
    def of(cls, view: GraphView, k: int, limit: int) -> "Positions":
        """Return the positions of a graph with a core of `limit` vertices, or all of them in a smaller graph."""
        core = high_degree_core(view, limit)
        return cls(core, truncated_positions(view.block_sequence(), core, k), k)
