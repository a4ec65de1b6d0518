"""Any view with a few edges added: how an engine looks at its own intermediate result."""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import canonical_edges


class OverlayView:
    """:class:`~graphkit.networks.graphs.graph_view.GraphView` of a base view plus new edges.

    Parameters
    ----------
    base : GraphView
        Left as it is; it still answers every query.
    edges : ndarray of int64, shape (s, 2)
        New edges: no loop, no repetition, none in `base`. Low index first.

    Notes
    -----
    Works over every backend and costs O(s) memory. Overlays of overlays work; flatten them where they pile up.
    """

    def __init__(self, base: GraphView, edges: Ints) -> None:
        self._base = base
        self._edges = edges
        self._touched, gain = np.unique(edges, return_counts=True)
        self._before = base.degrees(self._touched)
        self._after = self._before + gain

    @property
    def vertex_count(self) -> int:
        """Number of vertices."""
        return self._base.vertex_count

    @property
    def edge_count(self) -> int:
        """Number of edges."""
        return self._base.edge_count + int(self._edges.shape[0])

    def block_sequence(self) -> Ints:
        """Return how many vertices have each degree."""
        base = self._base.block_sequence()
        blocks = np.zeros(max(base.size, int(self._after.max(initial=-1)) + 1), dtype=np.int64)
        blocks[: base.size] = base
        np.subtract.at(blocks, self._before, 1)
        np.add.at(blocks, self._after, 1)
        return np.trim_zeros(blocks, "b")

    def degrees(self, vertices: Ints) -> Ints:
        """Return the degrees of the given vertices."""
        result = self._base.degrees(vertices).copy()
        place, known = self._place(vertices)
        result[known] = self._after[place[known]]
        return result

    def _place(self, vertices: Ints) -> tuple[Ints, Bools]:
        """Return where vertices are among the touched ones, and which are."""
        if self._touched.size == 0:
            return np.zeros(vertices.shape, dtype=np.int64), np.zeros(vertices.shape, dtype=bool)
        place = np.minimum(np.searchsorted(self._touched, vertices), self._touched.size - 1)
        return place, self._touched[place] == vertices

    def vertices_of_degrees(self, degrees: Ints) -> list[Ints]:
        """Return the blocks of the given degrees, each ascending."""
        blocks = []
        for degree, block in zip(degrees.tolist(), self._base.vertices_of_degrees(degrees), strict=True):
            kept = block[~self._place(block)[1]]
            blocks.append(np.sort(np.concatenate((kept, self._touched[self._after == degree]))))
        return blocks

    def edges_among(self, vertices: Ints) -> Ints:
        """Return the edges inside a set of vertices, canonical."""
        chosen = np.sort(vertices)
        new = self._edges[np.isin(self._edges, chosen).all(axis=1)]
        return canonical_edges(np.concatenate((self._base.edges_among(vertices), new)))

    def neighbours(self, vertices: Ints) -> list[Ints]:
        """Return the neighbours of the given vertices, each ascending."""
        answer = []
        for v, near in zip(vertices.tolist(), self._base.neighbours(vertices), strict=True):
            ends = self._edges[(self._edges == v).any(axis=1)].ravel()
            answer.append(np.sort(np.concatenate((near, ends[ends != v]))))
        return answer

    def non_neighbours(self, vertices: Ints, degree: int, limit: int) -> Ints:
        """Return the first `limit` vertices of a degree outside `vertices` and adjacent to none of them."""
        block = self.vertices_of_degrees(np.array([degree]))[0]
        excluded = np.concatenate([vertices, *self.neighbours(vertices)])
        return block[~np.isin(block, excluded)][:limit]
