"""What is answered about a table that was generalized."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphkit.microdata.demand import Demand
from graphkit.microdata.table.closed_parts import Totals
from graphkit.presentation import Presentable

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, slots=True, eq=False)
class TableGeneralization(Presentable):
    """What every tuple covers, as a table in the backend; figures as in :class:`Generalization`."""

    k: int
    method: str
    records: int
    parts: int
    """Parts of the first round."""
    regions: int
    """Parts that no tuple reaches across."""
    loss: float
    """GCP, the global certainty penalty: the mean loss of the tuples, between 0 and 1."""
    table: ir.Table
    """Columns ``record`` (the number of the tuple), ``covered`` (k numbers of records), ``extent`` and ``part`` (the
    region). Protected."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    suppressed: int = 0
    """Records that were left out: no tuple is theirs, and none covers them."""
    demands: tuple[Demand, ...] = ()
    """What every record sees of sensitive values under each of the k matchings in which `covered` names its records;
    the values of the record of the tuple are in ``values`` then."""
    totals: Totals = ()
    """Of each demand, what its distance is from. Protected."""

    _figures = ("k", "method", "status", "records", "parts", "loss", "lower_bound", "gap")
    _derived = ("status", "lower_bound", "gap")

    @property
    def status(self) -> str:
        """`optimal` where nothing is lost, else `feasible`."""
        return "feasible" if self.loss else "optimal"

    @property
    def lower_bound(self) -> float:
        """0: nothing is proven about more records than fit in memory."""
        return 0.0

    @property
    def gap(self) -> float:
        """(loss − lower bound) / loss; 0 where nothing is lost."""
        return 1.0 if self.loss else 0.0
