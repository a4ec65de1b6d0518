"""The undirected simple graph that files, store and engines hand to each other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.frames import FrameLibrary, frame_of_columns
from graphkit.parameters import is_whole

# a graph takes memory for each of its vertices; without a number of them the largest index claims it
_ALWAYS_ALLOWED = 1_000_000
_VERTICES_PER_EDGE = 64
# an arc is one number of 63 bits
_MOST = 1 << 31
_TOO_LARGE = (
    "the largest id is far above the number of edges, and each number up to it would be a vertex; pass the ids as text "
    "or in a frame with two columns, or number the vertices from 0"
)


@dataclass(frozen=True, slots=True, eq=False)
class SimpleGraph:
    """An undirected graph without loops and parallel edges, in canonical form.

    Parameters
    ----------
    n : int
        Number of vertices; they are ``0 .. n-1``.
    edges : ndarray of int64, shape (m, 2)
        Each edge once, low index first, rows in ascending lexicographic order.
        Use :func:`simplify` for anything that is not in this form yet.
    """

    n: int
    edges: Ints

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self.edges.shape[0])

    def degrees(self) -> Ints:
        """Degree of every vertex, shape (n,)."""
        return np.bincount(self.edges.ravel(), minlength=self.n).astype(np.int64, copy=False)

    def block_sequence(self) -> Ints:
        """Return how many vertices have each degree, shape (Δ+1,); empty without vertices."""
        return np.bincount(self.degrees())

    @classmethod
    def from_edges(cls, edges: ArrayLike, n: int | None = None) -> "SimpleGraph":
        """Return the graph of an edge array, dropping loops and repeated edges.

        Parameters
        ----------
        edges : array_like of int, shape (m, 2)
        n : int, optional
            Number of vertices; one more than the largest index by default.

        Raises
        ------
        InvalidInput
            If the array has another shape, holds anything but integers, a negative index or one of at least `n`.

        Examples
        --------
        >>> SimpleGraph.from_edges([(2, 0), (0, 2), (1, 1)], n=4).edges.tolist()
        [[0, 2]]
        """
        return simplify(edges, n)[0]

    def to_igraph(self) -> Any:
        """Return the graph as :class:`igraph.Graph`."""
        import igraph

        # igraph reads a list several times faster than an array
        return igraph.Graph(n=self.n, edges=self.edges.tolist())

    def to_networkx(self) -> Any:
        """Return the graph as :class:`networkx.Graph` on the nodes 0 to n − 1."""
        import networkx

        graph = networkx.Graph()
        graph.add_nodes_from(range(self.n))
        graph.add_edges_from(self.edges.tolist())
        return graph

    def to_scipy(self) -> Any:
        """Return the symmetric adjacency matrix as :class:`scipy.sparse.csr_array`."""
        from scipy.sparse import coo_array

        rows, columns = np.concatenate((self.edges, self.edges[:, ::-1])).T
        return coo_array((np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=(self.n, self.n)).tocsr()

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the edges as a frame of pandas, polars or pyarrow with the columns `source` and `target`.

        Isolated vertices are in no edge, so not in the frame: they are ``0 .. n-1`` as well.
        """
        return frame_of_columns({"source": self.edges[:, 0], "target": self.edges[:, 1]}, library)


@dataclass(frozen=True, slots=True)
class DroppedEdges:
    """What :func:`simplify` left out."""

    loops: int = 0
    duplicates: int = 0
    """Edges given more than once in the same direction."""
    reversed: int = 0
    """Edges given in both directions, counted once each."""


def simplify(edges: ArrayLike, n: int | None = None) -> tuple[SimpleGraph, DroppedEdges]:
    """Return the simple graph of an edge array and what had to be dropped for it.

    Parameters
    ----------
    edges : array_like of int, shape (m, 2)
        Vertex indices, any order, loops and repetitions allowed.
    n : int, optional
        Number of vertices; one more than the largest index by default.

    Raises
    ------
    InvalidInput
        As :meth:`SimpleGraph.from_edges`.

    Notes
    -----
    O(m log m) time, O(m) space.

    Examples
    --------
    >>> graph, dropped = simplify([(0, 1), (1, 0), (0, 1), (2, 2)])
    >>> graph.edges.tolist(), graph.n, dropped
    ([[0, 1]], 3, DroppedEdges(loops=1, duplicates=1, reversed=1))
    """
    array = _as_index_pairs(edges)
    largest = int(array.max()) if array.size else -1
    if array.size and int(array.min()) < 0:
        raise InvalidInput("an edge holds a negative vertex index; vertices are numbered from 0")
    if n is None:
        n = largest + 1
        if n > max(_ALWAYS_ALLOWED, _VERTICES_PER_EDGE * array.shape[0]):
            raise InvalidInput(_TOO_LARGE)
    elif n > _MOST:
        raise InvalidInput("a graph can have at most 2^31 vertices; give a smaller number of vertices")
    elif largest >= n:
        raise InvalidInput(f"an edge names vertex {largest} but the graph has {n} vertices (0 to {n - 1})")
    proper = array[array[:, 0] != array[:, 1]]
    loops = array.shape[0] - proper.shape[0]
    # one key an arc, its direction in the last bit, so that one sort serves both counts;
    # sorting int64 keys is an order of magnitude faster than np.unique, by hash or along an axis
    base = np.int64(max(n, 1))
    low, high = np.minimum(proper[:, 0], proper[:, 1]), np.maximum(proper[:, 0], proper[:, 1])
    arcs = _distinct(np.sort((low * base + high) * 2 + (proper[:, 0] > proper[:, 1])))
    keys = _distinct(arcs >> 1)
    simple = np.column_stack(np.divmod(keys, base)).astype(np.int64, copy=False)
    dropped = DroppedEdges(loops, proper.shape[0] - arcs.shape[0], arcs.shape[0] - keys.shape[0])
    return SimpleGraph(int(n), simple), dropped


def _distinct(ascending: Ints) -> Ints:
    return ascending[np.concatenate(([True], ascending[1:] != ascending[:-1]))] if ascending.size else ascending


def _as_index_pairs(edges: ArrayLike) -> Ints:
    array = np.asarray(edges)
    if array.ndim == 0:
        raise InvalidInput(
            f"edges must be a list of pairs or an array of shape (m, 2), not of type {type(edges).__name__}; "
            "pass list(edges)"
        )
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidInput(f"edges must have shape (m, 2), got {array.shape}")
    if array.dtype == object and all(map(is_whole, array.flat)):
        # a list with a number that no type of NumPy holds
        raise InvalidInput(_TOO_LARGE)
    if not np.issubdtype(array.dtype, np.integer):
        raise InvalidInput(f"edges must be integers, got {array.dtype}")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise InvalidInput(_TOO_LARGE)
    return array.astype(np.int64, copy=False)
