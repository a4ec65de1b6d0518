"""The best partition that is made of groups of earlier ones: what one annealing did badly another one did well."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import around_mean, members_of
from graphkit.solver import linear_program, new_solver

_MANY_FRACTIONAL = 400
_NODES = 10
_GAIN = 1e-9
_SMALL_GAIN = 2e-4
_ROWS_OF_A_UNIT = 5


class Pool:
    """Groups of several partitions, each once, with their loss.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    """

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._groups: dict[bytes, Ints] = {}
        self._costs: list[float] = []

    def add(self, labels: Ints) -> None:
        """Take in the groups of a partition, in O(n (d + log n))."""
        for members in members_of(labels):
            key = members.tobytes()
            if key not in self._groups:
                self._groups[key] = members
                self._costs.append(around_mean(self._points[members]))

    def recombined(self, loss: float, budget: Budget) -> Ints | None:
        """Return the best partition into groups of the pool, where it is found to lose less than `loss`.

        Notes
        -----
        A linear program first: it tells whether there is anything to gain, and which groups no better partition has
        (their reduced cost is above what there is to gain). An integer program over the others follows only where few
        groups are chosen in part; otherwise it would take long and hardly find anything.
        """
        groups, costs = list(self._groups.values()), np.array(self._costs)
        solver, value = _solved(groups, costs, self._points.shape[0], budget)
        if value is None or value >= loss * (1 - _SMALL_GAIN):
            return None
        chosen = np.array(solver.getSolution().col_value)
        if ((chosen > _GAIN) & (chosen < 1 - _GAIN)).sum() > _MANY_FRACTIONAL:
            return None
        worth = np.array(solver.getSolution().col_dual) <= loss - value
        groups, costs = [groups[at] for at in np.flatnonzero(worth)], costs[worth]
        solver, value = _solved(groups, costs, self._points.shape[0], budget, integral=True, below=loss * (1 - _GAIN))
        if value is None:
            return None
        labels = np.empty(self._points.shape[0], dtype=np.int64)
        for group, at in enumerate(np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5)):
            labels[groups[at]] = group
        return labels


def _solved(
    groups: Sequence[Ints], costs: Floats, n: int, budget: Budget, *, integral: bool = False, below: float = np.inf
) -> tuple[Any, float | None]:
    """Return the solver after it ran, and the least cost of groups that hold every record once; None without one."""
    solver = new_solver(mip_max_nodes=_NODES, mip_rel_gap=1e-9, objective_bound=below)
    if budget.time_limit is not None:
        solver.setOptionValue("time_limit", max(budget.remaining(), 0.01))
    starts = np.concatenate(([0], np.cumsum([group.size for group in groups]))).astype(np.int32)
    rows = np.concatenate(groups).astype(np.int32)
    limits, once = (np.zeros(len(groups)), np.ones(len(groups))), (np.ones(n), np.ones(n))
    matrix = (starts, rows, np.ones(rows.size))
    solver.passModel(linear_program(costs, limits, once, matrix, integral=integral))
    solver.run()
    info = solver.getInfo()
    budget.charge(max(info.simplex_iteration_count, 0) * n // _ROWS_OF_A_UNIT)
    # 2: a point that is feasible
    found = info.primal_solution_status == 2 and info.objective_function_value < below
    return solver, info.objective_function_value if found else None
