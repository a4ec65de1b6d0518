"""A graph in memory as an engine sees it, on igraph."""

from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.ordering import canonical_edges

_EMPTY = np.empty(0, dtype=np.int64)


class IgraphView:
    """:class:`~graphkit.networks.graphs.graph_view.GraphView` of an undirected simple :class:`igraph.Graph`.

    Parameters
    ----------
    graph : igraph.Graph
        Not copied; must not change while the view is used.

    Raises
    ------
    InvalidInput
        If the graph is directed or has loops or parallel edges.

    Examples
    --------
    >>> view = IgraphView.of(SimpleGraph.from_edges([(0, 1), (1, 2)]))
    >>> view.block_sequence().tolist()
    [0, 2, 1]
    """

    def __init__(self, graph: Any) -> None:
        if graph.is_directed():
            raise InvalidInput("the graph is directed; make it undirected first (Graph.as_undirected)")
        if not graph.is_simple():
            raise InvalidInput("the graph has loops or parallel edges; remove them first (Graph.simplify)")
        self._graph = graph
        self._degrees = np.array(graph.degree(), dtype=np.int64)
        self._by_degree = np.argsort(self._degrees, kind="stable")
        self._blocks = np.bincount(self._degrees) if self._degrees.size else _EMPTY
        self._ends = np.cumsum(self._blocks)

    @classmethod
    def of(cls, graph: SimpleGraph) -> "IgraphView":
        """Return the view of a simple graph."""
        return cls(graph.to_igraph())

    @property
    def vertex_count(self) -> int:
        """Number of vertices."""
        return int(self._graph.vcount())

    @property
    def edge_count(self) -> int:
        """Number of edges."""
        return int(self._graph.ecount())

    def block_sequence(self) -> Ints:
        """Return how many vertices have each degree, shape (Δ+1,)."""
        return self._blocks.copy()

    def degrees(self, vertices: Ints) -> Ints:
        """Return the degrees of the given vertices."""
        return self._degrees[vertices]

    def vertices_of_degrees(self, degrees: Ints) -> list[Ints]:
        """Return the blocks of the given degrees, each ascending."""
        return [self._block(int(d)) for d in degrees]

    def _block(self, degree: int) -> Ints:
        if not 0 <= degree < self._blocks.size:
            return _EMPTY
        end = int(self._ends[degree])
        return self._by_degree[end - int(self._blocks[degree]) : end]

    def edges_among(self, vertices: Ints) -> Ints:
        """Return the edges inside a set of vertices, canonical."""
        chosen = np.sort(vertices)
        if chosen.size == 0:
            return np.empty((0, 2), dtype=np.int64)
        inside = self._graph.induced_subgraph(chosen, implementation="create_from_scratch")
        edges = np.array(inside.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        return canonical_edges(chosen[edges])

    def neighbours(self, vertices: Ints) -> list[Ints]:
        """Return the neighbours of the given vertices, each ascending."""
        return [np.sort(np.array(self._graph.neighbors(int(v)), dtype=np.int64)) for v in vertices]

    def non_neighbours(self, vertices: Ints, degree: int, limit: int) -> Ints:
        """Return the first `limit` vertices of a degree outside `vertices` and adjacent to none of them."""
        excluded = np.zeros(self.vertex_count, dtype=bool)
        excluded[vertices] = True
        for near in self.neighbours(vertices):
            excluded[near] = True
        block = self._block(degree)
        return block[~excluded[block]][:limit]
