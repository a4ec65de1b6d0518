"""Work that was done, in units of :mod:`graphkit.effort`, and when there is no more of it."""

from graphkit.budget import Budget

SCORES_A_UNIT = 40
_RECORDS_A_UNIT = 10
_MOST_SCORES = 150_000_000
_SCORES_A_SECOND = 10_000_000
"""On a slow machine: what a search may do that does not look at the clock."""


class Meter:
    """Counts what solver and searches do.

    Parameters
    ----------
    budget : Budget
        Ends the work by its clock, if it has one.
    units : int
        Ends the work in any case.
    n : int
        Number of records: a step of the solver costs in proportion.
    """

    def __init__(self, budget: Budget, units: int, n: int) -> None:
        self.budget, self.left, self._n = budget, units, n

    def charge(self, units: int) -> None:
        """Count units of work."""
        self.left -= units
        self.budget.charge(units)

    def charge_scores(self, scores: int) -> None:
        """Count scores that a search computed."""
        self.charge(scores // SCORES_A_UNIT)

    def charge_steps(self, steps: int) -> None:
        """Count steps of the simplex method."""
        self.charge(max(1, steps) * (1 + self._n // _RECORDS_A_UNIT))

    def scores_left(self) -> int:
        """Return how many scores a search may compute."""
        most = min(_MOST_SCORES, self.left * SCORES_A_UNIT)
        if self.budget.time_limit is not None:
            most = min(most, int(self.budget.remaining() * _SCORES_A_SECOND))
        return max(1, most)

    def is_spent(self) -> bool:
        """Whether the work is done, or the time is over."""
        return self.left <= 0 or self.budget.is_spent()
