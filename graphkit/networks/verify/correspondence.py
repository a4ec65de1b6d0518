"""A release seen with the vertices of the original: which edges are new, and which are gone."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify.file_checks import edge_keys


@dataclass(frozen=True, slots=True, eq=False)
class Correspondence:
    """The edges of a release against those of its original, in vertices of the original. Protected."""

    added: Ints
    """Shape (a, 2): in the release, not in the original."""
    deleted: Ints
    """Shape (d, 2): in the original, not in the release."""
    before: Ints
    """Degrees in the original, shape (n,)."""
    after: Ints
    """Degrees in the release, shape (n,)."""


def correspondence(edges: Ints, n: int, original: SimpleGraph | None, published: Ints | None) -> Correspondence | str:
    """Return a release in the vertices of its original, or why it cannot be seen that way.

    Parameters
    ----------
    edges : ndarray of int64, shape (m, 2)
        Edges of the release, a simple graph on the vertices 0 to n − 1.
    n : int
        Number of vertices.
    original : SimpleGraph or None
        What was protected.
    published : ndarray of int64, shape (n,), or None
        ``published[v]`` is the id under which vertex v of the original was published.
    """
    if original is None or published is None:
        return "the original or the relabelling is not at hand"
    if original.n != n or not np.array_equal(np.sort(published), np.arange(n)):
        return "the relabelling does not map the vertices one to one"
    vertex_of = np.empty(n, dtype=np.int64)
    vertex_of[published] = np.arange(n)
    released = vertex_of[edges]
    ours, theirs = np.sort(edge_keys(original.edges, n)), np.sort(edge_keys(released, n))
    return Correspondence(
        _pairs(_without(theirs, ours), n),
        _pairs(_without(ours, theirs), n),
        np.bincount(original.edges.ravel(), minlength=n),
        np.bincount(released.ravel(), minlength=n),
    )


def _without(keys: Ints, others: Ints) -> Ints:
    """Return the keys that are not among the others; both ascending."""
    if others.size == 0:
        return keys
    # a search in a sorted array needs less memory than np.isin, which sorts both together
    nearest = others[np.minimum(np.searchsorted(others, keys), others.size - 1)]
    kept: Ints = keys[nearest != keys]
    return kept


def _pairs(keys: Ints, n: int) -> Ints:
    return np.column_stack(np.divmod(keys, np.int64(max(n, 1))))
