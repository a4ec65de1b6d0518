"""What an engine of degree anonymization answers, and what it claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.presentation import Presentable

Status = Literal["optimal", "feasible", "infeasible"]


@dataclass(frozen=True, slots=True, eq=False)
class Anonymization(Presentable):
    """A set of new edges that makes a graph k-anonymous, with the bound proven on its size.

    Protected: who adds :attr:`edges` to the original and publishes that publishes them too.
    :func:`graphkit.networks.release` returns what may be published.

    The claim: adding `edges` to the graph gives a simple graph in which every degree
    that occurs occurs at least `k` times; and no set of fewer than `lower_bound` edges does that.
    """

    k: int
    method: str
    status: Status
    """`optimal`: size equals the lower bound. `feasible`: a valid set. `infeasible`: no set exists, see `reason`."""
    edges: Ints
    """New edges, shape (size, 2), low index first, lexicographic order; empty when infeasible. Protected."""
    lower_bound: int
    """Proven: every solution has at least this many edges."""
    reason: str = ""
    """Why there is no solution; empty otherwise."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time per phase by the budget's clock; zeros without one."""
    work: int = 0
    """Units of work that were done, a million of them about a second; see :mod:`graphkit.effort`."""
    proven: Mapping[str, int] = field(default_factory=dict)
    """The bound of each way to prove one that raised the bound when it was asked."""

    _figures = ("k", "method", "status", "size", "lower_bound", "gap", "reason")
    _derived = ("size", "gap")

    @property
    def size(self) -> int:
        """Number of new edges."""
        return int(self.edges.shape[0])

    def degrees_after(self, degrees: Ints) -> Ints:
        """Return the degree of every vertex with the new edges, given the degrees without them."""
        return degrees + np.bincount(self.edges.ravel(), minlength=degrees.size)

    @property
    def gap(self) -> float:
        """(size − lower bound) / size; 0 when nothing is added."""
        return (self.size - self.lower_bound) / self.size if self.size else 0.0
