"""The one order that edges, neighbours and groups come in, whatever engine found them: same input, same bits."""

import numpy as np

from graphkit.arrays import Ints


def canonical_edges(edges: Ints) -> Ints:
    """Return edges low index first, in lexicographic order.

    Parameters
    ----------
    edges : ndarray of int64, shape (m, 2)
        Edges in any order and direction; none is dropped.

    Notes
    -----
    O(m log m) time.

    Examples
    --------
    >>> canonical_edges(np.array([[2, 1], [0, 2], [1, 0]])).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    edges = np.sort(edges, axis=1)
    return edges[np.lexsort((edges[:, 1], edges[:, 0]))]


def adjacency_lists(edges: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the neighbours of every vertex as offsets and neighbours.

    Parameters
    ----------
    edges : ndarray of int64, shape (m, 2)
        Each edge once, in either direction.
    n : int
        Number of vertices.

    Returns
    -------
    offsets : ndarray of int64, shape (n + 1,)
        The neighbours of v are ``neighbours[offsets[v]:offsets[v + 1]]``.
    neighbours : ndarray of int64, shape (2m,)
        Of each vertex ascending.

    Notes
    -----
    O(m log m) time.

    Examples
    --------
    >>> offsets, neighbours = adjacency_lists(np.array([[0, 1], [0, 2], [1, 2]]), 4)
    >>> offsets.tolist(), neighbours.tolist()
    ([0, 2, 4, 6, 6], [1, 2, 0, 2, 0, 1])
    """
    # sorting numbers is faster than sorting along them
    base = np.int64(max(n, 1))
    arcs = np.sort(np.concatenate((edges[:, 0] * base + edges[:, 1], edges[:, 1] * base + edges[:, 0])))
    return np.concatenate(([0], np.cumsum(np.bincount(edges.ravel(), minlength=n)))), arcs % base


def grouped(groups: Ints, values: Ints, count: int) -> list[Ints]:
    """Return for each group from 0 to `count`-1 its values, ascending.

    Parameters
    ----------
    groups, values : ndarray of int64, shape (s,)
        Pairs of a group and a value, in any order.
    count : int
        Number of groups.

    Examples
    --------
    >>> [values.tolist() for values in grouped(np.array([2, 0, 2]), np.array([5, 7, 3]), 3)]
    [[7], [], [3, 5]]
    """
    order = np.lexsort((values, groups))
    ends = np.cumsum(np.bincount(groups, minlength=count))
    return np.split(values[order], ends[:-1]) if count else []
