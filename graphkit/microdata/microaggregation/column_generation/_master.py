"""The master program: every record in exactly one of the groups known so far, at least total SSE."""

from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.solver import new_solver

_PRIMAL = 4
"""Strategy of HiGHS: a basis stays feasible when columns are added."""
_DUAL = 1
_EXACT = 1e-9
_LEFT_OUT = 1e-7


class Solved(NamedTuple):
    """What the linear program over the columns says."""

    value: float
    weights: Floats
    """Of every column of the program, shape (columns,)."""
    left_out: Ints
    """Records that are in no group by a part."""
    records: Floats
    """Dual of every record, shape (n,)."""
    group: float
    """Charge of every group, not negative."""
    cuts: Floats
    """Charge of every cut, none negative."""
    iterations: int


class Master:
    """Set partitioning over columns that are added in place, without the demand that weights are whole.

    Parameters
    ----------
    costs : ndarray of float, shape (n,)
        What it costs to leave a record out; :meth:`raise_costs` where that is done. The duals are no larger.

    most_groups : int
        How many groups there are at most: a row of its own, which says something where n is no multiple of k.

    Notes
    -----
    A cut is a row too: of the groups with at least two of its three records, weights sum to at most 1.
    """

    def __init__(self, costs: Floats, most_groups: int) -> None:
        n = self.n = costs.size
        self.costs = costs.copy()
        self._known: set[bytes] = set()
        self._allowed = np.ones(0, np.bool_)
        self.triples = np.zeros((0, 3), np.int64)
        self.columns = Columns.empty()
        self._solver: Any = new_solver(
            simplex_strategy=_PRIMAL, primal_feasibility_tolerance=_EXACT, dual_feasibility_tolerance=_EXACT
        )
        self._first_cut = n + 1
        lower, upper = np.append(np.ones(n), -np.inf), np.append(np.ones(n), float(most_groups))
        self._solver.addRows(n + 1, lower, upper, 0, _NONE, _NONE, np.zeros(0))
        rows = np.arange(n, dtype=np.int32)
        self._solver.addCols(n, self.costs, np.zeros(n), np.full(n, np.inf), n, rows, rows, np.ones(n))

    def add(self, columns: Columns) -> int:
        """Let more groups be chosen; return how many of them were not known."""
        keys = columns.marks()
        columns = columns.chosen(np.flatnonzero([key not in self._known for key in keys]))
        self._known.update(keys)
        if not columns.size:
            return 0
        starts, rows = self._rows_of(columns)
        self._solver.addCols(
            columns.size,
            columns.losses,
            np.zeros(columns.size),
            np.full(columns.size, np.inf),
            rows.size,
            starts[:-1].astype(np.int32),
            rows.astype(np.int32),
            np.ones(rows.size),
        )
        self.columns = self.columns.joined(columns)
        return columns.size

    def allow(self, allowed: Bools) -> bool:
        """Say which columns may have a weight; return whether others might before."""
        before = np.concatenate((self._allowed, np.ones(allowed.size - self._allowed.size, np.bool_)))
        self._allowed = allowed
        changed = np.flatnonzero(allowed != before)
        if not changed.size:
            return False
        at = (changed + self.n).astype(np.int32)
        self._solver.changeColsBounds(at.size, at, np.zeros(at.size), np.where(allowed[changed], np.inf, 0.0))
        return True

    def raise_costs(self, left_out: Ints, factor: float) -> None:
        """Make it dearer to leave records out."""
        self.costs[left_out] *= factor
        at = left_out.astype(np.int32)
        self._solver.changeColsCost(at.size, at, self.costs[left_out])

    def cut(self, triples: Ints) -> None:
        """Add cuts, a row of three records each."""
        inside = self.columns.in_cuts(self.n, triples)
        cuts, columns = np.nonzero(inside)
        starts = np.searchsorted(cuts, np.arange(triples.shape[0]))
        self._solver.addRows(
            triples.shape[0],
            np.full(triples.shape[0], -np.inf),
            np.ones(triples.shape[0]),
            cuts.size,
            starts.astype(np.int32),
            (columns + self.n).astype(np.int32),
            np.ones(cuts.size),
        )
        self.triples = np.concatenate((self.triples, triples))

    def drop_cuts(self, kept: Bools) -> None:
        """Forget cuts that do not bind."""
        gone = (np.flatnonzero(~kept) + self._first_cut).astype(np.int32)
        if gone.size:
            self._solver.deleteRows(gone.size, gone)
            self.triples = self.triples[kept]

    def drop_columns(self, kept: Bools) -> None:
        """Forget columns that cost too much."""
        gone = (np.flatnonzero(~kept) + self.n).astype(np.int32)
        if gone.size:
            self._solver.deleteCols(gone.size, gone)
            self.columns = self.columns.chosen(np.flatnonzero(kept))
            self._known = set(self.columns.marks())
            every = np.ones(kept.size, np.bool_)
            every[: self._allowed.size] = self._allowed
            self._allowed = every[kept]

    def solve(self, *, changed: bool = False) -> Solved:
        """Solve the linear program from the last basis on, which is not feasible if rows or limits were changed."""
        self._solver.setOptionValue("simplex_strategy", _DUAL if changed else _PRIMAL)
        self._solver.run()
        solution = self._solver.getSolution()
        values = np.asarray(solution.col_value)
        info = self._solver.getInfo()
        duals = np.asarray(solution.row_dual)
        return Solved(
            float(info.objective_function_value),
            values[self.n :],
            np.flatnonzero(values[: self.n] > _LEFT_OUT),
            duals[: self.n],
            max(0.0, -float(duals[self.n])),
            np.maximum(0.0, -duals[self._first_cut :]),
            int(info.simplex_iteration_count),
        )

    def _rows_of(self, columns: Columns) -> tuple[Ints, Ints]:
        """Return where the rows of each column begin, and which they are."""
        starts, rows = columns.incidence()
        cuts, inside = np.nonzero(columns.in_cuts(self.n, self.triples))
        every = np.arange(columns.size)
        owners = np.concatenate((np.repeat(every, np.diff(starts)), every, inside))
        order = np.argsort(owners, kind="stable")
        return (
            np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=columns.size)))),
            np.concatenate((rows, np.full(every.size, self.n), cuts + self._first_cut))[order],
        )


_NONE = np.zeros(0, np.int32)
