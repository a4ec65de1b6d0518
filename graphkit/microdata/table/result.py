"""What is answered about a table that was microaggregated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Floats
from graphkit.presentation import Presentable

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True, slots=True, eq=False)
class TableMicroaggregation(Presentable):
    """Groups of at least k records, as a table in the backend; figures as in :class:`Microaggregation`."""

    k: int
    method: str
    records: int
    groups: int
    largest_group: int
    parts: int
    """Parts of the first round."""
    sse: float
    sst: float
    table: ir.Table
    """Columns ``record``, ``group`` (its first record), ``a0`` … and the means ``m0`` …, by the order of the
    attributes. Protected."""
    spreads: Floats
    """Standard deviation of every attribute."""
    seconds: Mapping[str, float] = field(default_factory=dict)

    _figures = ("k", "method", "status", "records", "groups", "largest_group", "parts", "information_loss")
    _derived = ("status", "information_loss", "lower_bound", "proven_loss", "gap")

    def rounded_loss(self, connection: Any) -> float:
        """Return the information loss in percent of the means as they are in the table, after any rounding."""
        varying = np.flatnonzero(self.spreads)
        if not varying.size:
            return 0.0
        steps = {f"s{n}": ((self.table[f"a{n}"] - self.table[f"m{n}"]) ** 2).mean() for n in varying}
        found = connection.to_pyarrow(self.table.aggregate(**steps)).to_pylist()[0]
        return float(100 * np.mean([found[f"s{n}"] / self.spreads[n] ** 2 for n in varying]))

    @property
    def status(self) -> str:
        """`optimal` where nothing is lost, else `feasible`."""
        return "feasible" if self.sse else "optimal"

    @property
    def information_loss(self) -> float:
        """Share of the variation that is lost, 100 sse / sst, in percent; 0 where all records are alike."""
        return 100 * self.sse / self.sst if self.sst else 0.0

    @property
    def lower_bound(self) -> float:
        """0: nothing is proven about more records than fit in memory."""
        return 0.0

    @property
    def proven_loss(self) -> float:
        """Loss in percent that no partition is below."""
        return 0.0

    @property
    def gap(self) -> float:
        """(sse − lower bound) / sse; 0 where nothing is lost."""
        return 1.0 if self.sse else 0.0
