"""Mean and standard deviation of attributes in a database, to the same bits on every backend."""

import sys
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Floats
from graphkit.errors import InvalidInput
from graphkit.numbers import counted

if TYPE_CHECKING:
    import ibis.expr.types as ir

# steps into which the range of an attribute is divided; their squares, in two halves, are summed as whole numbers
_STEPS = 1 << 26
_HALF = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """How attributes are scaled: (value − center) / spread; a constant one becomes 0."""

    records: int
    centers: Floats
    spreads: Floats
    """Standard deviations; 0 where all values are alike."""

    def scaled(self, values: Floats) -> Floats:
        """Return values as they are compared."""
        scaled: Floats = np.divide(
            values - self.centers, self.spreads, out=np.zeros_like(values), where=self.spreads > 0
        )
        return scaled


def scaling_of(connection: Any, table: "ir.Table", attributes: tuple[str, ...]) -> Scaling:
    """Return the scaling of the attributes of a table.

    Parameters
    ----------
    connection : ibis.BaseBackend
    table : ibis Table
        Columns `attributes`, as floating-point numbers.
    attributes : tuple of str

    Raises
    ------
    InvalidInput
        If a value is missing or not finite; how many, never which.

    Notes
    -----
    A backend adds numbers in an order of its own, so sums of floating-point numbers differ in their last bits. Values
    are rounded down to one of 2²⁶ steps between the least and the largest one, and whole numbers are added instead.
    """
    wanted = {"records": table.count()}
    for number, name in enumerate(attributes):
        column = table[name]
        wanted |= {
            f"bad{number}": is_no_number(column).sum(),
            f"low{number}": column.min(),
            f"high{number}": column.max(),
        }
    found = _row(connection, table.aggregate(**wanted))
    for number, name in enumerate(attributes):
        if found[f"bad{number}"]:
            bad = counted(int(found[f"bad{number}"]), "record", "records")
            raise InvalidInput(f"{bad} without a finite number in {name!r}; impute or leave out these records first")
    sums: dict[str, Any] = {}
    for number, name in enumerate(attributes):
        low, high = found[f"low{number}"], found[f"high{number}"]
        if low is None or not high - low < np.inf or low == high:
            continue
        steps = ((table[name] - low) / (high - low) * float(_STEPS)).floor().cast("int64")
        squares = steps * steps
        sums |= {
            f"sum{number}": steps.sum(),
            f"large{number}": (squares // _HALF).cast("int64").sum(),
            f"small{number}": (squares % _HALF).sum(),
        }
    totals = _row(connection, table.aggregate(**sums)) if sums else {}
    records = int(found["records"])
    centers, spreads = np.zeros(len(attributes)), np.zeros(len(attributes))
    for number in range(len(attributes)):
        if f"sum{number}" not in totals:
            centers[number] = found[f"low{number}"] or 0.0
            continue
        total = int(totals[f"sum{number}"])
        squares = int(totals[f"large{number}"]) * _HALF + int(totals[f"small{number}"])
        step = (found[f"high{number}"] - found[f"low{number}"]) / _STEPS
        centers[number] = found[f"low{number}"] + step * (total / records)
        spreads[number] = step * sqrt(max(0, squares * records - total * total)) / records
    return Scaling(records, centers, spreads)


def is_no_number(column: "ir.NumericColumn") -> Any:
    """Return whether values are missing or not finite; to a backend, what is no number is larger than all."""
    return ~(column.abs() <= sys.float_info.max).fill_null(False)


def _row(connection: Any, table: "ir.Table") -> dict[str, Any]:
    found: dict[str, Any] = connection.to_pyarrow(table).to_pylist()[0]
    return found
