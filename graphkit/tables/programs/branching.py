"""The largest value of whole tables with given marginals: branch and bound over cells.

A picture. All tables lie in one box: a least and a largest count for every cell. The linear program of a box gives a
proven bound of what any table in it is worth, and perhaps a whole table. A box is cut in two at one cell, whose count
is at most a number in one half and at least one more in the other. What becomes of a box that is taken from the stack::

    bound not above the best table, or no table in it   dropped: it cannot matter
    its table is worth its bound                        dropped: the table is the best of the box
    bound below what is enough                          set aside as too low: it still counts for the bound
    the solver does not answer, or nothing is to cut    set aside as unanswered: the question stays open
    anything else                                       cut in two; both halves go back to the stack

In the end no table is worth more than the largest of: the best table, the boxes set aside, the boxes still stacked.
"""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.tables.programs.program import MarginalProgram

MOST_NODES = 2_000
"""Linear programs that are solved for one question, at most, where nothing else is said."""

_LEAST_NODES = 20
_NODES_TIMES_COLUMNS = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """What is known of an objective over whole tables."""

    table: Ints | None
    """Counts of the columns of the best table found; None if none was."""
    bound: int | None
    """Proven: no table has more. None: proven that there is no table."""
    stopped: bool = False
    """Whether time or nodes ran out before the question was answered."""


def best_table(
    program: MarginalProgram,
    objective: Ints,
    bound: int,
    budget: Budget,
    *,
    known: int | None = None,
    enough: int | None = None,
    nodes: int = MOST_NODES,
    limits: tuple[Ints, Ints] | None = None,
) -> Best:
    """Return a table with a large value of the objective, and a proven bound.

    Parameters
    ----------
    program : MarginalProgram
        The tables.
    objective : ndarray of int64, shape (c,)
        Weight of every column.
    bound : int
        A value that is proven to be the most; a table that has it ends the search.
    budget : Budget
        Ends the search early.
    known : int, optional
        Value of a table that is known; only better ones are looked for.
    enough : int, optional
        A value that is good enough: a table with it ends the search, and so does the proof that there is none.
    nodes : int, optional
        Most linear programs.
    limits : tuple of two ndarray of int64, shape (c,), optional
        Narrower bounds of the columns: the answer is about tables within them.

    Notes
    -----
    Depth first, on the cell whose value is the farthest from whole, the nearer side first: of the many tables with one
    value, a dive finds one. Every node is left for a reason that was proven in whole numbers
    (:class:`~graphkit.tables.programs.program.MarginalProgram`): its bound is not better than the best table, no table
    is within its limits, or its solution is whole.
    """
    best, best_value = None, known
    # values of what was left: because the solver did not answer, and because they are not enough
    unanswered: list[int] = []
    too_low: list[int] = []
    stack = [(bound, *(limits or (program.lower, program.upper)))]
    while stack and nodes > 0 and not budget.is_spent():
        if enough is not None and best_value is not None and best_value >= enough:
            break
        above, lower, upper = stack.pop()
        if best_value is not None and above <= best_value:
            continue
        nodes -= 1
        found = program.maximum(objective, budget, lower, upper)
        if found is None:
            unanswered.append(above)
            continue
        if found.bound is None or (best_value is not None and found.bound <= best_value):
            continue
        above = min(above, found.bound)
        if found.table is not None:
            value = int(objective @ found.table)
            if best_value is None or value > best_value:
                best, best_value = found.table, value
            if value >= above:
                continue
        if enough is not None and above < enough:
            too_low.append(above)
            continue
        branches = _branches(found.values, found.table, lower, upper)
        stack.extend((above, low, high) for low, high in branches)
        if not branches:
            unanswered.append(above)
    opened = unanswered + [above for above, _, _ in stack]
    if best_value is not None:
        opened = [above for above in opened if above > best_value]
    proven = [*opened, *too_low] if best_value is None else [*opened, *too_low, best_value]
    done = not opened or (enough is not None and best_value is not None and best_value >= enough)
    return Best(best, min(bound, max(proven)) if proven else None, not done)


def nodes_worth(program: MarginalProgram, most: int = MOST_NODES) -> int:
    """Return how many linear programs are worth it: the fewer, the larger they are."""
    return max(_LEAST_NODES, min(most, _NODES_TIMES_COLUMNS // max(1, program.size)))


def _branches(values: Floats, table: Ints | None, lower: Ints, upper: Ints) -> list[tuple[Ints, Ints]]:
    """Return the two parts of the limits at a cell, the one to look at first last; none where all cells are fixed."""
    # a cell that is fixed has nothing to divide, however far from whole the solver left it
    distance = np.where(lower < upper, np.abs(values - np.rint(values)), 0.0)
    if table is not None or distance.max(initial=0.0) < 1e-7:
        # whole already, but its value is not what the multipliers prove, or it misses a marginal by rounding
        distance = (upper - lower).astype(float)
        if distance.max(initial=0.0) == 0:
            return []
    cell = int(distance.argmax())
    cut = int(np.clip(np.floor(values[cell]), lower[cell], upper[cell] - 1))
    below, above = upper.copy(), lower.copy()
    below[cell], above[cell] = cut, cut + 1
    parts = [(lower, below), (above, upper)]
    return parts[::-1] if values[cell] - cut < 0.5 else parts
