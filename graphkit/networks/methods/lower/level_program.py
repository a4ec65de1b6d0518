"""How many vertices of every kind end on which degree, by a linear program that is made whole step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np
from scipy.sparse import coo_array

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.core.lower_vertices import MEMBER, LowerVertices
from graphkit.solver import limit_columns, linear_program, new_solver

_RUNS = 120
# a demand that serves a set is that much better than one that serves none
_SERVING, _ALIKE = 1e-3, 1e-3
_NONE = 1e-6
# more edges than the linear program needs, where whole numbers need them
_MORE = (0, 1, 2, 4, 8, 16, 32)
# columns of a solution that is read, and steps of the simplex method times rows and columns, that count one unit
_READ, _STEPS = 2, 130


class LevelProgram:
    """Whole numbers for kinds and demands: each level is that of k vertices at least or of none.

    Parameters
    ----------
    lower : LowerVertices
        Vertices in kinds.
    kind, demand : ndarray of int64, shape (m,)
        Of every column. Together they say on which degree, or level, its vertices end.
    needs : sequence of int
        What each set must find: a sum of demands, each no more than the kind has partners in the set, less those of
        its members among the kinds.
    given : int
        Demands of others; the sum of all is even.
    k : int
        Least number of vertices on a level.

    Notes
    -----
    Levels that the linear program leaves with fewer than k vertices are opened or closed one by one, the clearest first
    (diving), then numbers of vertices are fixed likewise. What comes of it need not be the best. HiGHS would solve the
    integer program to its end, with minutes of cuts before it finds the first solution.

    Each solution is charged: what it takes to read it, and the steps of the simplex method times rows and columns.
    """

    def __init__(
        self, lower: LowerVertices, kind: Ints, demand: Ints, needs: Sequence[int], given: int, k: int
    ) -> None:
        self._kinds, self._k, self._given = lower.counts.size, k, given
        self.kind, self.demand = kind, demand
        self._most = lower.counts[kind].astype(np.float64)
        self.levels, self._level = np.unique(lower.degrees[kind] + demand, return_inverse=True)
        self._decided = np.zeros(self.levels.size, dtype=np.bool_)
        self._runs = self._end = 0
        columns, first = kind.size, self._kinds + self.levels.size
        each, ones = np.arange(columns), np.ones(columns)
        # a member asks for what it demands
        partners = lower.partners[kind]
        serving = np.where(partners == MEMBER, -demand[:, None], np.minimum(demand[:, None], partners))
        # rows of kinds, of degrees, of sets, and of the sum, whose half is the last column
        total = first + len(needs)
        entries: list[tuple[Ints, Ints, Floats | Ints]] = [
            (kind, each, ones),
            (self._kinds + self._level, each, ones),
            *((np.full(columns, first + number), each, serving[:, number]) for number in range(len(needs))),
            (np.full(columns, total), each, demand),
            (np.array([total]), np.array([columns]), np.array([-2])),
        ]
        row, column, value = (np.concatenate([entry[part] for entry in entries]) for part in range(3))
        matrix = coo_array((value.astype(np.float64), (row, column)), shape=(total + 1, columns + 1)).tocsc()
        counts, endless = lower.counts.astype(np.float64), highspy.kHighsInf
        least = np.concatenate((counts, np.zeros(self.levels.size), needs, [-given]))
        most = np.concatenate((counts, np.full(self.levels.size + len(needs), endless), [-given]))
        cost = np.append(demand - _SERVING * serving.mean(axis=1), 0.0)
        limits = np.zeros(columns + 1), np.append(self._most, endless)
        self._solver: Any = new_solver()
        self._solver.passModel(
            linear_program(cost, limits, (least, most), (matrix.indptr, matrix.indices, matrix.data))
        )

    def decide(self, levels: Bools, are_open: Bools) -> None:
        """Open or close these degrees for good; both of shape (levels,)."""
        self._decided |= levels
        for level in np.flatnonzero(levels).tolist():
            self._decide(level, bool(are_open[level]))

    def relaxed(self, budget: Budget, end: int) -> Floats | None:
        """Return how many vertices the linear program has on each level; None where it has no solution.

        Shape (levels,). The program serves for nothing else after that.
        """
        self._end = end
        # of equal sums the one that raises all alike: the same vertices remain in groups
        alike = self.demand * (1 + _ALIKE * self.demand / max(int(self.demand.max(initial=0)), 1))
        self._solver.changeColsCost(alike.size, np.arange(alike.size, dtype=np.int32), alike)
        return self._counts() if self._run(budget) else None

    def solved(self, least: int, limit: int, budget: Budget, end: int) -> Ints | None:
        """Return a number for every column, so that all demands sum up to `least` at least, and less than `limit`.

        None where none were found before the budget's work was `end`.
        """
        self._end = end
        if not self._run(budget) or not self._settle_levels(budget):
            return None
        edges = math.ceil((max(self._given + float(self.demand @ self._values()), least) - _NONE) / 2)
        for more in _MORE:
            if 2 * (edges + more) >= limit:
                return None
            self._solver.changeColBounds(self.demand.size, float(edges + more), float(edges + more))
            if self._run(budget) and self._settle_numbers(budget):
                return np.rint(self._values()).astype(np.int64)
            limit_columns(self._solver, self._most)
        return None

    def _run(self, budget: Budget) -> bool:
        """Solve it; return whether there is a solution, and work for it."""
        if self._runs >= _RUNS or budget.work >= self._end or budget.is_spent():
            return False
        self._runs += 1
        self._solver.run()
        steps = max(self._solver.getInfo().simplex_iteration_count, 0)
        size = self.demand.size + self.levels.size + self._kinds
        budget.charge(self.demand.size // _READ + steps * size // _STEPS)
        return bool(self._solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def _values(self) -> Floats:
        values: Floats = np.array(self._solver.getSolution().col_value)[:-1]
        return values

    def _counts(self) -> Floats:
        return np.bincount(self._level, weights=self._values(), minlength=self.levels.size).astype(np.float64)

    def _settle_levels(self, budget: Budget) -> bool:
        """Open or close degrees until none has fewer than k vertices; return whether that went well."""
        while True:
            counts = self._counts()
            few = np.flatnonzero((counts > _NONE) & (counts < self._k - _NONE) & ~self._decided)
            if few.size == 0:
                break
            shares = counts[few] / self._k
            clearest = int(np.argmax(np.maximum(shares, 1 - shares)))
            level, is_open = int(few[clearest]), bool(shares[clearest] >= 0.5)
            self._decided[level] = True
            self._decide(level, is_open)
            if not self._run(budget):
                self._decide(level, not is_open)
                if not self._run(budget):
                    return False
        self.decide(np.ones_like(self._decided), counts > _NONE)
        return True

    def _decide(self, level: int, is_open: bool) -> None:
        least, most = (float(self._k), highspy.kHighsInf) if is_open else (0.0, 0.0)
        self._solver.changeRowBounds(self._kinds + level, least, most)

    def _settle_numbers(self, budget: Budget) -> bool:
        """Fix numbers that are not whole, until all are; return whether that went well."""
        while True:
            values = self._values()
            off = np.abs(values - np.rint(values))
            parts = np.flatnonzero(off > _NONE)
            if parts.size == 0:
                return True
            column = int(parts[np.argmin(off[parts])])
            near = float(np.rint(values[column]))
            other = float(math.floor(values[column]) if near > values[column] else math.ceil(values[column]))
            self._solver.changeColBounds(column, near, near)
            if not self._run(budget):
                self._solver.changeColBounds(column, other, other)
                if not self._run(budget):
                    return False
