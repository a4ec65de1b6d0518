"""The set partitioning program over some groups: every record in exactly one of them, at the least loss."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.solver import linear_program, new_solver

_ROWS_OF_A_UNIT = 5
_FEASIBLE = 2


def solved(
    groups: Sequence[Ints],
    costs: ArrayLike,
    n: int,
    budget: Budget,
    *,
    integral: bool = False,
    below: float = np.inf,
    nodes: int = 0,
) -> tuple[Any, float | None]:
    """Return the solver after it ran, and the least cost of groups that hold every record once; None without one.

    Parameters
    ----------
    groups : sequence of ndarray of int
        Records of every group, 0 to n − 1.
    costs : array_like of float, shape (groups,)
    n : int
        Number of records.
    budget : Budget
        Is charged; its time ends the solver.
    integral : bool, optional
        Whether groups are chosen whole.
    below : float, optional
        What does not cost less is of no use.
    nodes : int, optional
        Programs that the solver may branch into.
    """
    solver = new_solver(mip_max_nodes=nodes, mip_rel_gap=1e-9, objective_bound=below)
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
    found = info.primal_solution_status == _FEASIBLE and info.objective_function_value < below
    return solver, info.objective_function_value if found else None
