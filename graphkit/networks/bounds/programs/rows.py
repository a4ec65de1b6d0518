"""Rows of a program that come and go: inequalities of sets, and those of whole numbers."""

from collections.abc import Callable, Sequence

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.networks.bounds.programs.whole_rows import Row

TOLERANCE = 1e-4
"""By so much a solution may miss what is demanded."""
_LITTLE = 1e-4
"""A hundred times what the solver tolerates: with more, what many rows are spared adds up."""


class Rows:
    """Adds rows to a solver's program, and removes those that its solution does not reach.

    Parameters
    ----------
    solver : highspy.Highs
        Nobody else removes rows of it.
    """

    def __init__(self, solver: highspy.Highs) -> None:
        self._solver = solver
        self.named: dict[bytes, int] = {}
        """Row of each that has a name and is demanded; rows ascend."""
        self._known: dict[bytes, Row] = {}
        """Those, and those that are set aside."""
        self._removable = np.zeros(0, dtype=np.int64)
        """Rows that may be removed, ascending."""

    def demand(self, least: float, most: float, row: Floats) -> None:
        """Demand for good that the sum of some columns with the values of a row is in a range."""
        columns = np.flatnonzero(row).astype(np.int32)
        self._solver.addRow(float(least), float(most), columns.size, columns, row[columns])

    def demand_named(self, name: bytes, make: Callable[[], Row]) -> bool:
        """Demand a row that is known by a name, or made now; return whether it was not demanded before."""
        if name in self.named:
            return False
        if name not in self._known:
            self._known[name] = make()
        self._demand_known(name)
        return True

    def _demand_known(self, name: bytes) -> None:
        columns, coefficients, most = self._known[name]
        self.named[name] = self._solver.getNumRow()
        self._solver.addRow(-highspy.kHighsInf, float(most), columns.size, columns.astype(np.int32), coefficients)

    def set_aside(self) -> None:
        """Demand those with names no more that the present solution does not reach, until one violates them."""
        rows = np.fromiter(self.named.values(), dtype=np.int64)
        is_idle = self._is_idle(rows)
        kept = zip(self.named.items(), is_idle, strict=True)
        self.named = dict(one for one, idle in kept if not idle)
        self._delete(rows[is_idle])

    def take_back(self, values: Floats) -> bool:
        """Demand what was set aside and values of all columns violate; return whether there is any."""
        violated = [
            name
            for name, row in self._known.items()
            if name not in self.named and row.coefficients @ values[row.columns] > row.most + TOLERANCE
        ]
        for name in violated:
            self._demand_known(name)
        return bool(violated)

    def add(self, rows: Sequence[Row], *, is_removable: bool = True) -> bool:
        """Demand rows of whole numbers; return whether there are any."""
        if not rows:
            return False
        starts = np.cumsum([0, *(row.columns.size for row in rows)])
        columns = np.concatenate([row.columns for row in rows]).astype(np.int32)
        values = np.concatenate([row.coefficients for row in rows])
        most = np.array([row.most for row in rows]) + _LITTLE
        least = np.full(len(rows), -highspy.kHighsInf)
        if is_removable:
            first = self._solver.getNumRow()
            self._removable = np.concatenate((self._removable, np.arange(first, first + len(rows))))
        self._solver.addRows(len(rows), least, most, columns.size, starts[:-1].astype(np.int32), columns, values)
        return True

    def remove_idle(self) -> None:
        """Remove those of whole numbers that the present solution does not reach; what needs them finds them again."""
        is_idle = self._is_idle(self._removable)
        idle, self._removable = self._removable[is_idle], self._removable[~is_idle]
        self._delete(idle)

    def _is_idle(self, rows: Ints) -> Bools:
        """Return which rows the present solution does not reach; those that are newer than it count as reached."""
        status = list(self._solver.getBasis().row_status)
        basic = highspy.HighsBasisStatus.kBasic
        return np.array([row < len(status) and status[row] == basic for row in rows], dtype=np.bool_)

    def _delete(self, rows: Ints) -> None:
        """Remove rows, ascending, that are not kept any more, and number those that are anew."""
        if rows.size:
            self._solver.deleteRows(rows.size, rows.astype(np.int32))
            self._removable -= np.searchsorted(rows, self._removable)
            kept = np.fromiter(self.named.values(), dtype=np.int64)
            self.named = dict(zip(self.named, (kept - np.searchsorted(rows, kept)).tolist(), strict=True))
