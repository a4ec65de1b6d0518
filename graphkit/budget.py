"""A budget that an engine spends: work and, only if a clock was handed in, time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from graphkit.errors import InvalidInput

__all__ = ["Budget"]


@dataclass(slots=True)
class Budget:
    """Time limit for an engine, measured with a clock that the caller brings.

    Without a clock the budget never ends and results depend on the input, the seed and
    the version alone. With one, an engine returns its best valid result when time is up.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds from an arbitrary origin, never going back (``time.monotonic``).
    time_limit : float, optional
        Seconds from the creation of the budget; needs `clock`.

    Raises
    ------
    InvalidInput
        If `time_limit` is not positive, or is given without `clock`.

    Examples
    --------
    >>> Budget().is_spent()
    False
    >>> ticks = iter([0.0, 1.0, 3.0])
    >>> budget = Budget(clock=lambda: next(ticks), time_limit=2.0)
    >>> budget.is_spent(), budget.is_spent()
    (False, True)
    """

    clock: Callable[[], float] | None = None
    time_limit: float | None = None
    _start: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            if self.clock is None:
                raise InvalidInput("a time limit needs a clock: pass Budget(clock=time.monotonic, time_limit=...)")
            if not self.time_limit > 0:
                raise InvalidInput(f"time limit ({self.time_limit}) must be a positive number of seconds")
        if self.clock is not None:
            self._start = self.clock()

    def elapsed(self) -> float:
        """Seconds since the budget was made; 0 without a clock."""
        return self.clock() - self._start if self.clock is not None else 0.0

    def remaining(self) -> float:
        """Seconds left; infinite without a time limit."""
        return math.inf if self.time_limit is None else self.time_limit - self.elapsed()

    def is_spent(self) -> bool:
        """Whether the time limit has passed."""
        return self.time_limit is not None and self.elapsed() >= self.time_limit
