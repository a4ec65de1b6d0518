"""The narrow interface through which an engine sees a graph.

Both phases of degree anonymization need the block sequence and the adjacency of a few
thousand vertices, never the whole graph. An engine that asks a :class:`GraphView`
therefore runs unchanged on a graph in memory, in a database or in an edge table, and
gives the same bits: every answer is in a canonical order.
"""

from typing import Protocol, runtime_checkable

from graphkit.arrays import Ints


@runtime_checkable
class GraphView(Protocol):
    """A simple undirected graph on vertices ``0 .. vertex_count-1``.

    The canonical order of vertices is their index. Arguments named `vertices` are
    arrays of distinct indices in any order; what an answer leaves out is empty, never an error.
    """

    @property
    def vertex_count(self) -> int:
        """Number of vertices n."""

    @property
    def edge_count(self) -> int:
        """Number of edges m."""

    def block_sequence(self) -> Ints:
        """Return b of shape (Δ+1,): ``b[d]`` vertices have degree d; (1,) without edges, (0,) without vertices."""

    def degrees(self, vertices: Ints) -> Ints:
        """Return the degree of each of `vertices`, same shape and order."""

    def vertices_of_degrees(self, degrees: Ints) -> list[Ints]:
        """Return, for each of `degrees`, the vertices of that degree, ascending. One query for all."""

    def edges_among(self, vertices: Ints) -> Ints:
        """Return the edges with both ends in `vertices`: shape (e, 2), low index first, lexicographic order."""

    def neighbours(self, vertices: Ints) -> list[Ints]:
        """Return, for each of `vertices`, its neighbours, ascending. One query for all."""

    def non_neighbours(self, vertices: Ints, degree: int, limit: int) -> Ints:
        """Return the first `limit` vertices of `degree`, ascending, outside `vertices` and adjacent to none of them."""
