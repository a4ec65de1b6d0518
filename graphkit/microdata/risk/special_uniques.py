"""Special uniques (SUDA): which small combinations of quasi-identifiers single records out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata.risk._alone import Alone
from graphkit.microdata.risk.coded import CodedRecords
from graphkit.parameters import is_whole
from graphkit.presentation import Presentable

_Bits = NDArray[np.uint8]

LEAST_WORK = 20_000
"""Units of work of a combination in a small file: about what records take in the time that arrays take to begin."""


@dataclass(frozen=True, slots=True)
class UniqueCombination:
    """A set of quasi-identifiers, and how many records it singles out."""

    quasi_identifiers: tuple[str, ...]
    unique_records: int
    """Records that are alone in it."""
    minimal_records: int
    """Of these, records that are alone in none of its proper subsets: the minimal sample uniques."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialUniqueRisk(Presentable):
    """Which combinations of quasi-identifiers single records out. Figures and names of columns only.

    Where `is_complete` is false, the limit of work or time ended the search: combinations are missing, and the figures
    are lower bounds.
    """

    n: int
    quasi_identifiers: tuple[str, ...]
    largest_size: int
    """Combinations of up to so many quasi-identifiers were asked for."""
    size_searched: int
    """Combinations of up to so many were all searched."""
    combinations_searched: int
    combinations_in_all: int
    combinations: tuple[UniqueCombination, ...]
    """Those with minimal sample uniques, the most first."""
    minimal_by_size: tuple[int, ...]
    """Minimal sample uniques of combinations of 1, 2, … quasi-identifiers."""
    special_records: int
    """Records with a minimal sample unique."""
    smallest_sizes: tuple[int, ...]
    """Records whose smallest minimal sample unique has 1, 2, … quasi-identifiers."""
    largest_score: int
    mean_score: float
    """Mean over all records; 0 without records."""
    attribute_shares: dict[str, float]
    """Share of the sum of all scores that minimal sample uniques with this quasi-identifier have; several share one."""

    _figures = ("n", "special_records", "combinations_searched", "largest_score", "mean_score", "is_complete")
    _derived = ("is_complete",)

    @property
    def is_complete(self) -> bool:
        """Whether all combinations were searched."""
        return self.combinations_searched == self.combinations_in_all


@dataclass(frozen=True, slots=True, eq=False)
class SpecialUniques:
    """The scores of the records, protected, and the figures that follow."""

    scores: Ints
    """SUDA score of each record, shape (n,); 0 without a minimal sample unique."""
    risk: SpecialUniqueRisk


