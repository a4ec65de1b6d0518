"""What an anonymization under constraints answers, and what it claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.constraints import Constraints
from graphkit.networks.result import Status
from graphkit.networks.variants.plausibility import Plausibility
from graphkit.networks.verify.claim import DegreeClaim, Terms
from graphkit.presentation import Presentable


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedAnonymization(Presentable):
    """Edges to add and to delete, with the bound proven on how many those must be.

    The claim is what :meth:`claim` and :meth:`terms` say, and that no answer changes fewer than `lower_bound` edges.
    """

    k: int
    method: str
    constraints: Constraints
    status: Status
    """`optimal`: size equals the lower bound. `feasible`: a valid answer. `infeasible`: none exists, see `reason`."""
    added: Ints
    """New edges, shape (a, 2), low index first, lexicographic order; empty when infeasible. Protected."""
    deleted: Ints
    """Edges of the graph that go, same form. Protected."""
    lower_bound: int
    """Proven: every answer adds and deletes at least this many edges in all."""
    deletions_allowed: bool = False
    reason: str = ""
    """Why there is no answer; empty otherwise. Holds counts, no vertex."""
    plausibility: Plausibility | None = None
    """Of the added edges, where that was asked for."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time per phase by the budget's clock; zeros without one."""

    _figures = ("k", "method", "status", "size", "lower_bound", "gap", "reason")
    _derived = ("size", "gap")

    @property
    def size(self) -> int:
        """Number of edges that are added or deleted."""
        return int(self.added.shape[0] + self.deleted.shape[0])

    @property
    def gap(self) -> float:
        """(size − lower bound) / size; 0 when nothing changes."""
        return (self.size - self.lower_bound) / self.size if self.size else 0.0

    def degrees_after(self, degrees: Ints) -> Ints:
        """Return the degree of every vertex after the change, given the degrees before."""
        gained = np.bincount(self.added.ravel(), minlength=degrees.size)
        return degrees + gained - np.bincount(self.deleted.ravel(), minlength=degrees.size)

    def claim(self, n: int) -> DegreeClaim:
        """Return what a release with this change promises in public."""
        earlier = self.constraints.earlier_degrees
        return DegreeClaim(
            k=self.k,
            n=n,
            supergraph=not self.deletions_allowed,
            scope="whole" if self.constraints.subset is None else "subset",
            earlier=0 if earlier is None else int(earlier.shape[1]),
        )

    def terms(self) -> Terms:
        """Return what it promises to the owner besides."""
        limits = {field.name: getattr(self.constraints, field.name) for field in fields(Constraints)}
        return Terms(additions=int(self.added.shape[0]), deletions=int(self.deleted.shape[0]), **limits)
