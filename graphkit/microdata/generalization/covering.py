"""What recoded tuples cover: k records each, and each record covered k times."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from graphkit.arrays import Ints


def ring(codes: Ints, k: int) -> Ints:
    """Return a covering at once: records in lexicographic order, each tuple covers the next k, the last the first ones.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
    k : int
        At most n.

    Examples
    --------
    >>> ring(np.array([[2], [0], [1]]), 2).tolist()
    [[0, 1], [1, 2], [2, 0]]
    """
    n = codes.shape[0]
    order = np.lexsort(codes.T[::-1])
    covered = np.empty((n, k), dtype=np.int64)
    for step in range(k):
        covered[order, step] = np.roll(order, -step)
    return canonical(covered)


def canonical(rows: Ints) -> Ints:
    """Return a covering with every tuple at the record of its number, which it covers, first; the others rising.

    Parameters
    ----------
    rows : ndarray of int, shape (n, k)
        Each row has k different records, and each record is in k rows.

    Returns
    -------
    ndarray of int, shape (n, k)
        The same rows in an order in which each covers its own record. There is one: a k-regular bipartite graph has a
        perfect matching (König).

    Examples
    --------
    >>> canonical(np.array([[1, 2], [0, 2], [1, 0]])).tolist()
    [[0, 1], [1, 2], [2, 0]]
    """
    n, k = rows.shape
    own = np.arange(n)
    if not (rows[:, 0] == own).all():
        graph = csr_array((np.ones(n * k, dtype=np.int8), rows.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
        match = maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)
        ordered = np.empty_like(rows)
        ordered[match] = rows
        rows = ordered
    others = np.sort(np.where(rows == own[:, None], -1, rows), axis=1)
    others[:, 0] = own
    return others


def holders_of(rows: Ints) -> Ints:
    """Return the tuples that cover each record, rising, shape (n, k), of a covering.

    Examples
    --------
    >>> holders_of(np.array([[0, 1], [1, 2], [2, 0]])).tolist()
    [[0, 2], [0, 1], [1, 2]]
    """
    return np.ascontiguousarray((np.argsort(rows, axis=None, kind="stable") // rows.shape[1]).reshape(rows.shape))


def is_regular(covered: Ints) -> bool:
    """Whether every row has k different records, its own first, and every record is in k rows.

    Examples
    --------
    >>> is_regular(np.array([[0, 1], [1, 0]])), is_regular(np.array([[0, 1], [1, 1]]))
    (True, False)
    """
    n, k = covered.shape
    if not (covered[:, 0] == np.arange(n)).all() or covered.min() < 0 or covered.max() >= n:
        return False
    ordered = np.sort(covered, axis=1)
    return bool((ordered[:, 1:] != ordered[:, :-1]).all() and (np.bincount(covered.ravel(), minlength=n) == k).all())
