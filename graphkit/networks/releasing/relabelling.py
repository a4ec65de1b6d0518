"""A network with changed edges under new vertex ids."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph


def relabel(graph: SimpleGraph, added: Ints, published: Ints, deleted: Ints | None = None) -> SimpleGraph:
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

    Notes
    -----
    Where the new ids are a random permutation, the order of the edges tells nothing: it follows from the new ids alone.
    """
    kept = graph.edges
    if deleted is not None and deleted.size:
        gone = deleted[:, 0] * graph.n + deleted[:, 1]
        kept = kept[~np.isin(kept[:, 0] * graph.n + kept[:, 1], gone)]
    return SimpleGraph.from_edges(published[np.concatenate((kept, added))], graph.n)
