"""The integer program of a whole small graph as a model: groups, who is on which level, and every new edge."""

import math
from typing import Any, NamedTuple

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
# units of a step of the simplex method in an integer program, to which so many rows add one; columns tell less
_STEP, _PART = 30, 7
# the number of edges is whole: so much of it is to spare for what the solver tolerates
SPARE = 0.5
# units of a round of cuts, at least
ROUND = 20_000

_Terms = tuple[Ints | int, Ints, Ints | Floats | int]
"""Rows, columns and values of some entries."""


def price_of(columns: int) -> int:
    """Return about how many units a round of cuts takes."""
    return ROUND + columns * math.isqrt(columns) // 5


def work_in(solver: Any) -> int:
    """Return about how many units an integer program took."""
    return steps_of(solver) * (_STEP + int(solver.getNumRow()) // _PART)


def steps_of(solver: Any) -> int:
    """Return the steps of the simplex method that a solver took last."""
    return max(0, int(solver.getInfo().simplex_iteration_count))


class _Columns(NamedTuple):
    """What a set of fewer than some number of edges can have."""

    groups: Ints
    """Begin, end and level of each group, shape (g, 3)."""
    places: tuple[Ints, Ints]
    """Vertices and the levels on which they can end."""
    ends: tuple[Ints, Ints]
    """Both ends of each new edge."""
    work: int
    """Units that it took to find them."""

    @property
    def number(self) -> int:
        return int(self.groups.shape[0] + self.places[0].size + self.ends[0].size)


class EdgeModel:
    """All sets of fewer than `limit` new edges, as the whole points of a polytope.

    Parameters
    ----------
    positions : Positions
        All vertices of the graph, each in the core.
    limit : int
        A number of edges that is too many.

    Notes
    -----
    See :mod:`graphkit.networks.bounds.integer_program`. Columns: groups, vertices on levels, new edges.
    """

    def __init__(self, positions: Positions, limit: int) -> None:
        self._positions, self.limit = positions, limit
        self._vertices, self._degrees, self._k = positions.core.vertices, positions.degrees, positions.k
        # turned around, as where only degrees that occur are levels: one and the same machine code serves for both
        self._levels = np.arange(self._degrees[-1], self._degrees.size)[::-1]
        columns = self._columns_of(limit)
        self.work = columns.work
        """Units so far."""
        self.charged = 0
        """Those that were charged."""
        self._groups, self._places, self._ends = columns.groups, columns.places, columns.ends
        self._first_place: int = self._groups.shape[0]
        self._first_edge = self._first_place + int(self._places[0].size)
        self.columns: int = columns.number
        """How many there are."""
        self.is_complete: bool = self._groups.shape[0] < _GROUPS
        """Whether all groups were looked for: of so many not all are, and then nothing is proven."""

    def below(self, target: int) -> Floats:
        """Return the largest value of each column in sets of fewer than so many edges, at most the limit."""
        if target == self.limit:
            return np.ones(self.columns)
        fewer = self._columns_of(target)
        self.work += fewer.work
        size = self._degrees.size + 1
        digits = np.array([size * size, size, 1])
        are_left = [np.isin(self._groups @ digits, fewer.groups @ digits)]
        for all_pairs, pairs in ((self._places, fewer.places), (self._ends, fewer.ends)):
            are_left.append(np.isin(all_pairs[0] * size + all_pairs[1], pairs[0] * size + pairs[1]))
        return np.concatenate(are_left).astype(np.float64)

    def _columns_of(self, target: int) -> _Columns:
        """Return the columns of all sets of fewer than so many edges."""
        degrees, levels, k, most = self._degrees, self._levels, self._k, 2 * target - 2
        n, joinable = degrees.size, self._positions.core.joinable
        none = np.zeros((0, 2 * k, levels.size), dtype=np.bool_)
        groups = upper_groups(degrees, levels, k, levels.size, most, none, 0, _GROUPS)
        possible = possible_levels(degrees, levels, k, levels.size, n, n, most)
        work = int(possible.sum()) * (n + k**2) // SEQUENCE_STEPS
        room = levels - degrees[:, None]
        possible &= np.isin(np.arange(levels.size), groups[:, 2]) & (room <= joinable.sum(axis=1)[:, None])
        rising: Bools = np.any(possible & (room > 0), axis=1)
        vertex, level = np.nonzero(possible)
        first, second = np.nonzero(np.triu(joinable, 1) & np.logical_and.outer(rising, rising))
        return _Columns(groups, (vertex, level), (first, second), work)

    def charge(self, budget: Budget) -> None:
        """Charge what it has taken since the last time."""
        budget.charge(self.work - self.charged)
        self.charged = self.work

    def edges_of(self, solver: Any, size: int) -> Ints | None:
        """Return the edges of a solver's best solution, if rounded it is one of fewer than `size` edges."""
        if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None
        chosen = np.array(solver.getSolution().col_value)[self._first_edge :] > 0.5
        ends = np.column_stack(self._ends)[chosen]
        after = self._degrees + np.bincount(ends.ravel(), minlength=self._degrees.size)
        is_solution = is_k_anonymous(np.bincount(after), self._k) and ends.shape[0] < size
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
        most[at_size] = self.limit - 1 + SPARE
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
        (vertex, level), joinable = self._places, self._positions.core.joinable
        rows = []
        last = np.searchsorted(vertex, np.arange(self._degrees.size + 1))
        for u, v in nested_pairs(~joinable & ~np.eye(*joinable.shape, dtype=np.bool_)).tolist():
            of_both = [np.arange(last[one], last[one + 1]) for one in (u, v)]
            if max(of_both[0].size, of_both[1].size) > 1:
                values = [sign * self._levels[level[of_one]] for of_one, sign in zip(of_both, (1, -1), strict=True)]
                rows.append((self._first_place + np.concatenate(of_both), np.concatenate(values)))
        return rows
