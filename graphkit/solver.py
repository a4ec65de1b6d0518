"""HiGHS, silent and on one thread: the same bits on every run."""

from __future__ import annotations

from typing import Any

__all__ = ["new_solver"]


def new_solver(**options: bool | int | float) -> Any:
    """Return a ``highspy.Highs`` without a model.

    Parameters
    ----------
    **options : bool, int or float
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
    always: dict[str, bool | int | float] = {"output_flag": False, "threads": 1, "random_seed": 0}
    for name, value in (always | options).items():
        solver.setOptionValue(name, value)
    return solver
