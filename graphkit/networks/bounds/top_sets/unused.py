"""What the positions behind a border demand beyond what a set could give them, and what they leave of it, in one sum.

Where the highest vertices ask for nearly all that others can give them, it is not enough that few of these demand
more: each that demands less leaves partners unused, and the highest ones have few to spare.
"""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.sequences.group_costs import UNREACHABLE

_QUARTERS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
"""Multipliers that are tried, in quarters."""
_SCALE = 4
_CELLS = 1_000
"""Positions times degrees that are looked at in the time of one edge of a linear program."""


class Unused:
    """The least sum of what exceeds and of what is left, with a multiplier, for any degree of the group there.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Of all positions behind the border, descending.
    highest, lowest : ndarray of int64, shape (p,)
        Most and least of ``D + a`` of the vertex that has the i-th greatest of those behind, a the number of vertices
        of the set that it is not adjacent to; each descending.
    k : int
        Least size of a group.
    most : int
        The highest degree that is asked for.

    Notes
    -----
    *Statement.* Let R be vertices before a border s, U what they leave, ``Σ_R (n − 1 − D')`` or more, and let i behind
    it end on D'_i, be joined to g_i of R and demand d_i. For every λ ≥ 0,

    ``Σ (d_i − g_i) ≥ Σ [max(D'_i − D_i − a_i, 0) + λ·max(D_i + a_i − D'_i, 0)] − λ·U``.

    *Proof.* Of the a_i pairs of i with R that are not adjacent g_i become so. All others, ``Σ (a_i − g_i)``, are still
    not adjacent in the end, and of such pairs R is in U at most. So the left side is at least ``Σ [(d_i − g_i) +
    λ·(a_i − g_i)] − λ·U``, and g_i is at most d_i and a_i. ∎

    Both parts are convex in ``D' − (D + a)``, so each is least where the highest D' has the greatest ``D + a``, and the
    D' are groups of k or more, none below the degree of its first position: what :func:`least_sums` returns is no
    more than the sum. It is concave in λ, so the best λ is found by going uphill. That the group behind the border may
    end higher than is asked for makes it rise with that degree, whatever λ.
    """

    def __init__(self, degrees: Ints, highest: Ints, lowest: Ints, k: int, most: int) -> None:
        self._degrees, self._highest, self._lowest, self._k = degrees, highest, lowest, k
        # from the greatest D + a on each degree costs no less than the one below, so no group is better off there
        self._first, self._last = int(degrees[-1]), max(most, int(degrees[0]), int(lowest[0]))
        self._sums: dict[int, Ints] = {}
        self._best = 0
        self._spare = int(np.maximum(lowest - degrees, 0).sum())
        self.took = 0.0
        """Edges of linear programs that would have taken as much time."""

    def at(self, goal: int, room: int) -> int:
        """Return the least sum where the group behind ends on a degree or above, less what R leaves, at least 0.

        Parameters
        ----------
        goal : int
            From the highest degree behind the border on.
        room : int
            U.
        """
        # nobody leaves more than it has to give
        if self._spare <= room:
            return 0
        best = self._value(self._best, goal, room)
        for step in (1, -1):
            while 0 <= self._best + step < len(_QUARTERS):
                value = self._value(self._best + step, goal, room)
                if value <= best:
                    break
                best, self._best = value, self._best + step
        return max(-(-best // _SCALE), 0)

    def _value(self, multiplier: int, goal: int, room: int) -> int:
        quarters = _QUARTERS[multiplier]
        if multiplier not in self._sums:
            levels = np.arange(self._first, self._last + 1)
            self._sums[multiplier] = least_sums(
                self._degrees, self._highest, self._lowest, levels, self._k, _SCALE, quarters
            )
            self.took += self._degrees.size * levels.size / _CELLS
        return int(self._sums[multiplier][min(goal, self._last) - self._first]) - quarters * room


@compiled
def least_sums(degrees: Ints, highest: Ints, lowest: Ints, levels: Ints, k: int, over: int, under: int) -> Ints:
    """Return the least sum where the first group ends on each level or above, shape (m,), rising.

    A position i on level l costs ``over·max(l − highest_i, 0) + under·max(lowest_i − l, 0)``. Dynamic program from the
    last position to the first; a group has k or more and ends on a level of no less than the degree of its first.
    O(p·m) steps: what a group costs is a difference of sums along its level, so the best end is kept for each level.
    """
    size, number = degrees.size, levels.size
    after = np.full(size + 1, UNREACHABLE, np.int64)
    after[size] = 0
    # sums from the last k + 1 positions on, and the best end for each level
    sums, least = np.zeros((k + 1, number), np.int64), np.full(number, UNREACHABLE, np.int64)
    for begin in range(size - 1, -1, -1):
        now, behind = sums[begin % (k + 1)], sums[(begin + 1) % (k + 1)]
        end = begin + k
        cost = after[end] if end <= size else UNREACHABLE
        best = UNREACHABLE
        for i in range(number):
            level = levels[i]
            now[i] = behind[i] + over * max(level - highest[begin], 0) + under * max(lowest[begin] - level, 0)
            if cost < UNREACHABLE:
                least[i] = min(least[i], cost - sums[end % (k + 1), i])
            if level >= degrees[begin] and least[i] < UNREACHABLE:
                best = min(best, now[i] + least[i])
        after[begin] = best
    found = np.full(number, UNREACHABLE, np.int64)
    best = UNREACHABLE
    for i in range(number - 1, -1, -1):
        if levels[i] >= degrees[0] and least[i] < UNREACHABLE:
            best = min(best, sums[0, i] + least[i])
        found[i] = best
    # below the degree of the first there is no group
    return found
