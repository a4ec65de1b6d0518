"""What search and proof have reached together: the best answer loses less and less, the bound on any rises."""

from collections.abc import Callable

from graphkit.budget import Budget

Progress = Callable[[str, float, float], None]
"""Called with the phase, the loss of the best answer so far and the proven bound, both in the measure of the engine:
SSE of microaggregation, GCP of generalization."""


def silent(phase: str, loss: float, bound: float) -> None:
    """Report nothing.

    Examples
    --------
    >>> silent("search", 2.5, 0.0)
    """


class Reached:
    """The loss of the best answer so far and the bound proven on any; a subclass holds the answer, and takes others."""

    budget: Budget
    report: Progress
    bound: float
    loss: float

    def prove(self, bound: float, phase: str) -> bool:
        """Take a bound if it is larger than the one known; return whether it is."""
        if bound <= self.bound:
            return False
        self.bound = bound
        self.report(phase, self.loss, bound)
        return True

    @property
    def is_done(self) -> bool:
        """Whether the best answer is good enough, or the budget is spent."""
        return (
            self.loss <= self.bound or (self.loss - self.bound) / self.loss <= self.budget.gap or self.budget.is_spent()
        )
