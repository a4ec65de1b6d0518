"""Sequences of exactly the demand that is asked for: more demand below, so that hubs find partners."""

import numpy as np

from graphkit.arrays import Ints, Rng, Words
from graphkit.kernels import compiled
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_behind


class Filling:
    """All ways to group the positions from a border on, by total demand.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Degrees of all positions, descending.
    start : int
        Border from which on the groups are free.
    k : int
        Least size of a group.
    most : int
        Demand above the least possible one that can be asked for.
    raised : int, optional
        Every group is raised by this much, or by one more, above its first degree.

    Notes
    -----
    Bit e of word set q tells whether the positions from q on can be grouped with e more demand than the least
    possible. O(p·k·most/32) time, O(p·most/64) space.
    """

    def __init__(self, degrees: Ints, start: int, k: int, most: int, raised: int = 0) -> None:
        self._degrees = degrees[start:]
        self._start, self._k, self._raised = start, k, raised
        self._prefix = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(self._degrees)))
        self._least, self._reach = _reachable(self._degrees, self._prefix, k, raised, most // 64 + 1)

    @property
    def least(self) -> int:
        """The least demand of the positions from the border on; very large where they cannot be grouped."""
        return int(self._least[0])

    def nearest(self, extra: int) -> int | None:
        """Return the least extra demand of at least `extra` for which there are groups, or None."""
        words = self._reach[0]
        for e in range(extra, words.size * 64):
            if (int(words[e // 64]) >> (e % 64)) & 1:
                return e
        return None

    def groups(self, extra: int, rng: Rng) -> tuple[Ints, Ints]:
        """Return random borders, the start included, and levels with exactly `extra` more demand than the least.

        `extra` must be one that :meth:`nearest` returned. What is extra is spread: of the next groups those are
        preferred that take about their share of it.
        """
        size = self._degrees.size
        borders, levels, p = [0], [], 0
        while p < size:
            ends, raises, costs = self._choices(p, extra)
            weights = 1.0 / (1.0 + np.abs(costs - extra * (ends - p) / (size - p)))
            i = int(rng.choice(ends.size, p=weights / weights.sum()))
            levels.append(int(self._degrees[p]) + int(raises[i]))
            p, extra = int(ends[i]), extra - int(costs[i])
            borders.append(p)
        return np.array(borders, dtype=np.int64) + self._start, np.array(levels, dtype=np.int64)

    def _choices(self, p: int, extra: int) -> tuple[Ints, Ints, Ints]:
        """Return ends of the next group from which the rest can be reached, its raises, and what they take of extra."""
        ends = np.tile(np.arange(p + self._k, min(self._degrees.size, p + 2 * self._k - 1) + 1), 2)
        raises = np.repeat([self._raised, self._raised + 1], ends.size // 2)
        demand = (ends - p) * (self._degrees[p] + raises) - (self._prefix[ends] - self._prefix[p])
        costs = demand + self._least[ends] - self._least[p]
        left = extra - costs
        fits = (self._least[ends] < UNREACHABLE) & (left >= 0)
        ends, raises, costs, left = ends[fits], raises[fits], costs[fits], left[fits]
        bits = (self._reach[ends, left // 64] >> (left % 64).astype(np.uint64)) & np.uint64(1)
        return ends[bits == 1], raises[bits == 1], costs[bits == 1]


@compiled
def _reachable(degrees: Ints, prefix: Ints, k: int, raised: int, words: int) -> tuple[Ints, Words]:
    size = degrees.size
    least = np.full(size + 1, UNREACHABLE, np.int64)
    reach = np.zeros((size + 1, words), np.uint64)
    least[size] = 0
    reach[size, 0] = np.uint64(1)
    for p in range(size - k, -1, -1):
        least[p] = least_behind(degrees, least, k, p, degrees[p] + raised, 1, 0, 0)
        for q in range(p + k, min(size, p + 2 * k - 1) + 1):
            if least[p] >= UNREACHABLE or least[q] >= UNREACHABLE:
                continue
            demand = (q - p) * (degrees[p] + raised) - (prefix[q] - prefix[p])
            for more in range(2):
                extra = demand + more * (q - p) + least[q] - least[p]
                shift, skip = np.uint64(extra % 64), extra // 64
                for w in range(words - 1, skip - 1, -1):
                    word = reach[q, w - skip] << shift
                    if shift > 0 and w - skip >= 1:
                        word |= reach[q, w - skip - 1] >> (np.uint64(64) - shift)
                    reach[p, w] |= word
    return least, reach
