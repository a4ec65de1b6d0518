"""The best partition so far, and what is proven of how little any can lose."""

from dataclasses import dataclass

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import canonical, within_groups
from graphkit.microdata.progress import Progress, Reached, silent


@dataclass(slots=True, eq=False)
class Standing(Reached):
    """What search and proof have reached together: the loss falls, the bound rises, never the other way."""

    points: Floats
    """Attributes of every record as they were scaled, shape (n, d)."""
    labels: Ints
    """The best partition, canonical."""
    budget: Budget
    report: Progress = silent
    bound: float = 0.0
    """No partition into groups of at least k has a smaller SSE."""
    loss: float = 0.0
    """SSE of the best partition."""

    def __post_init__(self) -> None:
        self.labels = canonical(self.labels)
        self.loss = within_groups(self.points, self.labels)

    def offer(self, labels: Ints, phase: str) -> bool:
        """Take a partition if it loses less than the best one; return whether it does."""
        labels = canonical(labels)
        loss = within_groups(self.points, labels)
        if loss >= self.loss:
            return False
        self.labels, self.loss = labels, loss
        self.report(phase, loss, self.bound)
        return True
