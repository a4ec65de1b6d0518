"""The cheapest k-anonymous degrees of one class in which some vertices are fixed and growth is bounded."""

import numpy as np

from graphkit.arrays import Ints

_INFINITE = np.int64(1) << 60


def cheapest_levels(
    degrees: Ints,
    fixed: Ints,
    k: int,
    *,
    max_increase: int | None = None,
    lowering: bool = False,
    knee: int | None = None,
) -> Ints | None:
    """Return the target degree of every movable vertex of a class, or None where there is none.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Degrees of the movable vertices, descending.
    fixed : ndarray of int64
        Degrees of the vertices that stay as they are.
    k : int
        Required block size.
    max_increase : int, optional
        No target is more than this above the degree.
    lowering : bool, optional
        Whether targets may lie below the degree.
    knee : int, optional
        Growth beyond this costs twice as much.

    Returns
    -------
    ndarray of int64, shape (p,), or None
        Targets, descending: every one, and every degree of `fixed`, occurs at least k times in both together. The sum
        of all changes, plus what growth exceeds the knee by, is least. None proves that there are no such targets.

    Notes
    -----
    *Only levels that matter*: a group of movable vertices alone is best raised to its largest degree (moved to its
    median, or as near as the largest increase allows), and every degree of `fixed` is a level. *Sorted to sorted is
    best*, since the cost of a vertex is a convex function of target minus degree: exchanging the targets of two
    vertices that are in reversed order does not cost more, nor does it leave the bounds.

    So the levels are gone through from above, each takes the next vertices in order, at least k with its fixed ones,
    and the cost of a stretch is a difference of prefix sums: one running minimum a level. *Windows*: across any border
    between degrees, at most one level without fixed vertices has vertices on both sides, and it can be cut in two when
    it has 2k; a level with fixed vertices needs at most k from the other side, and k more could be cut off. So no more
    than ``2k·(1 + levels with fixed vertices)`` vertices cross, and only that many positions around a block are looked
    at: O(p + L·W) time and memory for L levels and windows W.

    References
    ----------
    The dynamic program of Liu, Terzi, SIGMOD 2008, section 5, extended.

    Examples
    --------
    >>> cheapest_levels(np.array([4, 2, 2, 1]), np.array([3]), k=2).tolist()
    [4, 4, 3, 3]
    >>> cheapest_levels(np.array([4, 2, 2, 1]), np.array([3]), k=2, max_increase=1) is None
    True
    """
    if degrees.size + fixed.size == 0:
        return degrees.copy()
    levels = np.unique(np.concatenate((degrees, fixed)))[::-1]
    if lowering and max_increase is not None:
        levels = np.unique(np.concatenate((levels, degrees + max_increase)))[::-1]
    held = np.bincount(fixed, minlength=int(levels[0]) + 1)
    width = 2 * k * (1 + int(np.count_nonzero(held)))
    table = _Table(degrees, k, width, max_increase, lowering, knee)
    for level in levels.tolist():
        table.close(level, int(held[level]))
    return table.targets(levels)


class _Table:
    """F[q]: the least cost when the levels so far hold the first q vertices."""

    def __init__(
        self, degrees: Ints, k: int, width: int, max_increase: int | None, lowering: bool, knee: int | None
    ) -> None:
        self._degrees, self._k, self._width = degrees, k, width
        self._knee = _INFINITE if knee is None else knee
        self._max_increase, self._lowering = max_increase, lowering
        self._ascending = degrees[::-1]
        self._best = np.full(degrees.size + 1, _INFINITE)
        self._best[0] = 0
        self._low = 0
        self._choices: list[tuple[int, Ints]] = []

    def close(self, level: int, held: int) -> None:
        """Let a level with `held` fixed vertices take the next vertices."""
        above, least = self._at_least(level + 1), self._at_least(level)
        low = max(self._low, above - self._width) if self._lowering else max(self._low, above)
        high = min(self._degrees.size, least + self._width)
        size = self._degrees.size
        first = min(self._low, low)
        before = self._best[first : high + 1]
        difference = level - self._degrees[first:high]
        cost = np.concatenate(
            (np.zeros(1, np.int64), np.cumsum(np.abs(difference) + np.maximum(difference - self._knee, 0)))
        )
        opened = np.where(before < _INFINITE, before - cost, _INFINITE)
        if not self._lowering:
            opened[: max(0, above - first)] = _INFINITE
        lowest = np.minimum.accumulate(opened)
        places = np.arange(first, high + 1)
        starts = np.maximum.accumulate(np.where(opened == lowest, places, -1))
        need = max(0, self._k - held)
        after = np.full(high + 1 - first, _INFINITE)
        choice = np.full(high + 1 - first, -1, dtype=np.int64)
        if need < after.size:
            after[need:] = np.where(lowest[: after.size - need] < _INFINITE, lowest[: after.size - need], _INFINITE)
            reached = after < _INFINITE
            after[reached] += cost[reached]
            choice[need:] = starts[: after.size - need]
        if self._max_increase is not None:
            # vertices that would have to grow by more: none of them may be taken, a level without any stays possible
            limit = max(0, self._at_least(level - self._max_increase) - first + 1)
            after[limit:], choice[limit:] = _INFINITE, -1
            if need == 0:
                stay = before[limit:] < after[limit:]
                after[limit:][stay] = before[limit:][stay]
                choice[limit:][stay] = places[limit:][stay]
        if held == 0:
            unused = before <= after
            after[unused], choice[unused] = before[unused], -1
        self._best[first : high + 1] = after
        self._best[high + 1 :] = _INFINITE if high < size else self._best[high + 1 :]
        self._best[first:low] = _INFINITE
        self._low = low
        self._choices.append((first, choice))

    def _at_least(self, degree: int) -> int:
        """Return how many vertices have at least this degree."""
        return int(self._degrees.size - np.searchsorted(self._ascending, degree, side="left"))

    def targets(self, levels: Ints) -> Ints | None:
        """Return the targets of the cheapest way, following the choices back."""
        end = self._degrees.size
        if self._best[end] >= _INFINITE:
            return None
        result = np.empty(end, dtype=np.int64)
        for level, (first, choice) in zip(levels[::-1].tolist(), self._choices[::-1], strict=True):
            start = int(choice[end - first])
            if start >= 0:
                result[start:end] = level
                end = start
        return result
