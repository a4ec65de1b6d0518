"""The linear program of a whole small graph, with inequalities of whole solutions that it violates."""

import math
from typing import Any, NamedTuple

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.edge_model import SPARE, EdgeModel, steps_of
from graphkit.networks.bounds.programs.rounds import has_stalled
from graphkit.networks.bounds.programs.rows import Rows
from graphkit.networks.bounds.programs.solving import run
from graphkit.networks.bounds.programs.whole_rows import Groups, LeaderRows, LevelRows, PartnerRows, Places, Row
from graphkit.networks.core.high_degree_core import Positions
from graphkit.solver import limit_columns, new_solver

UNKNOWN, UNUSED, USED = -1, 0, 1
"""What is said of a level."""
ROUNDING = 1e-4
# units of a column before the first step of the simplex method, and in each search for rows
_COLUMN, _SEARCH = 5, 2
# units of a step of the simplex method, to which so many rows add one; columns tell less
_STEP, _PART = 10, 12
# where some rounds raise the value by less than that share, branching tells more
_GAIN = 0.008
# so few columns left that the solver is told
_SHRUNK = 0.95


class Relaxed(NamedTuple):
    """A linear program, solved."""

    value: float
    """Infinite where it has no solution."""
    most: Floats
    """The largest value of each column in sets of fewer edges than the target."""
    level: int | None
    """One that is neither used nor unused in it, and of which nothing is said."""
    after: Ints | None = None
    """The degree that each position has most of."""
    used: Floats | None = None
    """How many groups each level has."""


def is_over(value: float, target: int) -> bool:
    """Return whether sets of at least `value` edges are no fewer than the target."""
    return value > target - 1 + ROUNDING


