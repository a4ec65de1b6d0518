"""The integer program of a whole small graph as a model: groups, who is on which level, and every new edge."""

import math
from typing import Any

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.groups import possible_levels, upper_groups
from graphkit.networks.bounds.programs.solving import make_integral
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.nested_neighbourhoods import nested_pairs
from graphkit.networks.effort.work import SEQUENCE_STEPS
from graphkit.networks.risk.degree_risk import is_k_anonymous
from graphkit.solver import linear_program, new_solver

_GROUPS = 20_000
# the number of edges is whole: so much of it is to spare for what the solver tolerates
SPARE = 0.5
# units of a round of cuts, at least
ROUND = 20_000

_Terms = tuple[Ints | int, Ints, Ints | Floats | int]
"""Rows, columns and values of some entries."""


def price_of(columns: int) -> int:
    """Return about how many units a round of cuts takes."""
    return ROUND + columns * math.isqrt(columns) // 5


def steps_of(solver: Any) -> int:
    """Return the steps of the simplex method that a solver took last."""
    return max(0, int(solver.getInfo().simplex_iteration_count))


class EdgeModel:
    """All sets of fewer than `target` new edges, as the whole points of a polytope.

    Parameters
    ----------
    positions : Positions
        All vertices of the graph, each in the core.
    target : int
        The size of a known solution.

    Notes
    -----
    See :mod:`graphkit.networks.bounds.integer_program`. Columns: groups, vertices on levels, new edges.
    """

    def __init__(self, positions: Positions, target: int) -> None:
        core, self._degrees, self._k = positions.core, positions.degrees, positions.k
        n, degrees, most = self._degrees.size, self._degrees, 2 * target - 2
        self._vertices, self.target = core.vertices, target
        # turned around, as where only degrees that occur are levels: one and the same machine code serves for both
        levels = np.arange(degrees[-1], n)[::-1]
        none = np.zeros((0, 2 * positions.k, levels.size), dtype=np.bool_)
        groups = upper_groups(degrees, levels, positions.k, levels.size, most, none, 0, _GROUPS)
        possible = possible_levels(degrees, levels, positions.k, levels.size, n, n, most)
        self.work = int(possible.sum()) * (n + positions.k**2) // SEQUENCE_STEPS
        """Units so far."""
        self.charged = 0
        """Those that were charged."""
        room = levels - degrees[:, None]
        possible &= np.isin(np.arange(levels.size), groups[:, 2]) & (room <= core.joinable.sum(axis=1)[:, None])
        rising: Bools = np.any(possible & (room > 0), axis=1)
        self._ends = np.nonzero(np.triu(core.joinable, 1) & np.logical_and.outer(rising, rising))
        self._groups, self._places = groups, np.nonzero(possible)
        self._first_place: int = groups.shape[0]
        self._first_edge = self._first_place + int(self._places[0].size)
        self.columns: int = self._first_edge + int(self._ends[0].size)
        """How many there are."""
        self.is_complete: bool = groups.shape[0] < _GROUPS
        """Whether all groups were looked for: of so many not all are, and then nothing is proven."""
        self._levels, self._joinable = levels, core.joinable

    def charge(self, budget: Budget) -> None:
        """Charge what it has taken since the last time."""
        budget.charge(self.work - self.charged)
        self.charged = self.work

    def edges_of(self, solver: Any) -> Ints | None:
        """Return the edges of a solver's best solution, or None if there is none, or rounded it is none."""
        if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None
        chosen = np.array(solver.getSolution().col_value)[self._first_edge :] > 0.5
        ends = np.column_stack(self._ends)[chosen]
        after = self._degrees + np.bincount(ends.ravel(), minlength=self._degrees.size)
        is_solution = is_k_anonymous(np.bincount(after), self._k) and ends.shape[0] < self.target
        return self._vertices[ends] if is_solution else None

    def model(self) -> Any:
        """Return the linear program."""
        n, degrees, levels = self._degrees.size, self._degrees, self._levels
        (begin, end, goal), (vertex, level), (first, second) = self._groups.T, self._places, self._ends
        groups = np.arange(self._first_place)
        places = np.arange(self._first_place, self._first_edge)
        edges = np.arange(self._first_edge, self.columns)
        inner = end < n
        orders = self._orders()
        # what follows another in the same column of numbers: borders, levels, vertices, demands, orders, all edges
        at_level, at_vertex, at_demand = n, n + levels.size, 2 * n + levels.size
        at_order = at_demand + n
        at_size = at_order + len(orders)
        entries: list[_Terms] = [
            # where a group ends another begins
            (begin, groups, 1),
            (end[inner], groups[inner], -1),
            # a level has as many vertices as places
            (at_level + goal, groups, end - begin),
            (at_level + level, places, -1),
            # a vertex is on one level, and is joined to as many others as that takes
            (at_vertex + vertex, places, 1),
            (at_demand + vertex, places, levels[level] - degrees[vertex]),
            (at_demand + first, edges, -1),
            (at_demand + second, edges, -1),
            *((at_order + row, columns, values) for row, (columns, values) in enumerate(orders)),
            (at_size, edges, 1),
        ]
        most = np.zeros(at_size + 1)
        most[0] = most[at_vertex:at_demand] = 1
        least = most.copy()
        least[at_order:] = -highspy.kHighsInf
        most[at_size] = self.target - 1 + SPARE
        row, column, value = (
            np.concatenate([np.broadcast_to(entry[part], entry[1].shape) for entry in entries]) for part in range(3)
        )
        order = np.lexsort((row, column))
        starts = np.concatenate(([0], np.cumsum(np.bincount(column, minlength=self.columns))))
        cost = np.zeros(self.columns)
        cost[edges] = 1
        limits = (np.zeros(self.columns), np.ones(self.columns))
        return linear_program(cost, limits, (least, most), (starts, row[order], value[order].astype(np.float64)))

    def integral(self, model: Any) -> Any:
        """Return a solver of a linear program of these columns, all of which are to be whole."""
        solver = new_solver(mip_rel_gap=0.0, mip_abs_gap=1 - SPARE)
        solver.passModel(model)
        make_integral(solver, self.columns)
        return solver

    def _orders(self) -> list[tuple[Ints, Ints]]:
        """Return columns and values of the rows that say who need not end above whom."""
        vertex, level = self._places
        rows = []
        last = np.searchsorted(vertex, np.arange(self._degrees.size + 1))
        for u, v in nested_pairs(~self._joinable & ~np.eye(*self._joinable.shape, dtype=np.bool_)).tolist():
            of_both = [np.arange(last[one], last[one + 1]) for one in (u, v)]
            if max(of_both[0].size, of_both[1].size) > 1:
                values = [sign * self._levels[level[of_one]] for of_one, sign in zip(of_both, (1, -1), strict=True)]
                rows.append((self._first_place + np.concatenate(of_both), np.concatenate(values)))
        return rows
