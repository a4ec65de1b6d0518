"""What is done with one part of generalized records where no tuple reaches across its border.

So it is where something is asked for that exchanges across borders do not keep: demands, strata, records left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.effort import SECOND
from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.diverse.demands import published_values
from graphkit.microdata.generalization.driver import generalize
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of
from graphkit.microdata.generalization.stratum import DEFAULT_METHOD
from graphkit.microdata.generalization.suppression.allowance import most_suppressed
from graphkit.microdata.table.arrow_lists import lists
from graphkit.microdata.table.covering_parts import COVERED, EXTENT, code
from graphkit.microdata.table.engine import LOSS, PART, RECORD

if TYPE_CHECKING:
    import pyarrow as pa

VALUES = "values"
STRATUM = "stratum"


def sensitive_value(number: int) -> str:
    """Return the name of the column that holds the values of a demand."""
    return f"s{number}"


Totals = tuple[tuple[Ints, Ints] | None, ...]
"""Of each demand of `t`, the categories of the whole table, ascending, and how many records have each; or of none."""


def numbered(values: Sequence[Ints], totals: Totals) -> list[Ints]:
    """Return ranks in the whole table where a distance from it is demanded; else only which are equal counts."""
    return [
        published_values([column])[0] if total is None else np.searchsorted(total[0], column)
        for column, total in zip(values, totals or (None,) * len(values), strict=True)
    ]


def counts_of(totals: Totals) -> list[Ints | None] | None:
    """Return how many records of the whole table have each category, demand by demand."""
    return [None if total is None else total[1] for total in totals] or None


@dataclass(frozen=True, slots=True, eq=False)
class ClosedWork:
    """Takes the records of a part, returns a tuple of each that is not left out; called in other processes, too."""

    k: int
    attributes: Sequence[Attribute]
    method: str
    units_a_record: float
    """Work."""
    seed: int
    demands: Sequence[Demand]
    suppressed: float
    """Share of the records that may be left out, at most."""
    totals: Totals = ()

    def check(self, records: int, sensitive: Sequence[str]) -> None:
        """Refuse what parts cannot do, before anything is done.

        Raises
        ------
        InvalidInput
            If `t` is demanded and records may be left out, there is not a column for each demand, the method knows no
            demands, or too many records may be left out.
        """
        if self.suppressed and any(demand.t is not None for demand in self.demands):
            raise InvalidInput("t is the distance from all that is published, and no part sees what others leave out")
        if len(self.demands) != len(sensitive):
            raise InvalidInput("name the column of each demand")
        if self.demands and self.method != DEFAULT_METHOD:
            raise InvalidInput(f"method {self.method!r} knows no demands on sensitive values; use {DEFAULT_METHOD!r}")
        most_suppressed(self.suppressed, [records], self.k)

    def __call__(self, table: "pa.Table") -> "pa.Table":
        """Return tuples, each with the values of the record of its number."""
        import pyarrow as pa

        table = table.sort_by(RECORD)
        numbers, part = table.column(RECORD).to_numpy(), int(table.column(PART)[0].as_py())
        columns = [table.column(code(place)).to_numpy() for place in range(len(self.attributes))]
        codes = np.column_stack(columns).astype(np.int64)
        values = [table.column(sensitive_value(place)).to_numpy() for place in range(len(self.demands))]
        found = generalize(
            codes,
            self.attributes,
            self.k,
            method=self.method,
            demands=self.demands,
            sensitive=numbered(values, self.totals),
            totals=counts_of(self.totals),
            suppressed=self.suppressed,
            seed=np.random.default_rng([self.seed, part]),
            effort=self.units_a_record * numbers.size / SECOND,
        )
        # with demands, the record in every matching
        rows = found.covered if found.matchings is None else np.ascontiguousarray(found.matchings.T)
        layout, own = layout_of(self.attributes), rows[:, 0]
        extents = joined(layout, codes, rows)
        # what a part lost stands in its first row
        loss = np.full(own.size, np.nan)
        loss[0] = losses_of(layout, extents).sum()
        held: dict[str, Any] = {
            RECORD: numbers[own],
            PART: np.full(own.size, part),
            LOSS: loss,
            COVERED: lists(numbers[rows]),
            EXTENT: lists(extents),
        }
        if values:
            held[VALUES] = lists(np.column_stack([column[own] for column in values]).astype(np.int64))
        return pa.table(held)

    def columns(self) -> dict[str, str]:
        """Return the columns of the answer, with their types as Ibis calls them."""
        found = {RECORD: "int64", PART: "int64", LOSS: "float64", COVERED: "array<int64>", EXTENT: "array<int64>"}
        return found | ({VALUES: "array<int64>"} if self.demands else {})
