"""Fresh vertex ids: neither position nor id may tell an added edge, a hub or the old order."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graph import SimpleGraph

__all__ = ["fresh_relabelling", "relabel"]


def fresh_relabelling(n: int) -> NDArray[np.int64]:
    """Return a random permutation, ``published[v]`` the new id of vertex v.

    Notes
    -----
    Sorts n keys of 64 bits from the operating system: uniform up to collisions of keys, of which there is one with
    probability below n²/2⁶⁵. No seed is involved, so nobody can draw it again.
    """
    keys = np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
    published = np.empty(n, dtype=np.int64)
    published[np.argsort(keys, kind="stable")] = np.arange(n)
    return published


def relabel(
    graph: SimpleGraph,
    added: NDArray[np.int64],
    published: NDArray[np.int64],
    deleted: NDArray[np.int64] | None = None,
) -> SimpleGraph:
    """Return the graph with the changed edges under new ids, edges sorted after relabelling.

    Parameters
    ----------
    graph : SimpleGraph
        The original.
    added : ndarray of int64, shape (s, 2)
        New edges, none of them in `graph`.
    published : ndarray of int64, shape (n,)
        New id of every vertex.
    deleted : ndarray of int64, shape (d, 2), optional
        Edges of `graph` that are left out, low index first.
    """
    kept = graph.edges
    if deleted is not None and deleted.size:
        gone = deleted[:, 0] * graph.n + deleted[:, 1]
        kept = kept[~np.isin(kept[:, 0] * graph.n + kept[:, 1], gone)]
    return SimpleGraph.from_edges(published[np.concatenate((kept, added))], graph.n)
