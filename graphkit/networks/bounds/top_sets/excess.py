"""What the positions behind a border demand beyond what a set of hubs could give them."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled, in_place

_UNREACHABLE = 1 << 60


class Excess(NamedTuple):
    """The least sum of what exceeds the keys of the positions behind a border, for any degree of the group there.

    A vertex of degree D that at most κ of a set are not adjacent to, and that ends on D', has demanded ``D' − D − κ``
    of others, if that is above 0: what exceeds its key ``D + κ``.
    """

    degrees: Ints
    """Of the positions from the border on, as far as anything exceeds their keys, descending, shape (p,)."""
    keys: Ints
    """Descending as well, shape (p,): the least sum is that of the highest degrees with the highest keys."""
    after: Ints
    """The least sum from each of them on, shape (p+1,)."""
    k: int
    is_cut: bool
    """Whether more positions come behind these."""

    def at(self, goal: int) -> int:
        """Return the least sum where the first group ends on a degree. It rises with that."""
        return int(_from(self.degrees, self.keys, self.after, (self.k, 0, goal), self.is_cut))

    def least_goal(self, wanted: int, lowest: int, highest: int) -> int:
        """Return the lowest of some degrees with which the sum is that much, one more than the highest if none."""
        if self.at(lowest) >= wanted:
            return lowest
        while lowest <= highest:
            middle = (lowest + highest) // 2
            if self.at(middle) >= wanted:
                highest = middle - 1
            else:
                lowest = middle + 1
        return lowest


def excess_behind(degrees: Ints, keys: Ints, k: int, *, is_cut: bool) -> Excess:
    """Return what exceeds the keys behind a border.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Of the positions behind the border, descending; they are in groups of k to 2k−1, raised at least to the degree
        of their first, the first group more if need be.
    keys : ndarray of int64, shape (q,)
        Of all vertices that may be behind it, q ≥ p.
    k : int
    is_cut : bool
        Whether positions follow that are left out: what they exceed is not counted.

    Notes
    -----
    For any degrees that the vertices behind end on, ``Σ max(D' − key, 0)`` is convex in D' − key, so it is least where
    the highest D' has the highest key; and D' is a sequence of groups, so the least over those is a bound. O(p·k).

    Examples
    --------
    >>> behind = excess_behind(np.array([5, 3, 2, 2]), np.array([4, 6, 3, 3]), 2, is_cut=False)
    >>> behind.at(5), behind.at(7)  # the groups 5 5 | 2 2, and 7 7 | 2 2
    (1, 4)
    """
    keys = np.sort(keys)[::-1][: degrees.size]
    # in groups on the degree of their first, nobody exceeds a key where that of the last one is as high
    last = np.minimum(np.arange(degrees.size) + 2 * k - 2, degrees.size - 1)
    exceeding = np.flatnonzero(degrees > keys[last])
    ends = 2 * k - 1 if exceeding.size == 0 else int(exceeding[-1]) + 2 * k
    if ends < degrees.size:
        degrees, keys, is_cut = degrees[:ends], keys[:ends], True
    degrees, keys = np.ascontiguousarray(degrees), np.ascontiguousarray(keys)
    return Excess(degrees, keys, _all_from(degrees, keys, k, is_cut), k, is_cut)


@in_place
def _from(degrees: Ints, keys: Ints, after: Ints, group: tuple[int, int, int], is_cut: bool) -> int:
    """Return the least sum from a position on, of groups of k or more, the first raised to a degree."""
    k, begin, goal = group
    least, total = _UNREACHABLE, 0
    for end in range(begin + 1, begin + 2 * k):
        if end > degrees.size:
            # what follows of that group is not counted
            return min(least, total) if is_cut else least
        total += max(goal - keys[end - 1], 0)
        if end - begin >= k:
            least = min(least, after[end] + total)
    return least


@compiled
def _all_from(degrees: Ints, keys: Ints, k: int, is_cut: bool) -> Ints:
    after = np.full(degrees.size + 1, _UNREACHABLE, np.int64)
    after[degrees.size] = 0
    for begin in range(degrees.size - 1, -1, -1):
        after[begin] = _from(degrees, keys, after, (k, begin, degrees[begin]), is_cut)
    return after
