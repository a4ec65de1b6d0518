"""The best covering so far, and what is proven of how little any can lose."""

from dataclasses import dataclass

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records
from graphkit.microdata.generalization.covering import canonical
from graphkit.microdata.generalization.extents import joined, losses_of
from graphkit.microdata.progress import Progress, Reached, silent


@dataclass(slots=True, eq=False)
class Standing(Reached):
    """What search and proof have reached together: the loss falls, the bound rises, never the other way."""

    records: Records
    covered: Ints
    """The best covering, canonical; shape (n, k)."""
    budget: Budget
    report: Progress = silent
    bound: float = 0.0
    """No covering has a smaller GCP."""
    loss: float = 0.0
    """GCP of the best covering."""

    def __post_init__(self) -> None:
        self.covered = canonical(self.covered)
        self.loss = gcp_of(self.records, self.covered)

    def offer(self, covered: Ints, phase: str) -> bool:
        """Take a covering if it loses less than the best one; return whether it does."""
        covered = canonical(covered)
        loss = gcp_of(self.records, covered)
        if loss >= self.loss:
            return False
        self.covered, self.loss = covered, loss
        self.report(phase, loss, self.bound)
        return True


def gcp_of(records: Records, covered: Ints) -> float:
    """Return GCP, the global certainty penalty: the mean loss of the tuples that cover these records."""
    return float(losses_of(records.layout, joined(records.layout, records.codes, covered)).mean())
