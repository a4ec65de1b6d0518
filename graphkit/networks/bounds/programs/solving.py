"""Running HiGHS within a budget, and ending its integer programs by what can be counted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import highspy
import numpy as np

from graphkit.budget import Budget

# with more columns they are not tried one by one before the program is solved, which takes longer than all that comes
# after it; the bit of that rule
_MANY_COLUMNS = 2_000
_PROBING = 1 << 15
_HEURISTICS = ("rins", "rens", "root_reduced_cost")


def run(solver: Any, budget: Budget) -> None:
    """Run the solver, as long as there is time."""
    if budget.time_limit is not None:
        solver.setOptionValue("time_limit", solver.getRunTime() + max(0.1, budget.remaining()))
    solver.run()


def run_rounds(solver: Any, rounds: int, budget: Budget) -> int:
    """Run an integer program until so many rounds of cuts are over; return how many began."""
    calls = 0

    def are_over(bound: float) -> bool:
        nonlocal calls
        calls += 1
        return calls > rounds

    with ended_by(solver, are_over):
        run(solver, budget)
    return calls


def make_integral(solver: Any, columns: int) -> None:
    """Demand that the first columns are whole numbers, and let each linear program of branching end."""
    kinds = np.full(columns, highspy.HighsVarType.kInteger)
    solver.changeColsIntegrality(columns, np.arange(columns, dtype=np.int32), kinds)
    solver.setOptionValue("simplex_iteration_limit", 2**31 - 1)


def probe_few(solver: Any, columns: int) -> None:
    """Try columns one by one before the program is solved, if they are few: nothing of that can be counted or ended."""
    solver.setOptionValue("presolve_rule_off", _PROBING if columns > _MANY_COLUMNS else 0)


def use_heuristics(solver: Any, *, are_used: bool) -> None:
    """Say whether the solver looks for solutions by programs inside the program; nothing ends those."""
    for option in _HEURISTICS:
        solver.setOptionValue(f"mip_heuristic_run_{option}", are_used)


@contextmanager
def ended_by(solver: Any, is_enough: Callable[[float], bool]) -> Iterator[None]:
    """End an integer program once that is true of its bound; asked in each round of cuts, the same on every machine."""

    def look(event: Any) -> None:
        # `event.interrupt()` is not in the oldest versions that are allowed; and what is said once stands, also for
        # the next run, until something else is said
        event.data_in.user_interrupt = is_enough(event.data_out.mip_dual_bound)

    solver.cbMipInterrupt += look
    try:
        yield
    finally:
        solver.cbMipInterrupt -= look