class EdgeRelaxation(EdgeModel):
    """The linear program of all sets of fewer than some number of new edges, also of those that use some levels.

    Parameters
    ----------
    positions : Positions
        All vertices of the graph, each in the core.
    limit : int
        The largest of those numbers.

    Notes
    -----
    There is one for all numbers: rows that were found for one hold for all, and the last solution is where the next
    begins. 400 vertices, 97 % of all pairs adjacent, k = 20: those of fewer than 61, 63, 67, 69, 73, 75 and 74 edges in
    a third of the time of seven of their own.

    A vertex that is to be joined once can rise six degrees by a sixth; then it is joined to hubs without a share of any
    other level. The rows of :class:`~graphkit.networks.bounds.programs.whole_rows.PartnerRows` forbid that; with those
    of levels and leaders the value is far above that of the program alone. 400 vertices, 95 % of all pairs adjacent,
    k = 20: 64.9 without any, 76 with them.
    """

    def __init__(self, positions: Positions, limit: int) -> None:
        super().__init__(positions, limit)
        self.target = limit
        """Sets have fewer edges."""
        # the groups on each level that has some
        self._used_levels, place = np.unique(self._groups[:, 2], return_inverse=True)
        self._on_level = [np.flatnonzero(place == level) for level in range(self._used_levels.size)]
        n = self._degrees.size
        pairs = np.full((n, n), -1)
        pairs[self._ends] = self._first_edge + np.arange(self._ends[0].size)
        self._pairs = np.maximum(pairs, pairs.T)
        vertex, level = self._places
        begin, end, goal = self._groups.T
        groups = Groups(begin, end, goal, self._levels.size, self._k)
        places = Places(vertex, self._levels[level] - self._degrees[vertex], level, self._first_place)
        self._kinds = LevelRows(groups, places), LeaderRows(groups, places, self._pairs, self._degrees)
        self._partners = PartnerRows(places, self._pairs)
        self._solver: Any = None

    @property
    def number_of_levels(self) -> int:
        """Of those that have a group."""
        return len(self._on_level)

    def is_over(self, value: float) -> bool:
        """Return whether sets of at least so many edges are no fewer than the target."""
        return is_over(value, self.target)

    def aim_at(self, target: int) -> None:
        """Look for fewer edges than that; above the limit not all such sets are there."""
        self.target = target
        if self._solver is not None:
            self.demand(self._solver, target)

    def demand(self, solver: Any, size: int) -> None:
        """Demand fewer than so many edges of the solutions of a solver."""
        solver.changeRowBounds(self._first_row - 1, -highspy.kHighsInf, size - 1 + SPARE)

    def degrees_of(self, levels: Ints) -> frozenset[tuple[int, bool]]:
        """Return the degrees of which it is said whether they are used."""
        told = levels != UNKNOWN
        degrees = self._levels[self._used_levels[told]]
        return frozenset(zip(degrees.tolist(), (levels[told] == USED).tolist(), strict=True))

    def solved(self, levels: Ints, most: Floats, end: int, budget: Budget) -> Relaxed | None:
        """Solve it; rows are added until that tells little.

        Parameters
        ----------
        levels : ndarray of int64
            What is said of each level.
        most : ndarray of float64, shape (columns,)
            The largest value of each column; those of unused levels become zero.
        end : int
            Units of work after which no more rows are added.
        budget : Budget
            Its time ends it as well.

        Returns
        -------
        Relaxed or None
            None where not even the first linear program was solved to its end.
        """
        if self._solver is None:
            self._load()
        most = most * self._possible(levels)
        limit_columns(self._solver, most)
        for level, use in enumerate(levels.tolist()):
            self._solver.changeRowBounds(self._first_row + level, float(use == USED), highspy.kHighsInf)
        values: list[float] = []
        self._middle: Floats | None = None
        found: Relaxed | None = None
        while True:
            price = _STEP + self._solver.getNumRow() // _PART
            self._solver.setOptionValue("simplex_iteration_limit", max(0, end - self.work) // price)
            run(self._solver, budget)
            self.work += steps_of(self._solver) * price
            status = self._solver.getModelStatus()
            if status == highspy.HighsModelStatus.kInfeasible:
                return Relaxed(math.inf, most, None)
            if status != highspy.HighsModelStatus.kOptimal:
                return found
            solution = np.array(self._solver.getSolution().col_value)
            found = self._relaxed(levels, most, solution)
            if found.most.sum() < _SHRUNK * most.sum():
                most = found.most
                limit_columns(self._solver, most)
            values.append(found.value)
            self._rows.remove_idle()
            if self.is_over(found.value) or has_stalled(values, _GAIN) or not self._separate(solution):
                return found

    def _relaxed(self, levels: Ints, most: Floats, values: Floats) -> Relaxed:
        """Return what the present solution says, given the values of all columns."""
        value = self._solver.getInfo().objective_function_value
        # a set with one of these has no fewer edges than the target
        dear = value + np.array(self._solver.getSolution().col_dual) > self.target - SPARE
        taken, shares = values[: self._first_place], values[self._first_place : self._first_edge]
        used = np.array([taken[groups].sum() for groups in self._on_level])
        between = np.where(levels == UNKNOWN, np.minimum(used, 1 - used), 0.0)
        level = int(np.argmax(between)) if between.max(initial=0) > ROUNDING else None
        vertex, goal = self._places
        # the last of each vertex has most
        order = np.lexsort((shares, vertex))
        last = order[np.append(vertex[order][1:] != vertex[order][:-1], True)]
        return Relaxed(value, np.where(dear, 0.0, most), level, self._levels[goal[last]], used)

    def _separate(self, values: Floats) -> bool:
        """Add rows that the values of all columns violate; return whether there are any."""
        self.work += self.columns * _SEARCH
        self._middle = values if self._middle is None else (self._middle + values) / 2
        return self._rows.add(self._violated(self._middle)) or self._rows.add(self._violated(values))

    def _violated(self, values: Floats) -> list[Row]:
        joined = np.where(self._pairs < 0, 0.0, values[self._pairs])
        levels, leaders = self._kinds
        return levels.violated(values) + leaders.violated(values, joined) + self._partners.violated(values, joined)

    def _load(self) -> None:
        """Give the linear program to a solver, with a row for each level: how many groups it has."""
        self.work += self.columns * _COLUMN
        self._solver = new_solver()
        self._solver.passModel(self.model())
        self._first_row = self._solver.getNumRow()
        self.demand(self._solver, self.target)
        for groups in self._on_level:
            self._solver.addRow(0.0, highspy.kHighsInf, groups.size, groups.astype(np.int32), np.ones(groups.size))
        self._rows = Rows(self._solver)

    def integer_program(self) -> Any:
        """Return a solver of the linear program as it was solved last, all columns of which are to be whole."""
        return self.integral(self._solver.getLp())

    def near(self, after: Ints, moves: int) -> Bools:
        """Return whether each column can be used where every position ends at most so many degrees from where said."""
        vertex, level = self._places
        near = np.ones(self.columns, dtype=np.bool_)
        near[self._first_place : self._first_edge] = np.abs(self._levels[level] - after[vertex]) <= moves
        return near

    def _possible(self, levels: Ints) -> Bools:
        """Return whether each column can be used."""
        unused = self._used_levels[levels == UNUSED]
        possible = np.ones(self.columns, dtype=np.bool_)
        possible[: self._first_place] = ~np.isin(self._groups[:, 2], unused)
        possible[self._first_place : self._first_edge] = ~np.isin(self._places[1], unused)
        return possible
