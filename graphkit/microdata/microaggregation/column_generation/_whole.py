"""The integer program over some groups: a good partition into them."""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.microdata.microaggregation.column_generation._meter import Meter
from graphkit.solver import linear_program, new_solver

_CLOSE = 1e-7
_CHOSEN = 0.5
_SHARE_OF_TIME = 5


def best_partition(columns: Columns, sure: Bools, n: int, meter: Meter, *, nodes: int) -> Ints | None:
    """Return the best partition into the groups that are sure and others, if the solver finds one.

    Parameters
    ----------
    columns : Columns
    sure : ndarray of bool, shape (columns,)
        Which are taken in any case; they share no record.
    n : int
        Number of records.
    meter : Meter
    nodes : int
        Programs that the solver may branch into.

    Notes
    -----
    The solver computes in floating point and proves nothing here: what counts is the partition, which is checked.
    """
    free = np.ones(n + 1, np.bool_)
    free[columns.members[sure]] = False
    free[n] = True
    place = np.cumsum(free[:n]) - 1
    some = columns.chosen(np.flatnonzero(free[columns.members].all(axis=1)))
    taken = columns.chosen(np.flatnonzero(sure))
    if free[:n].any():
        chosen = _partition(some, place, int(free[:n].sum()), meter, nodes)
        if chosen is None:
            return None
        taken = taken.joined(some.chosen(chosen))
    found = np.full(n, -1, np.int64)
    for group, row in enumerate(taken.members):
        found[row[row >= 0]] = group
    is_partition = (found >= 0).all() and taken.sizes.sum() == n
    return found if is_partition else None


def _partition(columns: Columns, place: Ints, rows: int, meter: Meter, nodes: int) -> Ints | None:
    """Return which columns have every record once, the cheapest ones the solver finds."""
    if not columns.size:
        return None
    starts, members = columns.incidence()
    ones = np.ones(rows)
    limit = {"time_limit": max(0.01, meter.budget.remaining() / _SHARE_OF_TIME)} if meter.budget.time_limit else {}
    solver = new_solver(mip_rel_gap=_CLOSE, mip_abs_gap=_CLOSE, mip_max_nodes=nodes, **limit)
    matrix = starts, place[members], np.ones(members.size)
    limits = np.zeros(columns.size), np.ones(columns.size)
    solver.passModel(linear_program(columns.losses, limits, (ones, ones), matrix, integral=True))
    solver.run()
    meter.charge_steps(int(max(0, solver.getInfo().simplex_iteration_count)))
    values = np.asarray(solver.getSolution().col_value)
    return np.flatnonzero(values > _CHOSEN) if values.size else None
