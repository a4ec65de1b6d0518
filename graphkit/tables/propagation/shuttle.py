"""The generalized shuttle algorithm, first stage: bounds of all merged cells from the sums among them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.tables.propagation._sweeps import sweep_to_fixed_point
from graphkit.tables.propagation.merged_cells import MergedCells


@dataclass(frozen=True, slots=True, eq=False)
class MergedBounds:
    """Bounds of all merged cells that released marginals prove."""

    cells: MergedCells
    lower: Ints
    """An axis a variable; 32 bits where the total allows it."""
    upper: Ints
    settled: bool = True
    """Whether propagation reached its fixed point; if not, time ran out and the bounds are valid, but wider."""
    inconsistent: bool = False
    """Whether it is proven that no table of non-negative counts has the marginals."""

    def of_cells(self) -> tuple[Ints, Ints]:
        """Return lower and upper bounds of the cells of the table, of its shape."""
        base = self.cells.base
        return self.lower[base].astype(np.int64), self.upper[base].astype(np.int64)

    def with_marginals(self, marginals: Mapping[tuple[int, ...], Ints], budget: Budget) -> "MergedBounds":
        """Return the bounds with more marginals fixed; these are left as they are.

        Parameters
        ----------
        marginals : mapping of tuple of int to ndarray of int
            Counts by the positions of the variables, ascending.
        budget : Budget
            Ends the propagation early.
        """
        if self.inconsistent:
            return self
        return _fixed(self.cells, self.lower.copy(), self.upper.copy(), marginals, budget)


def shuttle(
    cells: MergedCells, marginals: Mapping[tuple[int, ...], Ints], total: int, *, budget: Budget | None = None
) -> MergedBounds:
    """Return bounds of all merged cells, from marginals and the total.

    Parameters
    ----------
    cells : MergedCells
        The cells and the sums among them.
    marginals : mapping of tuple of int to ndarray of int
        Released counts by the positions of the variables, ascending.
    total : int
        Sum of all counts.
    budget : Budget, optional
        Ends the propagation early.

    Notes
    -----
    Every sum ``t = t₁ + t₂`` is used in both directions until nothing changes: ``t`` is at least the sum of the lower
    bounds and at most that of the upper ones, ``t₁`` at least ``t``'s lower less ``t₂``'s upper bound, and so on. What
    is released is fixed only where no categories are merged; the rest follows from the same sums. The result is the
    greatest fixed point, whatever the order. For decomposable marginals, and all (k−1)-way ones of a table with two
    categories everywhere, it is sharp; elsewhere it may be wider than what linear programming proves.

    References
    ----------
    Dobra, Fienberg 2001, section 4; Buzzigoli, Giusti 1999.

    Examples
    --------
    >>> bounds = shuttle(MergedCells.of_shape((2, 2)), {(0,): np.array([6, 4]), (1,): np.array([9, 1])}, 10)
    >>> [side.tolist() for side in bounds.of_cells()]
    [[[5, 0], [3, 0]], [[6, 1], [4, 1]]]
    """
    parts = max((int(np.diff(axis.first_part).max(initial=2)) for axis in cells.axes), default=2)
    dtype = np.int32 if total * parts < 2**31 else np.int64
    lower = np.zeros(cells.shape, dtype=dtype)
    upper = np.full(cells.shape, total, dtype=dtype)
    lower[(-1,) * len(cells.axes)] = total
    return _fixed(cells, lower, upper, marginals, budget or Budget())


def _fixed(
    cells: MergedCells, lower: Ints, upper: Ints, marginals: Mapping[tuple[int, ...], Ints], budget: Budget
) -> MergedBounds:
    """Fix marginals in bounds, which are overwritten: new memory for millions of them takes as long as a sweep."""
    base = cells.base
    for axes, counts in marginals.items():
        chosen = set(axes)
        place = tuple(slice(s.stop) if a in chosen else -1 for a, s in enumerate(base))
        if (counts < lower[place]).any() or (counts > upper[place]).any():
            return MergedBounds(cells, lower, upper, inconsistent=True)
        lower[place] = upper[place] = counts
    return MergedBounds(cells, lower, upper, *sweep_to_fixed_point(cells, lower, upper, budget))
