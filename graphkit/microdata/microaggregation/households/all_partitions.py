"""The best partition of few households: all of them are tried."""

import numpy as np

from graphkit.arrays import Floats, Ints

MOST_TRIED = 10
"""Households: sets of them are counted by bits."""


def best_partition(means: Floats, sizes: Ints, k: int) -> Ints:
    """Return the groups of households of least loss with at least k records each.

    Parameters
    ----------
    means : ndarray of float, shape (m, d)
    sizes : ndarray of int, shape (m,)
        Records of every household; at least k together.
    k : int

    Returns
    -------
    ndarray of int, shape (m,)
        Group of every household.

    Notes
    -----
    O(3^m): for every set, the best group that its first household can be in, beside the best partition of the others.

    Examples
    --------
    >>> best_partition(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 3, 2, 1]), 3).tolist()
    [0, 1, 0, 1]
    """
    m = sizes.size
    cost = [_cost(means, sizes, k, members) for members in range(1 << m)]
    least, chosen = [0.0] + [np.inf] * ((1 << m) - 1), [0] * (1 << m)
    for left in range(1, 1 << m):
        first = left & -left
        others = rest = left ^ first
        while True:
            group = first | rest
            found = cost[group] + least[left ^ group]
            if found < least[left]:
                least[left], chosen[left] = found, group
            if not rest:
                break
            rest = (rest - 1) & others
    labels, left, number = np.empty(m, dtype=np.int64), (1 << m) - 1, 0
    while left:
        labels[_members(chosen[left], m)] = number
        left, number = left ^ chosen[left], number + 1
    return labels


def _members(bits: int, m: int) -> list[int]:
    return [one for one in range(m) if bits >> one & 1]


def _cost(means: Floats, sizes: Ints, k: int, bits: int) -> float:
    members = _members(bits, sizes.size)
    if int(sizes[members].sum()) < k:
        return float(np.inf)
    center = np.average(means[members], axis=0, weights=sizes[members])
    return float((sizes[members][:, None] * (means[members] - center) ** 2).sum())
