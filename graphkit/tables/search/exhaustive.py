"""The second stage of the shuttle algorithm: all whole tables with given marginals, counted and listed."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.tables.propagation.merged_cells import pair_sums
from graphkit.tables.propagation.shuttle import MergedBounds
from graphkit.tables.search._search import Space, visit_tables
from graphkit.tables.structure.released import ReleasedMarginals

MOST_SEARCHED = 100_000
"""The most merged cells that a search takes."""

_STEPS = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class FeasibleTables:
    """Tables of non-negative whole counts that have given marginals."""

    count: int
    """How many were found."""
    complete: bool
    """Whether these are all; otherwise there are at least so many."""
    tables: Ints
    """The first of them, one a row, cells in C order; shape (r, n)."""
    lower: Ints
    """Least count of every cell over the tables that were counted, of the table's shape; sharp if complete."""
    upper: Ints
    """Largest count of every cell."""


def feasible_tables(
    released: ReleasedMarginals, bounds: MergedBounds, *, most: int = 1_000_000, listed: int = 0, steps: int = _STEPS
) -> FeasibleTables | None:
    """Return how many tables have the marginals, and the first of them.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    bounds : MergedBounds
        What propagation of them gives, with all sets of categories.
    most : int, optional
        Where there are so many, the search ends.
    listed : int, optional
        How many tables to return.
    steps : int, optional
        Propagations after which the search ends.

    Returns
    -------
    FeasibleTables or None
        None if there are too many merged cells for a search, or not all sets of categories are among them.

    Notes
    -----
    *Free cells.* The merged cells of one category (not the last) of every variable of a set that is within no released
    marginal, with all others left out. Together with the marginals they determine the table, and any whole values of
    them give whole counts: the search runs over them, the one with the fewest values left first, and propagates after
    every choice. Where three are left open, a table is a sum of known ones, and those on a line are counted at once.

    Exponential in the number of free cells in the worst case.

    References
    ----------
    Dobra, Fienberg 2001, section 4, from "we explore the space Q".

    Examples
    --------
    >>> from graphkit.tables.propagation.merged_cells import MergedCells
    >>> from graphkit.tables.propagation.shuttle import shuttle
    >>> released = ReleasedMarginals((2, 2), {(0,): [6, 4], (1,): [9, 1]})
    >>> found = feasible_tables(released, shuttle(MergedCells.of_shape((2, 2)), released.marginals, 10), listed=5)
    >>> found.count, found.complete, found.tables.tolist()
    (2, True, [[5, 1, 4, 0], [6, 0, 3, 1]])
    """
    cells = bounds.cells
    if not cells.complete or cells.size > MOST_SEARCHED:
        return None
    table_size = int(np.prod(released.shape))
    extent = np.array([np.full(table_size, released.total), np.zeros(table_size)], dtype=np.int64)
    tables = np.zeros((listed, table_size), dtype=np.int64)
    count, complete = 0, True
    if not bounds.inconsistent:
        lower = bounds.lower.reshape(-1).astype(np.int64)
        upper = bounds.upper.reshape(-1).astype(np.int64)
        space = _space(released, bounds, lower < upper)
        count, complete = visit_tables(lower, upper, space, most, steps, tables, extent)
    least, largest = (side.reshape(released.shape) for side in extent)
    return FeasibleTables(int(count), bool(complete), tables[: min(count, listed)], least, largest)


def _space(released: ReleasedMarginals, bounds: MergedBounds, is_open: Bools) -> Space:
    cells = bounds.cells
    numbers = np.arange(cells.size, dtype=np.int64).reshape(cells.shape)
    sums = pair_sums(cells.axes)
    free, effect, origin = _basis(released, numbers)
    return Space(np.ascontiguousarray(sums[is_open[sums].any(axis=1)]), free, origin, effect)


def _basis(released: ReleasedMarginals, numbers: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the free cells, what a table grows by with each, and the table where they are all 0.

    A table is the sum of its corner cells (one category, not the last, of some variables, others left out), each times
    the product over the variables of +1 at the category, −1 at the last one, and +1 at the last where it is left out.
    """
    free, effects = [], []
    origin = np.zeros(released.shape, dtype=np.int64)
    for mask in range(1 << len(released.shape)):
        inside = [bool(mask >> axis & 1) for axis in range(len(released.shape))]
        known = released.implied(axis for axis, held in enumerate(inside) if held)
        choices = [range(size - 1) if held else (-1,) for size, held in zip(released.shape, inside, strict=True)]
        for categories in product(*choices):
            effect = _effect(released.shape, categories)
            if known is None:
                free.append(int(numbers[categories]))
                effects.append(effect.reshape(-1))
            else:
                origin += known[tuple(category for category in categories if category >= 0)] * effect
    return (
        np.array(free, dtype=np.int64),
        np.array(effects, dtype=np.int64).reshape(len(free), origin.size),
        origin.reshape(-1),
    )


def _effect(shape: tuple[int, ...], categories: tuple[int, ...]) -> Ints:
    effect = np.ones((), dtype=np.int64)
    for size, category in zip(shape, categories, strict=True):
        step = np.zeros(size, dtype=np.int64)
        step[-1] = 1 if category < 0 else -1
        if category >= 0:
            step[category] = 1
        effect = np.multiply.outer(effect, step)
    return effect
