"""HiGHS, silent and on one thread: the same bits on every run."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def new_solver(**options: bool | int | float | str) -> Any:
    """Return a ``highspy.Highs`` without a model.

    Parameters
    ----------
    **options : bool, int, float or str
        Options of HiGHS beside those that are always set: no output, one thread, no random seed of its own.

    Notes
    -----
    The import is made here: it takes a while, and most commands solve nothing.

    References
    ----------
    Huangfu, Hall, Parallelizing the dual revised simplex method, 2018, for HiGHS.

    Examples
    --------
    >>> new_solver(mip_rel_gap=0.0).getOptionValue("threads")[1]
    1
    """
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    always: dict[str, bool | int | float | str] = {"output_flag": False, "threads": 1, "random_seed": 0}
    for name, value in (always | options).items():
        solver.setOptionValue(name, value)
    return solver


def limit_columns(solver: Any, most: ArrayLike) -> None:
    """Let every column be between zero and a largest value.

    Parameters
    ----------
    solver : highspy.Highs
        Has a model.
    most : array_like of float, shape (c,)
        Of every column.

    Examples
    --------
    >>> solver = new_solver()
    >>> _ = solver.passModel(linear_program([-1.0], ([0.0], [5.0]), ([], []), ([0, 0], [], [])))
    >>> limit_columns(solver, [2.0])
    >>> _ = solver.run()
    >>> solver.getInfo().objective_function_value
    -2.0
    """
    largest = np.asarray(most, dtype=np.float64)
    every = np.arange(largest.size, dtype=np.int32)
    solver.changeColsBounds(every.size, every, np.zeros(every.size), largest)


def linear_program(
    cost: ArrayLike,
    columns: tuple[ArrayLike, ArrayLike],
    rows: tuple[ArrayLike, ArrayLike],
    matrix: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    by_rows: bool = False,
    maximize: bool = False,
    integral: bool = False,
) -> Any:
    """Return a ``highspy.HighsLp``, for ``passModel``.

    Parameters
    ----------
    cost : array_like of float, shape (c,)
        Weight of every column.
    columns, rows : tuple of two array_like of float, shapes (c,) and (r,)
        Least and largest value of every column, and of every row.
    matrix : tuple of array_like
        Where each column begins, and the last one ends; rows and values of the entries, column by column.
    by_rows : bool, optional
        Whether the matrix is given row by row instead.
    maximize : bool, optional
        Whether the largest value is asked for, not the least.
    integral : bool, optional
        Whether all columns are to be whole numbers.

    Examples
    --------
    >>> limits, most, matrix = ([0.0, 0.0], [5.0, 5.0]), ([0.0], [3.0]), ([0, 1, 2], [0, 0], [1.0, 2.0])
    >>> solver = new_solver()
    >>> _ = solver.passModel(linear_program([1.0, 1.0], limits, most, matrix, maximize=True))
    >>> _ = solver.run()
    >>> solver.getInfo().objective_function_value
    3.0
    """
    import highspy

    program: Any = highspy.HighsLp()
    program.col_cost_ = cost
    program.col_lower_, program.col_upper_ = columns
    program.row_lower_, program.row_upper_ = rows
    program.num_col_, program.num_row_ = len(program.col_cost_), len(program.row_lower_)
    if maximize:
        program.sense_ = highspy.ObjSense.kMaximize
    if integral:
        program.integrality_ = [highspy.HighsVarType.kInteger] * program.num_col_
    formats = highspy.MatrixFormat
    program.a_matrix_.format_ = formats.kRowwise if by_rows else formats.kColwise
    program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = matrix
    return program
