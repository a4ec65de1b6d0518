"""Bounds that hold in any case: closed forms where there are some, propagation elsewhere."""

import math
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import shuttle
from graphkit.tables.structure.contingency import MOST_TOGETHER
from graphkit.tables.structure.frechet import Bounds, is_decomposable, reducible_bounds
from graphkit.tables.structure.released import ReleasedMarginals

_WORK_A_CELL = 6


@dataclass(frozen=True, slots=True, eq=False)
class OuterBounds:
    """Proven bounds of cells; how near they are to sharp ones is known for decomposable marginals only."""

    lower: Ints
    """One for each cell that was asked for."""
    upper: Ints
    sharp: bool = False
    """Whether they are known to be sharp."""
    inconsistent: bool = False
    """Whether it is proven that no table has the marginals."""


def outer_bounds(
    released: ReleasedMarginals, cells: Ints | None = None, *, budget: Budget | None = None
) -> OuterBounds:
    """Return bounds of cells from marginals.

    Parameters
    ----------
    released : ReleasedMarginals
        The marginals.
    cells : ndarray of int64, optional
        Numbers of cells in C order; all by default.
    budget : Budget, optional
        Ends propagation early: the bounds are valid then, and wider.

    Notes
    -----
    Decomposable marginals: Theorem 1 of Dobra and Fienberg. Others: Theorem 2 over the components, each bounded by
    propagation; where its merged cells are too many, by the least released count over it, and 0.

    Examples
    --------
    >>> found = outer_bounds(ReleasedMarginals((2, 2), {(0,): [8, 2], (1,): [7, 3]}))
    >>> found.lower.tolist(), found.upper.tolist(), found.sharp
    ([5, 1, 0, 0], [7, 3, 2, 2], True)
    """
    size = math.prod(released.shape)
    number = size if cells is None else cells.size
    nothing = np.zeros(number, dtype=np.int64)
    if released.inconsistent is not None:
        return OuterBounds(nothing, nothing, inconsistent=True)
    found_inconsistent = False

    def bound_component(part: ReleasedMarginals, asked: Ints) -> Bounds:
        nonlocal found_inconsistent
        merged = MergedCells.of_shape(part.shape) if math.prod(part.shape) <= MOST_TOGETHER else None
        if merged is None:
            return _least_counts(part, asked)
        bounds = shuttle(merged, part.marginals, part.total, budget=budget)
        if budget is not None:
            # how many sweeps it took depends on threads, and must not decide anything
            budget.charge(_WORK_A_CELL * merged.size)
        found_inconsistent |= bounds.inconsistent
        lower, upper = bounds.of_cells()
        return lower.reshape(-1)[asked], upper.reshape(-1)[asked]

    lower, upper = reducible_bounds(released, bound_component, cells)
    if found_inconsistent:
        return OuterBounds(nothing, nothing, inconsistent=True)
    return OuterBounds(lower.reshape(-1), upper.reshape(-1), sharp=is_decomposable(released))


def _least_counts(part: ReleasedMarginals, cells: Ints) -> Bounds:
    """Return 0 and the least count of a released marginal over each cell."""
    codes = np.array(np.unravel_index(cells, part.shape))
    upper = np.full(cells.size, part.total, dtype=np.int64)
    for axes, counts in part.marginals.items():
        np.minimum(upper, counts[tuple(codes[axis] for axis in axes)], out=upper)
    return np.zeros_like(upper), upper
