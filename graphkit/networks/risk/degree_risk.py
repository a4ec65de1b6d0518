"""How exposed the vertices of a network are to an attacker who knows a degree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.interchange import as_simple_graph
from graphkit.networks.risk.candidates import CandidateRisk, candidate_figures


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DegreeRisk(CandidateRisk):
    """Exposure of a network to an attacker who knows the degree of one vertex: the candidate sets are the blocks.

    Every field counts; none names a vertex. The block sequence and the curve of an
    original network are protected all the same: hubs can be rebuilt from them.
    """

    block_sequence: Ints
    """``block_sequence[d]`` vertices have degree d."""

    @property
    def blocks_below_k(self) -> int:
        """Non-empty blocks of fewer than k vertices."""
        return self.classes_below_k

    @property
    def edges(self) -> int:
        """Number of edges of the network."""
        return int((self.block_sequence * np.arange(self.block_sequence.size)).sum()) // 2

    @property
    def smallest_block(self) -> int:
        """Size of the smallest non-empty block: the largest k for which the network is k-anonymous; 0 without any."""
        return self.smallest_class


def degree_risk(block_sequence: ArrayLike, k: int) -> DegreeRisk:
    """Return the degree risk of a network.

    Parameters
    ----------
    block_sequence : array_like of int, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    k : int
        Required block size, at least 2.

    Raises
    ------
    InvalidInput
        If `k` is below 2 or a block size is negative.

    Notes
    -----
    O(Δ log Δ) time. A network without vertices is k-anonymous for every k.

    Examples
    --------
    >>> risk = degree_risk([0, 3, 1, 4], k=2)
    >>> risk.vertices_below_k, risk.smallest_block, risk.is_anonymous
    (1, 1, False)
    >>> risk.curve_k.tolist(), risk.curve_below.tolist()
    ([2, 4, 5], [1, 4, 8])
    """
    blocks = np.asarray(block_sequence, dtype=np.int64)
    if blocks.size and int(blocks.min()) < 0:
        raise InvalidInput("a block size is negative")
    return DegreeRisk(block_sequence=blocks, **candidate_figures(blocks, k))


def audit(graph: Any, k: int) -> DegreeRisk:
    """Return how exposed a graph is to an attacker who knows a degree.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, GraphView or array of int, shape (m, 2)
        The graph.
    k : int
        Required block size, at least 2.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or below 2, or the graph is directed or has loops or parallel edges.

    Examples
    --------
    >>> audit([(0, 1), (1, 2), (3, 4)], k=2).vertices_below_k
    1
    """
    if isinstance(graph, GraphView):
        return degree_risk(graph.block_sequence(), k)
    return degree_risk(as_simple_graph(graph).block_sequence(), k)


def is_k_anonymous(block_sequence: ArrayLike, k: int) -> bool:
    """Whether every block is empty or holds at least `k` vertices.

    Parameters
    ----------
    block_sequence : array_like of int, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d; of a graph ask ``audit(graph, k).is_anonymous``.
    k : int
        Required block size.

    Returns
    -------
    bool
        True for a network without vertices.

    Raises
    ------
    InvalidInput
        If it is no block sequence, such as a graph or its edges.

    Examples
    --------
    >>> is_k_anonymous([0, 3, 0, 4], 3), is_k_anonymous([0, 3, 1, 4], 3)
    (True, False)
    """
    blocks = np.asarray(block_sequence)
    # NumPy takes a networkx graph for the list of its nodes
    if hasattr(block_sequence, "nodes") or blocks.ndim != 1 or (blocks.size and blocks.dtype.kind not in "iu"):
        raise InvalidInput("is_k_anonymous takes a block sequence; of a graph ask audit(graph, k).is_anonymous")
    return bool(np.all((blocks == 0) | (blocks >= k)))
