"""Pricing as the paper does it: an integer program over pairs of records, for groups of one size. For comparison."""

from typing import Any

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import SolverFailed
from graphkit.solver import linear_program, new_solver

_VIOLATED = 1e-6
_CHOSEN = 0.5
_CLOSE = 1e-9


def cheapest_group(
    distances: Floats, duals: Floats, size: int, *, rounds: int = 20, cuts: int = 500
) -> tuple[Ints, float]:
    """Return the group of a size whose SSE is least beyond the duals of its members, and that difference.

    Parameters
    ----------
    distances : ndarray of float, shape (n, n)
        Squared; n(n − 1)/2 variables and n(n − 1) rows, so for some tens of records.
    duals : ndarray of float, shape (n,)
    size : int
        From 2 on.
    rounds, cuts : int, optional
        Rounds in which triangle inequalities are added to the linear relaxation before it is branched on, and how many
        in each; 0 for none.

    Raises
    ------
    SolverFailed
        If HiGHS does not answer.

    Notes
    -----
    The paper's (14): z of an edge is 1 where both its records are in the group. The number of edges is fixed, and an
    edge in the group brings at least size − 2 others at each of its records. Triangle inequalities are valid beside
    that: z(ir) + z(jr) − z(ij) ≤ 1.

    References
    ----------
    Gentile, Spagnolo-Arrizabalaga, Castro, An algorithm for the microaggregation problem using column generation, IASI
    R. 20-02, 2020, section 4.2.

    Examples
    --------
    >>> squares = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 4.0], [9.0, 4.0, 0.0]])
    >>> group, cost = cheapest_group(squares, np.ones(3), 2)
    >>> group.tolist(), cost
    ([0, 1], -1.5)
    """
    n = duals.size
    one, two = np.triu_indices(n, 1)
    edge = np.zeros((n, n), np.int64)
    edge[one, two] = edge[two, one] = np.arange(one.size)
    costs = distances[one, two] / size - (duals[one] + duals[two]) / (size - 1)
    solver = new_solver(mip_rel_gap=0.0, mip_abs_gap=_CLOSE)
    solver.passModel(linear_program(costs, (np.zeros(one.size), np.ones(one.size)), *_rows(edge, size), by_rows=True))
    for _ in range(rounds):
        if not _add_triangles(solver, _solved(solver), edge, cuts):
            break
    _demand_whole(solver, one.size)
    chosen = _solved(solver) > _CHOSEN
    group = np.unique(np.concatenate((one[chosen], two[chosen])))
    return group, float(distances[np.ix_(group, group)].sum() / (2 * size) - duals[group].sum())


def _rows(edge: Ints, size: int) -> tuple[tuple[Floats, Floats], tuple[Ints, Ints, Floats]]:
    """Return the limits and the matrix: one row for the size, one for every ordered pair of records."""
    n = edge.shape[0]
    edges = n * (n - 1) // 2
    columns, values = [np.arange(edges)], [np.ones(edges)]
    for i in range(n):
        for j in range(n):
            if i != j:
                columns.append(np.array([edge[i, v] for v in range(n) if v != i]))
                values.append(np.where(columns[-1] == edge[i, j], float(2 - size), 1.0))
    rows = len(columns)
    wanted = size * (size - 1) / 2
    lower = np.concatenate(([wanted], np.zeros(rows - 1)))
    upper = np.concatenate(([wanted], np.full(rows - 1, np.inf)))
    starts = np.concatenate(([0], np.cumsum([one.size for one in columns])))
    return (lower, upper), (starts, np.concatenate(columns), np.concatenate(values))


def _add_triangles(solver: Any, values: Floats, edge: Ints, most: int) -> int:
    """Add the most violated triangle inequalities; return how many."""
    weights = values[edge] * (1 - np.eye(edge.shape[0]))
    # of i and j by r: z(ir) + z(jr) − z(ij)
    excess = weights[:, None, :] + weights[None, :, :] - weights[:, :, None] - 1
    i, j, r = np.nonzero(excess > _VIOLATED)
    proper = (i < j) & (r != i) & (r != j)
    i, j, r = i[proper], j[proper], r[proper]
    taken = np.argsort(-np.round(excess[i, j, r], 9), kind="stable")[:most]
    for a, b, c in zip(i[taken], j[taken], r[taken], strict=True):
        columns = np.array([edge[a, c], edge[b, c], edge[a, b]], np.int32)
        solver.addRow(-np.inf, 1.0, 3, columns, np.array([1.0, 1.0, -1.0]))
    return int(taken.size)


def _demand_whole(solver: Any, columns: int) -> None:
    import highspy

    at = np.arange(columns, dtype=np.int32)
    kinds = np.full(columns, highspy.HighsVarType.kInteger)
    solver.changeColsIntegrality(columns, at, kinds)


def _solved(solver: Any) -> Floats:
    import highspy

    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SolverFailed("HiGHS did not solve the integer program of a group; leave it to the exact search")
    values: Floats = np.asarray(solver.getSolution().col_value)
    return values
