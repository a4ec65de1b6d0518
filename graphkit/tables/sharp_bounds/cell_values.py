"""Which counts a cell can have: those that tables show, and those that nothing rules out."""

from collections.abc import Iterable
from typing import NamedTuple

from graphkit.budget import Budget
from graphkit.tables.sharp_bounds.prover import CellProver

Interval = tuple[int, int]
"""Least and largest of successive counts."""

# what was tried in a gap
_NOTHING, _MOVES, _PROGRAMS = range(3)


class _Gap(NamedTuple):
    tried: int
    low: int
    high: int


class CellValues:
    """The counts of one cell over all tables with given marginals, as far as they are known.

    Parameters
    ----------
    prover : CellProver
        Has the marginals, bounds of the cell and tables.
    cell : int
        Number of the cell in C order.

    Notes
    -----
    The counts between two that are attained are a gap. A question about it ends with a table whose count is within,
    which divides the gap, or with the proof that there is none, which closes it, however wide it is. So v counts need
    no more than some 2v questions.
    """

    def __init__(self, prover: CellProver, cell: int) -> None:
        self._prover, self._cell = prover, cell
        self._attained: set[int] = set()
        self._gaps = [_Gap(_NOTHING, int(prover.lower[cell]), int(prover.upper[cell]))]
        least, most = int(prover.least[cell]), int(prover.most[cell])
        if least <= most:
            self._attain(least)
            self._attain(most)

    @property
    def attained(self) -> list[Interval]:
        """Counts that tables have."""
        return _merged((count, count) for count in self._attained)

    @property
    def possible(self) -> list[Interval]:
        """These, and all that were not proven impossible."""
        return _merged([*self.attained, *((gap.low, gap.high) for gap in self._gaps)])

    def learn(self, budget: Budget, *, sharply: bool) -> bool:
        """Ask one question, by moves or, if `sharply`, by programs where moves end; False if none is left."""
        gap = min(self._gaps, key=lambda gap: (gap.tried, gap.low - gap.high, gap.low), default=None)
        if gap is None or gap.tried > (_MOVES if sharply else _NOTHING) or budget.is_spent():
            return False
        is_empty = False
        if gap.tried == _NOTHING:
            # the nearest to a count that is attained already is the easiest
            found = self._prover.reach(self._cell, gap.low if gap.low - 1 in self._attained else gap.high, budget)
        else:
            found, is_empty = self._prover.find(self._cell, gap.low, gap.high, budget)
        if is_empty:
            self._gaps.remove(gap)
        elif found is None or not gap.low <= found <= gap.high:
            self._gaps[self._gaps.index(gap)] = gap._replace(tried=gap.tried + 1)
        if found is not None:
            self._attain(found)
        return True

    def _attain(self, count: int) -> None:
        self._attained.add(count)
        parts = []
        for gap in self._gaps:
            if gap.low <= count <= gap.high:
                parts += [gap._replace(high=count - 1), gap._replace(low=count + 1)]
            else:
                parts.append(gap)
        self._gaps = [gap for gap in parts if gap.low <= gap.high]


def combined(one: Iterable[Interval], other: Iterable[Interval], shared: int) -> list[Interval]:
    """Return the counts of a cell in tables combined from two parts, given its counts in each and in the separator.

    Notes
    -----
    From x and y records of s that the parts share, any number from ``max(0, x + y − s)`` to ``min(x, y)`` are in both.
    Where x or y grows by one, these ends grow by one at most: successive counts give successive counts.

    Examples
    --------
    >>> combined([(0, 0), (4, 4)], [(5, 5)], 6)
    [(0, 0), (3, 4)]
    """
    right = list(other)
    return _merged((max(0, a + c - shared), min(b, d)) for a, b in one for c, d in right)


def number_of(intervals: Iterable[Interval]) -> int:
    """Return how many counts there are in intervals that have none in common."""
    return sum(high - low + 1 for low, high in intervals)


def _merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the same counts in intervals that are ascending and do not touch."""
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return merged
