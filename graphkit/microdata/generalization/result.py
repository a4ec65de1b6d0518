"""What an engine of freeform generalization answers, and what it claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.presentation import Presentable

Status = Literal["optimal", "feasible"]


@dataclass(frozen=True, slots=True, eq=False)
class Generalization(Presentable):
    """What every recoded tuple covers, with the bound proven on the loss.

    The claim: every tuple covers `k` records, its own among them, and every record that is not left out is covered by
    `k` tuples; and no such covering has a GCP below `lower_bound`, whichever records as many as might be left out.
    """

    k: int
    method: str
    status: Status
    """`optimal`: the loss equals the bound, within the precision of its arithmetic. `feasible`: a valid covering."""
    covered: Ints
    """Records that every tuple covers, shape (n, k): its own first, the others rising. Tuples are in the order of their
    own records. Protected."""
    loss: float
    """GCP, the global certainty penalty: the mean loss of the tuples, between 0 and 1. Records that are left out have
    no tuple; see `loss_with_suppressed`."""
    lower_bound: float = 0.0
    """Proven: no covering in which each record is covered k times has a smaller GCP; nor has one without some of the
    records, of which there are no more than might be left out."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time per phase by the budget's clock; zeros without one."""
    work: int = 0
    """Units of work that were done, a million of them about a second; see :mod:`graphkit.effort`."""
    matchings: Ints | None = None
    """Record of every tuple in each of k disjoint matchings, shape (k, n), under each of which demands on sensitive
    values are met; None where there were no demands. Protected."""
    suppressed: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Records that are left out, rising. Protected; how many there are is not."""

    _figures = ("k", "method", "status", "records", "loss", "lower_bound", "gap")
    _derived = ("records", "loss_with_suppressed", "gap")

    @property
    def records(self) -> int:
        """Number of records that are published."""
        return int(self.covered.shape[0])

    @property
    def loss_with_suppressed(self) -> float:
        """GCP of all records, of which those that are left out lose all: 1 each."""
        return loss_of_all(self.loss, self.records, self.suppressed.size)

    @property
    def gap(self) -> float:
        """(loss − lower bound) / loss; 0 where nothing is lost."""
        return (self.loss - self.lower_bound) / self.loss if self.loss else 0.0


def loss_of_all(loss: float, published: int, left_out: int) -> float:
    """Return GCP of all records, given that of the published ones; those that are left out lose all: 1 each."""
    return (published * loss + left_out) / (published + left_out) if left_out else loss
