"""A set of given size and large value where pairs inside it count against it: members are exchanged one by one."""

import numpy as np

from graphkit.arrays import Bools, Ints


def exchanged(weights: Ints, adjacent: Bools, inside: Bools, most: int) -> Bools:
    """Return the set after exchanges that raise ``Σ w − m``, m the number of adjacent pairs inside the set.

    Parameters
    ----------
    weights : ndarray of int64, shape (n+s,)
    adjacent : ndarray of bool, shape (n, n)
        Symmetric, no vertex adjacent to itself; the last s vertices are adjacent to nobody.
    inside : ndarray of bool, shape (n+s,)
        The set to begin with.
    most : int
        Exchanges at most.

    Notes
    -----
    The member that adds least leaves, and who then adds most comes. O(n+s) for an exchange, after O(n²).

    Examples
    --------
    >>> path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> exchanged(np.array([1, 1, 2]), path, np.array([True, True, False]), 9).tolist()
    [True, False, True]
    """
    n, inside = adjacent.shape[0], inside.copy()
    gains = weights.copy()
    gains[:n] -= np.count_nonzero(adjacent[:, inside[:n]], axis=1)
    for _ in range(most):
        members, others = np.flatnonzero(inside), np.flatnonzero(~inside)
        if not members.size or not others.size:
            break
        leaving = members[gains[members].argmin()]
        better = gains[others]
        if leaving < n:
            # the one that leaves is beside nobody any more
            better[others < n] += adjacent[others[others < n], leaving]
        if better.max() <= gains[leaving]:
            break
        coming = others[better.argmax()]
        inside[[leaving, coming]] = False, True
        for vertex, step in ((leaving, 1), (coming, -1)):
            if vertex < n:
                gains[:n] += step * adjacent[vertex]
    return inside