def special_uniques(
    records: CodedRecords,
    quasi_identifiers: Sequence[str],
    *,
    largest_size: int = 4,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SpecialUniques:
    """Return the minimal sample uniques of up to `largest_size` quasi-identifiers, with scores.

    Parameters
    ----------
    records : CodedRecords
    quasi_identifiers : sequence of str
        Names of columns.
    largest_size : int
        Quasi-identifiers of the largest combinations, at least 1.
    budget : Budget, optional
        A unit of work is a record in a combination; each combination is :data:`LEAST_WORK` units at least.
    progress : callable, optional
        Told how many combinations were searched, and how many there are.

    Raises
    ------
    InvalidInput
        If a column is not there or is named twice, or `largest_size` is no whole number from 1 on.

    Notes
    -----
    Level by level: a record is a minimal sample unique on a combination if it is alone there, and alone in none of the
    combinations with one column less. O(n C(m, s)) time for m columns and combinations of up to s; between two levels
    stand n C(m, s − 1) bits. A combination whose parts leave no record unsettled is not counted: none can be minimal.

    The score of a minimal sample unique of size i is ``prod(m − j for j in range(i, M + 1))``, where M is the largest
    size, but at most m − 1; the score of a record is the sum of those of its minimal sample uniques.

    References
    ----------
    Elliot, M. J., Manning, A. M. and Ford, R. W. (2002). A computational algorithm for handling the special uniques
    problem. IJUFKS 10(5), 493-509.
    Manning, A. M., Haglin, D. J. and Keane, J. A. (2008). A recursive search algorithm for statistical disclosure
    assessment. DMKD 16, 165-196.

    Examples
    --------
    >>> from graphkit.microdata.risk.coded import code_records
    >>> records = code_records({"age": [1, 1, 2, 2], "sex": [1, 2, 1, 1], "job": [1, 1, 1, 2]})
    >>> found = special_uniques(records, ["age", "sex", "job"])
    >>> [(one.quasi_identifiers, one.minimal_records) for one in found.risk.combinations]
    [(('sex',), 1), (('job',), 1), (('age', 'sex'), 1), (('age', 'job'), 1)]
    """
    if not is_whole(largest_size) or largest_size < 1:
        raise InvalidInput("the largest size of a combination must be a whole number from 1 on")
    columns = records.chosen(quasi_identifiers)
    search = _Search(Alone(columns, records.n), records.n, len(columns), min(int(largest_size), len(columns)))
    search.run(budget if budget is not None else Budget(), progress)
    return SpecialUniques(search.scores, search.risk(tuple(quasi_identifiers), int(largest_size)))


class _Search:
    """State of a search: bits of the records that are alone, for the combinations of the last level and of this one."""

    def __init__(self, alone: Alone, n: int, m: int, largest: int) -> None:
        self._alone, self._n, self._m, self._largest = alone, n, m, largest
        self.scores = np.zeros(n, dtype=np.int64)
        self._smallest = np.zeros(n, dtype=np.uint8)
        self._found: list[tuple[tuple[int, ...], int, int]] = []
        self._searched, self._size_searched = 0, 0

    def run(self, budget: Budget, progress: Callable[[int, int], None] | None) -> None:
        """Search all combinations, or until the budget is spent."""
        total = self._total()
        before: dict[tuple[int, ...], _Bits] = {}
        for size in range(1, self._largest + 1):
            now: dict[tuple[int, ...], _Bits] = {}
            for chosen in combinations(range(self._m), size):
                if budget.is_spent():
                    return
                bits = self._search(chosen, before)
                if size < self._largest:
                    now[chosen] = bits
                self._searched += 1
                budget.charge(max(self._n, LEAST_WORK))
                if progress is not None:
                    progress(self._searched, total)
            before = now
            self._size_searched = size

    def _search(self, chosen: tuple[int, ...], before: dict[tuple[int, ...], _Bits]) -> _Bits:
        """Return the bits of the records that are alone in a combination, and keep what is minimal in it."""
        settled = np.zeros((self._n + 7) // 8, dtype=np.uint8)
        for part in _parts(chosen):
            settled |= before[part]
        if _number(settled) == self._n:
            self._found.append((chosen, self._n, 0))
            return settled
        bits = np.packbits(self._alone.within(chosen))
        minimal = bits & ~settled
        number = _number(minimal)
        self._found.append((chosen, _number(bits), number))
        if number:
            mask = np.unpackbits(minimal, count=self._n).view(np.bool_)
            self.scores[mask] += self._score(len(chosen))
            self._smallest[mask & (self._smallest == 0)] = len(chosen)
        return bits

    def _score(self, size: int) -> int:
        return score_of(size, self._m, self._largest)

    def _total(self) -> int:
        return sum(comb(self._m, size) for size in range(1, self._largest + 1))

    def risk(self, names: tuple[str, ...], largest_size: int) -> SpecialUniqueRisk:
        """Return the figures of what was searched."""
        sizes = range(1, self._largest + 1)
        return found_risk(
            self._n,
            names,
            largest_size,
            self._found,
            (self._searched, self._total(), self._size_searched),
            smallest_sizes=tuple(int(np.count_nonzero(self._smallest == size)) for size in sizes),
            largest_score=int(self.scores.max()) if self._n else 0,
        )


def score_of(size: int, m: int, largest: int) -> int:
    """Return the score of a minimal sample unique of `size` of m quasi-identifiers, searched up to `largest`.

    Examples
    --------
    >>> score_of(1, 4, 4), score_of(3, 4, 4)
    (6, 1)
    """
    return prod(m - taken for taken in range(size, min(largest, m - 1) + 1))


def found_risk(
    n: int,
    names: tuple[str, ...],
    largest_size: int,
    found: Sequence[tuple[tuple[int, ...], int, int]],
    searched: tuple[int, int, int],
    *,
    smallest_sizes: tuple[int, ...],
    largest_score: int,
) -> SpecialUniqueRisk:
    """Return the figures of a search.

    Parameters
    ----------
    n : int
        Records.
    names : tuple of str
        Quasi-identifiers.
    largest_size : int
        As it was asked for.
    found : sequence of (tuple of int, int, int)
        Each combination that was searched: positions, records that are alone in it, and those that are minimal there.
    searched : tuple of int
        Combinations that were searched, how many there are, and up to which size all of them were.
    smallest_sizes : tuple of int
        Records whose smallest minimal sample unique has 1, 2, … quasi-identifiers.
    largest_score : int
    """
    largest = len(smallest_sizes)
    sizes = range(1, largest + 1)
    scored = [(chosen, minimal * score_of(len(chosen), len(names), largest)) for chosen, _, minimal in found]
    whole = sum(score for _, score in scored)
    shares = {
        name: sum(score for chosen, score in scored if place in chosen) / whole if whole else 0.0
        for place, name in enumerate(names)
    }
    return SpecialUniqueRisk(
        n=n,
        quasi_identifiers=names,
        largest_size=largest_size,
        combinations_searched=searched[0],
        combinations_in_all=searched[1],
        size_searched=searched[2],
        combinations=tuple(
            UniqueCombination(tuple(names[place] for place in chosen), alone, minimal)
            for chosen, alone, minimal in sorted(found, key=lambda one: (-one[2], len(one[0]), one[0]))
            if minimal
        ),
        minimal_by_size=tuple(sum(one[2] for one in found if len(one[0]) == size) for size in sizes),
        special_records=sum(smallest_sizes),
        smallest_sizes=smallest_sizes,
        largest_score=largest_score,
        mean_score=whole / n if n else 0.0,
        attribute_shares=shares,
    )


def _parts(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the combinations with one column less, but not the empty one."""
    return iter(()) if len(chosen) == 1 else combinations(chosen, len(chosen) - 1)


def _number(bits: _Bits) -> int:
    return int(np.bitwise_count(bits).sum(dtype=np.int64))
