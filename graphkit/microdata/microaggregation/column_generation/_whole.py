"""The integer program over some groups: a partition better than one that is known."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.microdata.microaggregation.column_generation._meter import Meter
from graphkit.solver import linear_program, new_solver

_CLOSE = 1e-7


def best_partition(columns: Columns, labels: Ints, meter: Meter, *, nodes: int) -> Ints | None:
    """Return a partition into some of the groups that loses less than one that is known, or None.

    Parameters
    ----------
    columns : Columns
        The groups of the known partition must be among them.
    labels : ndarray of int, shape (n,)
        That partition.
    meter : Meter
    nodes : int
        Programs that the solver may branch into.

    Notes
    -----
    The solver computes in floating point and proves nothing here: what counts is the partition, which is checked.
    """
    n = labels.size
    starts, rows = columns.incidence()
    ones = np.ones(n)
    limit = {} if meter.budget.time_limit is None else {"time_limit": max(0.01, meter.budget.remaining())}
    solver = new_solver(mip_rel_gap=_CLOSE, mip_abs_gap=_CLOSE, mip_max_nodes=nodes, **limit)
    solver.passModel(
        linear_program(
            columns.losses,
            (np.zeros(columns.size), np.ones(columns.size)),
            (ones, ones),
            (starts, rows, np.ones(rows.size)),
            integral=True,
        )
    )
    solver.setSolution(_solution(columns, labels))
    solver.run()
    meter.charge_steps(int(max(0, solver.getInfo().simplex_iteration_count)))
    values = np.asarray(solver.getSolution().col_value)
    found = np.full(n, -1, np.int64)
    for group, at in enumerate(np.flatnonzero(values > 0.5)):
        members = columns.members[at][columns.members[at] >= 0]
        if (found[members] >= 0).any():
            return None
        found[members] = group
    return found if found.size and (found >= 0).all() else None


def _solution(columns: Columns, labels: Ints) -> "object":
    """Return the known partition as the solver wants it."""
    import highspy

    padded = np.append(labels, -1)
    of = padded[columns.members]
    sizes = np.bincount(labels)
    whole = ((of == of[:, :1]) | (columns.members < 0)).all(axis=1) & (columns.sizes == sizes[of[:, 0]])
    solution = highspy.HighsSolution()
    solution.col_value = whole.astype(float).tolist()
    solution.value_valid = True
    return solution
