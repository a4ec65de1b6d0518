"""Vertices whose neighbours are neighbours of another one as well: they need not end above it."""

import numpy as np

from graphkit.arrays import Bools, Ints


def nested_pairs(adjacent: Bools) -> Ints:
    """Return pairs (u, v), each neighbour of u but v a neighbour of v, without those that follow from others.

    Parameters
    ----------
    adjacent : ndarray of bool, shape (n, n)
        Symmetric, nobody adjacent to itself.

    Returns
    -------
    ndarray of int64, shape (p, 2)
        The pairs of a partial order, transitively reduced; of vertices with the same neighbours the second is u.

    Notes
    -----
    *Statement.* Where any pair may be added and none deleted, there is a smallest set of new edges after which no such
    u has a higher degree than its v.

    *Proof.* If u ends δ > 0 higher, at least δ vertices other than v are adjacent to u and not to v afterwards; they
    were no neighbours of u before, so δ of these new edges can go to v instead, which exchanges the two degrees and
    leaves all others. Each exchange brings the degrees nearer to the order. ∎ O(n³).

    Examples
    --------
    >>> path = np.zeros((4, 4), dtype=np.bool_)
    >>> path[[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]] = True
    >>> nested_pairs(path).tolist()
    [[0, 1], [0, 2], [3, 1], [3, 2]]
    """
    n = adjacent.shape[0]
    only = adjacent.astype(np.float64) @ ~adjacent  # v itself counts as one of those that are not adjacent to v
    within = only - adjacent == 0
    above = within & (~within.T | np.triu(np.ones((n, n), dtype=np.bool_), 1))
    np.fill_diagonal(above, False)
    pairs: Ints = np.argwhere(above & ~(above.astype(np.float64) @ above > 0)).astype(np.int64)
    return pairs
