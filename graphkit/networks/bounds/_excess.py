"""What the positions behind a border demand beyond what a set of hubs could give them.

A vertex of degree D that is not adjacent to κ of a set, and that ends on D', can give the set κ at most: what exceeds
its key ``D + κ`` it has demanded of others. For any degrees that vertices end on, ``Σ max(D' − key, 0)`` is convex in
``D' − key``, so it is least where the highest D' has the highest key; and the D' are a sequence of groups, so the least
over those is a bound.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints, Words
from graphkit.kernels import compiled, in_place
from graphkit.networks.sequences.group_costs import UNREACHABLE
from graphkit.words import members_in, put


class Excess(NamedTuple):
    """The least sum of what exceeds the keys of the positions behind a border, for any degree of the group there."""

    keys: Ints
    """Descending, shape (p,)."""
    after: Ints
    """The least sum from each position on, shape (p+1,)."""
    k: int
    is_cut: bool
    """Whether more positions come behind these."""

    def at(self, goal: int) -> int:
        """Return the least sum where the first group ends on a degree. It rises with that."""
        return least_exceeding(self.keys, self.after, self.k, 0, goal, self.is_cut)


def least_goal(least: Callable[[int], int], wanted: int, lowest: int, highest: int) -> int:
    """Return the lowest of some degrees with which a least sum is that much, one more than the highest if none.

    Parameters
    ----------
    least : callable
        Returns the sum where the first group ends on a degree; it rises with that, as :meth:`Excess.at` does.
    wanted : int
    lowest, highest : int
        Of the degrees.
    """
    return lowest + bisect_left(range(lowest, highest + 1), wanted, key=least)


def excess_behind(degrees: Ints, keys: Ints, k: int, *, is_cut: bool) -> Excess:
    """Return what exceeds the keys behind a border. O(p·k).

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Of the positions behind the border, descending; they are in groups of k to 2k−1, raised at least to the degree
        of their first, the first group more if need be.
    keys : ndarray of int64, shape (q,)
        Of all vertices that may be behind it, descending, q ≥ p.
    k : int
    is_cut : bool
        Whether positions follow that are left out: what they exceed is not counted.

    Examples
    --------
    >>> behind = excess_behind(np.array([5, 3, 2, 2]), np.array([6, 4, 3, 3]), 2, is_cut=False)
    >>> behind.at(5), behind.at(7)  # the groups 5 5 | 2 2, and 7 7 | 2 2
    (1, 4)
    """
    after = exceeding(degrees, keys, k, is_cut)
    counted = after.size - 1
    return Excess(keys[:counted], after, k, is_cut or counted < degrees.size)


@compiled
def keys_beside(joinable: Words, degrees: Ints, outside: int, members: Bools, more: int) -> Ints:
    """Return the keys of all vertices but the hubs for a set of these, and so many more of whom nothing is known.

    Parameters
    ----------
    joinable : ndarray of uint64, shape (q, w)
        Which hubs each can be joined to, as bits.
    degrees : ndarray of int64, shape (q,)
    outside : int
        The highest degree of those who are not among these, and of whom nothing is known; −1 if there are none.
    members : ndarray of bool, shape (h,)
    more : int

    Returns
    -------
    ndarray of int64, shape (q,)
        Descending; those who are not among the q are as many as one likes.
    """
    chosen = np.zeros(joinable.shape[1], np.uint64)
    for v in range(members.size):
        put(chosen, v, members[v])
    keys = degrees + more
    for i in range(keys.size):
        for w in range(chosen.size):
            keys[i] += members_in(joinable[i, w] & chosen[w])
    keys = -np.sort(-keys)
    return np.maximum(keys, outside + members.sum() + more) if outside >= 0 else keys


@compiled
def exceeding(degrees: Ints, keys: Ints, k: int, is_cut: bool) -> Ints:
    """Return the least sum from each position on, each beginning a group, as far as anything exceeds the keys.

    Shape (c+1,) with c positions that count; parameters as for :func:`excess_behind`.
    """
    # nobody exceeds a key in a group on the degree of its first where the key of its last is as high
    last = degrees.size - 1
    while last >= 0 and degrees[last] <= keys[min(last + 2 * k - 2, degrees.size - 1)]:
        last -= 1
    stop = min(degrees.size, max(last + 2 * k, 2 * k - 1))
    after = np.zeros(stop + 1, np.int64)
    is_cut = is_cut or stop < degrees.size
    if not is_cut:
        after[max(stop - k + 1, 0) : stop] = UNREACHABLE
    for begin in range(last, -1, -1):
        after[begin] = least_exceeding(keys, after, k, begin, degrees[begin], is_cut)
    return after


@in_place
def least_exceeding(keys: Ints, after: Ints, k: int, begin: int, goal: int, is_cut: bool) -> int:
    """Return the least sum from a position on, the group that begins there raised to a degree."""
    least, total = int(UNREACHABLE), 0
    for end in range(begin + 1, begin + 2 * k):
        if end >= after.size:
            # what follows of that group is not counted
            return min(least, total) if is_cut else least
        total += max(goal - keys[end - 1], 0)
        if end - begin >= k:
            least = min(least, after[end] + total)
    return least
