"""A budget that an engine spends: time, only if a clock was handed in, and how good an answer must be."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from graphkit.errors import InvalidInput
from graphkit.parameters import check_number, check_time_limit

_LEAST = 1e-6
_GAPS = "at least 0 and below 1, such as 0.01 for one in a hundred"


@dataclass(slots=True)
class Budget:
    """Time limit for an engine, measured with a clock that the caller brings, and the gap that is good enough.

    Without a clock the budget never ends and results depend on the input, the seed and
    the version alone. With one, an engine returns its best valid result when time is up.
    A gap ends the search earlier: it depends on no clock, so results stay the same bits.
    So does a limit of work, in units that engines count and :meth:`charge`.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds from an arbitrary origin, never going back (``time.monotonic``).
    time_limit : float, optional
        Seconds from the creation of the budget; needs `clock`.
    gap : float, optional
        Share of its size by which an answer may lie above the proven bound and still be good enough: 0.01 is one in a
        hundred. By default only an answer that equals the bound is.
    work_limit : int, optional
        Units of work after which the budget is spent: the same on every machine, however busy. Engines that do not
        count their work take no notice.

    Raises
    ------
    InvalidInput
        If `time_limit` is no positive number, or is given without `clock`; if `gap` is no number from 0
        to below 1.

    Examples
    --------
    >>> Budget().is_spent()
    False
    >>> ticks = iter([0.0, 1.0, 3.0])
    >>> budget = Budget(clock=lambda: next(ticks), time_limit=2.0)
    >>> budget.is_spent(), budget.is_spent()
    (False, True)
    >>> Budget(gap=0.01).is_close(200, 198), Budget(gap=0.01).is_close(200, 197)
    (True, False)
    >>> counted = Budget(work_limit=10)
    >>> counted.charge(10)
    >>> counted.is_spent(), counted.spent_by
    (True, 'work')
    """

    clock: Callable[[], float] | None = None
    time_limit: float | None = None
    gap: float = 0.0
    work_limit: int | None = None
    work: int = field(init=False, default=0)
    """Units that were charged so far."""
    _start: float = field(init=False, default=0.0)
    _is_late: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            if self.clock is None:
                raise InvalidInput("a time limit needs a clock: pass clock=time.monotonic beside it")
            check_time_limit(self.time_limit)
        check_number(self.gap, "the gap", f"a number of {_GAPS}")
        if not 0 <= self.gap < 1:
            raise InvalidInput(f"gap ({float(self.gap):g}) must be {_GAPS}")
        if self.work_limit is not None:
            check_number(self.work_limit, "the work limit", "a positive number of units")
            if self.work_limit <= 0:
                raise InvalidInput(f"work limit ({self.work_limit}) must be a positive number of units")
        if self.clock is not None:
            self._start = self.clock()

    def elapsed(self) -> float:
        """Seconds since the budget was made; 0 without a clock."""
        return self.clock() - self._start if self.clock is not None else 0.0

    def remaining(self) -> float:
        """Seconds left; infinite without a time limit."""
        return math.inf if self.time_limit is None else self.time_limit - self.elapsed()

    def charge(self, units: int) -> None:
        """Count work that was done."""
        self.work += units

    def work_left(self) -> float:
        """Units of work left; infinite without a limit of work."""
        return math.inf if self.work_limit is None else max(0, self.work_limit - self.work)

    def is_spent(self) -> bool:
        """Whether the time limit has passed, or the work is done."""
        if self.work_limit is not None and self.work >= self.work_limit:
            return True
        self._is_late |= self.time_limit is not None and self.elapsed() >= self.time_limit
        return self._is_late

    @property
    def spent_by(self) -> Literal["work", "time"] | None:
        """What ended the budget, as an engine was told: work, which is the same everywhere, or the clock."""
        if self._is_late:
            return "time"
        return "work" if self.work_limit is not None and self.work >= self.work_limit else None

    def part(self, share: int) -> "Budget":
        """Return a budget of a share of these limits, and of no more than is left; charge its work afterwards."""
        time = None if self.time_limit is None else max(min(self.remaining(), self.time_limit / share), _LEAST)
        work = None if self.work_limit is None else max(1, min(self.work_limit - self.work, self.work_limit // share))
        return Budget(self.clock, time, self.gap, work)

    def is_close(self, size: int, bound: int) -> bool:
        """Whether an answer of this size is good enough, given the bound proven on any answer.

        That is ``size - bound <= gap * size``; always so once size and bound are equal.
        """
        # a quotient, as in Anonymization.gap: 29 / 100 is the number 0.29, while 0.29 * 100 is below 29
        return size <= bound or (size - bound) / size <= self.gap
