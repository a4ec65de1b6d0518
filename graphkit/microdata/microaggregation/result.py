"""What an engine of microaggregation answers, and what it claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphkit.arrays import Ints
from graphkit.microdata.microaggregation.groups import group_sizes
from graphkit.presentation import Presentable

Status = Literal["optimal", "feasible"]


@dataclass(frozen=True, slots=True, eq=False)
class Microaggregation(Presentable):
    """A partition of records into groups of at least k, with the bound proven on its loss.

    The claim: every group has at least `k` records; and no partition into such groups has a sum of squared distances
    to the means of its groups below `lower_bound`.
    """

    k: int
    method: str
    status: Status
    """`optimal`: the loss equals the bound, within the precision of its arithmetic. `feasible`: a valid partition."""
    labels: Ints
    """Group of every record, shape (n,), numbered by the first record of each. Protected."""
    sse: float
    """Sum of squared distances to the means of the groups, of the attributes as they were scaled."""
    sst: float
    """Sum of squared distances to the mean of all."""
    lower_bound: float = 0.0
    """Proven: no partition into groups of at least k has a smaller `sse`."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time per phase by the budget's clock; zeros without one."""
    work: int = 0
    """Units of work that were done, a million of them about a second; see :mod:`graphkit.effort`."""

    _figures = ("k", "method", "status", "groups", "largest_group", "information_loss", "proven_loss", "gap")
    _derived = ("groups", "largest_group", "information_loss", "proven_loss", "gap")

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.labels.size)

    @property
    def groups(self) -> int:
        """Number of groups."""
        return int(self.labels.max()) + 1

    @property
    def largest_group(self) -> int:
        """Number of records of the largest group."""
        return int(group_sizes(self.labels).max())

    @property
    def information_loss(self) -> float:
        """Share of the variation that is lost, 100 sse / sst, in percent; 0 where all records are alike."""
        return 100 * self.sse / self.sst if self.sst else 0.0

    @property
    def proven_loss(self) -> float:
        """Loss in percent that no partition is below."""
        return 100 * self.lower_bound / self.sst if self.sst else 0.0

    @property
    def gap(self) -> float:
        """(sse − lower bound) / sse; 0 where nothing is lost."""
        return (self.sse - self.lower_bound) / self.sse if self.sse else 0.0
