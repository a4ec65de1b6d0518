"""What counts some cells of a table can have, pieced together from its components; see Theorem 2."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.frechet import Bounds, known_counts, projected_cells, released_decomposition
from graphkit.tables.hypergraph import Axes
from graphkit.tables.outer import outer_bounds
from graphkit.tables.prover import CellProver
from graphkit.tables.released import ReleasedMarginals

__all__ = ["TableProver"]

_MOST_CELLS = 2**22


@dataclass(slots=True, eq=False)
class _Part:
    """A component, and which of its cells the chosen cells of the table are in."""

    places: NDArray[np.int64]
    prover: CellProver | None
    """None where nothing can be found out: its counts are released, or it is too large."""
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    least: NDArray[np.int64]
    most: NDArray[np.int64]


class TableProver:
    """Proven bounds of some cells of a table, and counts that they really have in tables with the same marginals.

    Parameters
    ----------
    table : ContingencyTable
        The table; it has the marginals, so its counts are attained.
    released : ReleasedMarginals
        Its marginals that are out.
    cells : ndarray of int64, shape (m,)
        Numbers of the cells in C order.
    rng : numpy.random.Generator
        Chooses the order in which moves are tried.
    budget : Budget
        Ends propagation early.

    Raises
    ------
    BrokenClaim
        If the marginals are found to contradict each other: they are of one table.

    Notes
    -----
    Tables of the components that have the same counts by the separators, which are released, can be glued to a table of
    all variables, and so that a cell has any of the counts between the two sides of Theorem 2. So counts that are
    attained in the components are attained in the table, by the same formula as for their bounds. Where the marginals
    are decomposable every component is known, and both sides are the same: Theorem 1.

    References
    ----------
    Dobra, Fienberg 2001, Theorems 1 and 2.
    """

    def __init__(
        self,
        table: ContingencyTable,
        released: ReleasedMarginals,
        cells: NDArray[np.int64],
        rng: np.random.Generator,
        budget: Budget,
    ) -> None:
        decomposition = released_decomposition(released)
        self._total, self._size = released.total, cells.size
        self._parts = [
            _known(released, axes, cells) if known else _open(table, released, axes, cells, rng, budget)
            for axes, known in zip(decomposition.components, decomposition.known, strict=True)
        ]
        self._shared = np.zeros(cells.size, dtype=np.int64)
        for axes in decomposition.sequence.separators:
            counts = known_counts(released, axes).reshape(-1)
            self._shared += counts[projected_cells(cells, released.shape, axes)]
        covered = {axis for axes in decomposition.components for axis in axes}
        # people may be in any category of a variable that nothing is known of
        self._is_free = any(size > 1 and axis not in covered for axis, size in enumerate(released.shape))
        self._known_lower = np.zeros(cells.size, dtype=np.int64)
        self._known_upper = np.full(cells.size, released.total, dtype=np.int64)
        self._cells = cells

    def note(self, cells: NDArray[np.int64], lower: NDArray[np.int64], upper: NDArray[np.int64]) -> None:
        """Take in bounds that were proven before; cells that were not chosen are passed over."""
        place = np.searchsorted(self._cells, cells)
        there = place < self._size
        there[there] = self._cells[place[there]] == cells[there]
        np.maximum.at(self._known_lower, place[there], lower[there])
        np.minimum.at(self._known_upper, place[there], upper[there])

    def proven(self, chosen: NDArray[np.int64] | None = None) -> Bounds:
        """Return proven lower and upper bounds of all the cells, or of some by their places among them."""
        chosen = np.arange(self._size) if chosen is None else chosen
        lower, upper = self._pieced([(part.places, part.lower, part.upper) for part in self._parts], chosen)
        return np.maximum(lower, self._known_lower[chosen]), np.minimum(upper, self._known_upper[chosen])

    def attained(self, chosen: NDArray[np.int64] | None = None) -> Bounds:
        """Return the least and the largest counts that are known to be attained."""
        chosen = np.arange(self._size) if chosen is None else chosen
        return self._pieced([(part.places, part.least, part.most) for part in self._parts], chosen)

    def _pieced(
        self, sides: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]], chosen: NDArray[np.int64]
    ) -> Bounds:
        lower = -self._shared[chosen]
        upper = np.full(chosen.size, self._total, dtype=np.int64)
        for places, least, most in sides:
            lower += least[places[chosen]]
            np.minimum(upper, most[places[chosen]], out=upper)
        if self._is_free:
            lower[...] = 0
        elif not sides:
            # one cell
            lower[...] = self._total
        return np.maximum(lower, 0), upper

    def widen(self, place: int, width: int, least_upper: int, budget: Budget, *, sharply: bool) -> None:
        """Look for tables in which a cell is as wide, and as large, as is asked; by programs too if `sharply`.

        Parameters
        ----------
        place : int
            Of the cell among the chosen ones.
        width : int
            How far apart its counts should be.
        least_upper : int
            What its largest count should at least be.
        budget : Budget
            Ends programs early.
        sharply : bool
            Whether to go on until it is found, or proven that there is none.
        """
        one = np.array([place])
        for part in self._parts:
            if part.prover is not None:
                (least,), (most,) = self.attained(one)
                goal = max(int(least) + width, least_upper)
                if most < goal:
                    _raise(part.prover, int(part.places[place]), goal, budget, sharply)
        for part in self._parts:
            if part.prover is not None and not self._is_free:
                (least,), (most,) = self.attained(one)
                lacking = width - int(most - least)
                if lacking > 0:
                    cell = int(part.places[place])
                    _cut(part.prover, cell, int(part.least[cell]) - lacking, budget, sharply)
        if sharply and not self.is_met(place, width, least_upper):
            # one side gave as much as it was asked for, the other could not: both to their ends
            for part in self._parts:
                if part.prover is not None:
                    part.prover.raise_most(int(part.places[place]), budget)
                    part.prover.cut_least(int(part.places[place]), budget)

    def is_met(self, place: int, width: int, least_upper: int) -> bool:
        """Whether tables were found in which a cell is as wide, and as large, as is asked."""
        (least,), (most,) = self.attained(np.array([place]))
        return bool(most - least >= width and most >= least_upper)


def _raise(prover: CellProver, cell: int, goal: int, budget: Budget, sharply: bool) -> None:
    if prover.most[cell] < goal:
        if sharply:
            prover.raise_most(cell, budget, enough=goal)
        else:
            prover.walk(cell, goal)


def _cut(prover: CellProver, cell: int, goal: int, budget: Budget, sharply: bool) -> None:
    if sharply:
        prover.cut_least(cell, budget, enough=max(goal, 0))
    else:
        prover.walk(cell, max(goal, 0))


def _known(released: ReleasedMarginals, axes: Axes, cells: NDArray[np.int64]) -> _Part:
    counts = known_counts(released, axes).reshape(-1)
    return _Part(projected_cells(cells, released.shape, axes), None, counts, counts, counts, counts)


def _open(
    table: ContingencyTable,
    released: ReleasedMarginals,
    axes: Axes,
    cells: NDArray[np.int64],
    rng: np.random.Generator,
    budget: Budget,
) -> _Part:
    part, places = released.restricted(axes), projected_cells(cells, released.shape, axes)
    own = table.marginal(axes)
    if math.prod(part.shape) > _MOST_CELLS:
        needed, index = np.unique(places, return_inverse=True)
        outer = outer_bounds(part, needed, budget=budget)
        # all that is known to be attained is what is the case
        counts = np.zeros(needed.size, dtype=np.int64)
        there = np.isin(needed, own.cells)
        counts[there] = own.counts[np.searchsorted(own.cells, needed[there])]
        return _Part(index.reshape(-1), None, outer.lower, outer.upper, counts, counts)
    outer = outer_bounds(part, budget=budget)
    if outer.inconsistent:
        raise BrokenClaim("marginals of one table were found to contradict each other")
    prover = CellProver(part, outer.lower, outer.upper, rng, table=own.dense().reshape(-1))
    return _Part(places, prover, prover.lower, prover.upper, prover.least, prover.most)
