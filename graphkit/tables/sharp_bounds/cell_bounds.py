"""Bounds of cells from marginals: what an intruder can work out, and how sure we are of that."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.parameters import generator_of
from graphkit.presentation import Presentable, new_axes
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.propagation.outer_bounds import outer_bounds
from graphkit.tables.sharp_bounds.prover import CellProver
from graphkit.tables.structure.contingency import MOST_TOGETHER, ContingencyTable, dense_counts, projected_cells
from graphkit.tables.structure.frechet import Bounds, is_decomposable, reducible_bounds
from graphkit.tables.structure.frechet_witness import SIDES, Side, frechet_witness
from graphkit.tables.structure.released import ReleasedMarginals

Status = Literal["sharp", "outer", "timeout"]
"""``sharp``: proven, and attained by a table that was verified. ``outer``: proven, may be wider than sharp ones.
``timeout``: as outer, because time ran out."""

_SHARP: Status = "sharp"
_OUTER: Status = "outer"


@dataclass(frozen=True, slots=True, eq=False)
class CellBounds(Presentable):
    """Proven bounds of cells."""

    cells: Ints
    """Numbers of the cells in C order, shape (m,)."""
    lower: Ints
    upper: Ints
    status: tuple[Status, ...]
    """Of every cell."""
    inconsistent: bool = False
    """Whether it is proven that no table has the marginals; the bounds mean nothing then."""
    witnesses: Mapping[tuple[int, Side], Ints] = field(default_factory=dict)
    """Tables in C order that attain a bound, by the number of the cell; for sharp ones, where they were asked for."""

    _figures = ("count", "sharp", "inconsistent")
    _derived = ("sharp",)

    @property
    def count(self) -> int:
        """Number of cells."""
        return int(self.cells.size)

    @property
    def sharp(self) -> bool:
        """Whether all are sharp."""
        return all(status == "sharp" for status in self.status)

    def plot(self, axes: Any = None) -> Any:
        """Draw the interval of every cell and return the axes; an interval of width 0 is a point.

        Needs the extra `plot`. As protected as the bounds.
        """
        axes = new_axes(axes)
        axes.vlines(self.cells, self.lower, self.upper)
        for ends in (self.lower, self.upper):
            axes.plot(self.cells, ends, "_", color="C0")
        axes.set(xlabel="cell", ylabel="least to largest count")
        return axes


def bounds(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal] | ReleasedMarginals,
    *,
    cells: Ints | None = None,
    exact: bool = True,
    witnesses: bool = False,
    seed: int | np.random.Generator = 0,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> CellBounds:
    """Return the least and the largest counts that cells can have, given marginals of a table.

    Parameters
    ----------
    table : ContingencyTable
        The table. It only makes things faster: the bounds follow from the marginals.
    released : iterable of iterable of str or int, or RecodedMarginal, or ReleasedMarginals
        Sets of variables whose marginals are out, in any order, or marginals with merged categories; or counts, these
        from anywhere.
    cells : ndarray of int64, optional
        Numbers of cells in C order; all by default.
    exact : bool, optional
        Whether to go on to sharp bounds.
    witnesses : bool, optional
        Whether to return tables that attain the sharp bounds.
    seed : int or numpy.random.Generator, optional
        Same input, seed and version: the same result, as long as there is no time limit.
    time_limit : float, optional
        Seconds after which what is proven is returned; needs `clock`.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.

    Raises
    ------
    InvalidInput
        If a variable or cell is not there, categories are merged in ways that are not nested, there is a time limit
        without a clock, or sharp bounds are asked for in a table of more than 2^22 cells whose marginals are not
        decomposable.

    Notes
    -----
    Theorem 1 where the marginals are decomposable; else Theorem 2 over the components, with propagation and then branch
    and bound in each of them. Sharp means proven in whole numbers on one side, and attained on the other by a table
    that was checked against every marginal.

    References
    ----------
    Dobra, Fienberg 2001.

    Examples
    --------
    >>> from graphkit.tables.structure.contingency import ContingencyTable
    >>> from graphkit.hierarchies.variable import Variable
    >>> yes_no = ("no", "yes")
    >>> table = ContingencyTable.from_dense([[5, 1], [4, 0]], (Variable("sex", ("f", "m")), Variable("ill", yes_no)))
    >>> found = bounds(table, [["sex"], ["ill"]])
    >>> found.lower.tolist(), found.upper.tolist(), found.status[0]
    ([5, 0, 3, 0], [6, 1, 4, 1], 'sharp')
    """
    budget, rng = Budget(clock, time_limit), generator_of(seed)
    asked = np.arange(_checked_size(table.size)) if cells is None else np.asarray(cells, dtype=np.int64)
    if asked.size and not 0 <= asked.min() <= asked.max() < table.size:
        raise InvalidInput(f"a cell is not in the table; it has {table.size}, numbered from 0")
    if isinstance(released, ReleasedMarginals):
        if released.shape != table.shape:
            raise InvalidInput("the marginals belong to a table of another shape")
        return _bounds(released, asked, None, exact, witnesses, budget, rng)
    hierarchical = HierarchicalTable.of(table, released)
    known = hierarchical.released()
    if hierarchical.is_plain:
        return _bounds(known, asked, table, exact, witnesses, budget, rng)
    inner, place = np.unique(hierarchical.cells(asked), return_inverse=True)
    found = _bounds(known, inner, hierarchical.table, exact, witnesses, budget, rng)
    return _of_given_cells(hierarchical, found, asked, place.reshape(-1))


def _of_given_cells(hierarchical: HierarchicalTable, found: CellBounds, asked: Ints, place: Ints) -> CellBounds:
    """Return the bounds of cells from those of the hierarchical cells that they are in."""
    lower, upper = found.lower[place], found.upper[place]
    free = hierarchical.free(asked)
    lower[free] = 0
    status: tuple[Status, ...] = tuple(found.status[i] for i in place.tolist())
    tables: dict[tuple[int, Side], Ints] = {}
    if found.witnesses:
        for cell, inner, is_free in zip(asked.tolist(), found.cells[place].tolist(), free.tolist(), strict=True):
            for side in SIDES:
                if (inner, side) in found.witnesses:
                    whole = ContingencyTable.from_dense(
                        found.witnesses[inner, side].reshape(hierarchical.table.shape), hierarchical.table.variables
                    )
                    tables[cell, side] = hierarchical.placed(whole, cell, inside=side == "upper" or not is_free)
    return CellBounds(asked, lower, upper, status, found.inconsistent, tables)


def _bounds(
    released: ReleasedMarginals,
    asked: Ints,
    start: ContingencyTable | None,
    exact: bool,
    witnesses: bool,
    budget: Budget,
    rng: np.random.Generator,
) -> CellBounds:
    if not exact or released.inconsistent is not None or (is_decomposable(released) and not witnesses):
        found = outer_bounds(released, asked, budget=budget)
        status: Status = _SHARP if found.sharp else ("timeout" if budget.is_spent() else "outer")
        return CellBounds(asked, found.lower, found.upper, (status,) * asked.size, found.inconsistent)
    if witnesses:
        if is_decomposable(released):
            return _closed_form_with_witnesses(released, asked)
        return _sharpened(released, asked, start, True, budget, rng)
    return _by_components(released, asked, start, budget, rng)


def _checked_size(size: int) -> int:
    if size > MOST_TOGETHER:
        raise InvalidInput(f"a table of {size} cells is too large for bounds of all of them; name cells")
    return size


def _closed_form_with_witnesses(released: ReleasedMarginals, asked: Ints) -> CellBounds:
    found = outer_bounds(released, asked)
    size = math.prod(released.shape)
    tables = {
        (cell, side): dense_counts(*frechet_witness(released, cell, side), _checked_size(size))
        for cell in asked.tolist()
        for side in SIDES
    }
    return CellBounds(asked, found.lower, found.upper, (_SHARP,) * asked.size, witnesses=tables)


def _by_components(
    released: ReleasedMarginals, asked: Ints, start: ContingencyTable | None, budget: Budget, rng: np.random.Generator
) -> CellBounds:
    """Return what Theorem 2 makes of the sharp bounds of the components."""
    turns = iter(released.decomposition.open_components)
    parts: list[tuple[tuple[int, ...], CellBounds]] = []

    def bound_component(part: ReleasedMarginals, cells: Ints) -> Bounds:
        axes = next(turns)
        own = None if start is None else start.marginal(axes)
        found = _sharpened(part, cells, own, False, budget, rng)
        parts.append((axes, found))
        return found.lower, found.upper

    lower, upper = reducible_bounds(released, bound_component, asked)
    worst = np.zeros(asked.size, dtype=np.int64)
    ranks: tuple[Status, ...] = ("sharp", "outer", "timeout")
    for axes, found in parts:
        rank = np.array([ranks.index(status) for status in found.status], dtype=np.int64)
        place = np.searchsorted(found.cells, projected_cells(asked, released.shape, axes))
        np.maximum(worst, rank[place], out=worst)
    inconsistent = any(found.inconsistent for _, found in parts)
    status: tuple[Status, ...] = tuple(ranks[rank] for rank in worst.tolist())
    return CellBounds(asked, lower, upper, status, inconsistent)


def _sharpened(
    released: ReleasedMarginals,
    asked: Ints,
    start: ContingencyTable | None,
    keep: bool,
    budget: Budget,
    rng: np.random.Generator,
) -> CellBounds:
    """Return bounds that are sharp where work and time allow it."""
    size = math.prod(released.shape)
    if size > MOST_TOGETHER:
        raise InvalidInput(f"{size} cells that hang together are too many for sharp bounds; ask for outer bounds")
    outer = outer_bounds(released, budget=budget)
    if outer.inconsistent:
        return CellBounds(asked, outer.lower[asked], outer.upper[asked], (_OUTER,) * asked.size, True)
    known = None if start is None else start.dense().reshape(-1)
    prover = CellProver(released, outer.lower, outer.upper, rng, table=known, keep=keep)
    for cell in asked.tolist():
        if budget.is_spent() or prover.inconsistent:
            break
        prover.raise_most(cell, budget)
        prover.cut_least(cell, budget)
    sharp = (prover.lower[asked] == prover.least[asked]) & (prover.upper[asked] == prover.most[asked])
    otherwise: Status = "timeout" if budget.is_spent() else "outer"
    status: tuple[Status, ...] = tuple(_SHARP if is_sharp else otherwise for is_sharp in sharp.tolist())
    tables = _holders(prover, asked[sharp]) if keep else {}
    return CellBounds(asked, prover.lower[asked], prover.upper[asked], status, prover.inconsistent, tables)


def _holders(prover: CellProver, cells: Ints) -> dict[tuple[int, Side], Ints]:
    """Return the tables that attain the bounds of cells."""
    return {
        (cell, side): next(table for table in prover.holders if table[cell] == ends[cell])
        for cell in cells.tolist()
        for side, ends in zip(SIDES, (prover.lower, prover.upper), strict=True)
    }
