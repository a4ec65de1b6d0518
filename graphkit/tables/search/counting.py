"""How many tables have given marginals, within a budget."""

from dataclasses import dataclass

from graphkit.budget import Budget
from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import shuttle
from graphkit.tables.search.exhaustive import MOST_SEARCHED, FeasibleTables, feasible_tables
from graphkit.tables.structure.released import ReleasedMarginals

_FIRST_STEPS, _STEPS, _FACTOR = 2_000, 2_000_000, 4.0
_LEAST_FACTOR = 1.5


@dataclass(frozen=True, slots=True)
class TableCount:
    """How many tables of non-negative whole counts have given marginals."""

    count: int
    complete: bool
    """Whether these are all; otherwise there are at least so many."""


def cells_to_search(shape: tuple[int, ...]) -> MergedCells | None:
    """Return all merged cells of a table, or None if they are too many for a search.

    Examples
    --------
    >>> cells_to_search((2,) * 6).size
    729
    >>> cells_to_search((2,) * 11) is None
    True
    """
    merged = MergedCells.of_shape(shape, most_cells=MOST_SEARCHED)
    return merged if merged is not None and merged.complete else None


def searched_tables(released: ReleasedMarginals, *, most: int, listed: int, budget: Budget) -> FeasibleTables | None:
    """Return what :func:`~graphkit.tables.search.exhaustive.feasible_tables` finds; None if cells are too many."""
    merged = cells_to_search(released.shape)
    if merged is None:
        return None
    bounds = shuttle(merged, released.marginals, released.total, budget=budget)
    return feasible_tables(released, bounds, most=most, listed=listed)


def count_tables(
    released: ReleasedMarginals, *, most: int = 1_000_000, budget: Budget | None = None
) -> TableCount | None:
    """Return how many tables have the marginals, or at least so many.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    most : int, optional
        Where there are so many, counting ends.
    budget : Budget, optional
        Ends it, too. It is asked between searches; each begins anew and takes up to four times as many steps.

    Returns
    -------
    TableCount or None
        None if there are too many merged cells for a search.

    Notes
    -----
    See :func:`~graphkit.tables.search.exhaustive.feasible_tables`.

    Examples
    --------
    >>> released = ReleasedMarginals((2, 2), {(0,): [6, 4], (1,): [9, 1]})
    >>> count_tables(released), count_tables(released, most=1)
    (TableCount(count=2, complete=True), TableCount(count=1, complete=False))
    """
    budget = budget or Budget()
    merged = cells_to_search(released.shape)
    if merged is None:
        return None
    bounds = shuttle(merged, released.marginals, released.total, budget=budget)
    steps, counted = _FIRST_STEPS, TableCount(0, False)
    while True:
        began = budget.elapsed()
        found = feasible_tables(released, bounds, most=most, steps=steps)
        if found is None:
            return None
        # the search may see more than it was to, and is not complete then
        count = found.count if found.complete else min(found.count, most)
        counted = TableCount(max(count, counted.count), found.complete)
        if found.complete or found.count >= most or steps >= _STEPS:
            return counted
        # a search cannot be interrupted: the next one takes as many steps as there is time for
        taken = max(budget.elapsed() - began, 1e-3)
        factor = min(_FACTOR, budget.remaining() / taken)
        if factor < _LEAST_FACTOR:
            return counted
        steps = min(int(factor * steps), _STEPS)
