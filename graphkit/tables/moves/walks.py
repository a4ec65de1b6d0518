"""Basic moves: changes of a table that leave every released marginal as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.tables.moves._block_moves import MOST_SIDES
from graphkit.tables.moves._local_search import Subtables, Walked, local_search
from graphkit.tables.moves._near_records import Near, Occupied
from graphkit.tables.structure.contingency import strides_of
from graphkit.tables.structure.hypergraph import Axes, mask_of

EFFORT = 2_000_000
"""Corners of subtables that one walk looks at, where nothing else is said: some hundredths of a second."""

_NEAR = 300
_MOST_VARIABLES = 60


def minimal_nonfaces(released: Iterable[Axes], variables: int) -> list[Axes]:
    """Return the smallest sets of variables that are within no released marginal.

    Examples
    --------
    >>> minimal_nonfaces([(0, 1), (1, 2), (0, 2)], 3), minimal_nonfaces([(0, 1), (1, 2)], 3)
    ([(0, 1, 2)], [(0, 2)])
    """
    faces = [mask_of(axes) for axes in released]
    found: list[tuple[int, Axes]] = []
    largest = max((mask.bit_count() for mask in faces), default=0)
    for size in range(1, min(variables, largest + 1) + 1):
        for axes in combinations(range(variables), size):
            mask = mask_of(axes)
            if any(mask & face == mask for face in faces) or any(mask & small == small for small, _ in found):
                continue
            found.append((mask, axes))
    return [axes for _, axes in found]


def filled_rows(sets: Sequence[Axes]) -> Ints:
    """Return sets of variables as rows, filled up with −1.

    Examples
    --------
    >>> filled_rows([(0, 2), (1,)]).tolist()
    [[0, 2], [1, -1]]
    """
    filled = np.full((len(sets), max(map(len, sets), default=0)), -1, dtype=np.int64)
    for row, axes in zip(filled, sets, strict=True):
        row[: len(axes)] = axes
    return filled


@dataclass(frozen=True, slots=True, eq=False)
class BasicMoves:
    """Moves +1 and −1, by turns, on the corners of a subtable that a minimal set outside the released marginals spans.

    Parameters
    ----------
    shape : tuple of int
        Number of categories of every variable.
    spans : ndarray of int64, shape (f, s)
        The sets, filled up with −1.

    Notes
    -----
    *Why marginals stay.* Summing over the categories of one variable of the set adds a +1 to a −1; a released marginal
    leaves out a variable of every such set. For decomposable marginals these are not all moves that connect the tables,
    and elsewhere none need to: a search along them finds tables, but its end proves nothing.

    References
    ----------
    Diaconis, Sturmfels 1998; Dobra 2003, Markov bases for decomposable graphical models; Selman, Kautz, Cohen 1994,
    Noise strategies for improving local search.
    """

    shape: tuple[int, ...]
    spans: Ints

    @classmethod
    def of(cls, shape: tuple[int, ...], released: Iterable[Axes]) -> BasicMoves:
        """Return the moves for released marginals, by the positions of their variables."""
        sets = [axes for axes in minimal_nonfaces(released, len(shape)) if all(shape[axis] > 1 for axis in axes)]
        return cls(shape, filled_rows(sets))


class TableWalk:
    """Walks along moves from a table, which stays as it is: what a walk costs does not grow with the table.

    Parameters
    ----------
    moves : BasicMoves
    released : iterable of tuple of int
        The released marginals that the moves are made for.
    table : ndarray of int64, shape (n,)
        Counts of all cells in C order.

    Notes
    -----
    *Subtables.* Single moves at the cell, each as often as it can be made: any of a few hundred, tried at random.

    *Blocks.* In a sparse table records at all the corners of a random subtable are rare. A side of a subtable may
    change several variables at once, as long as no released marginal has variables of all its sides. So subtables are
    put together from records near the cell, in as few variables different as there are; what is negative then is
    repaired in the same way (:mod:`graphkit.tables.moves._block_moves`).

    *Repair.* Where these end, a subtable is taken all the same, and the counts that it makes negative are repaired one
    after the other, each by the move at it that leaves the least below zero, now and then by any (as WalkSAT does for
    clauses). What does not succeed is taken back.
    """

    __slots__ = ("_near", "_occupied", "_subtables", "_walked")

    def __init__(self, moves: BasicMoves, released: Iterable[Axes], table: Ints) -> None:
        shape, strides = np.array(moves.shape, dtype=np.int64), strides_of(moves.shape)
        choices = np.array([np.prod(shape[axes[axes >= 0]] - 1) for axes in moves.spans], dtype=np.int64).reshape(
            moves.spans.shape[0]
        )
        self._subtables = Subtables(shape, strides, moves.spans, choices)
        size = table.size
        self._walked = Walked(
            table.astype(np.int64),
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
            np.zeros(size, dtype=np.bool_),
            np.empty(size, dtype=np.int64),
            np.full(size, -1, dtype=np.int64),
            np.zeros(2, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )
        self._occupied = _occupied(moves, tuple(released), table)
        self._near = Near(
            np.zeros(self._occupied.cells.size, dtype=np.int16),
            np.zeros(_NEAR, dtype=np.int64),
            np.zeros(_NEAR, dtype=np.int64),
        )

    @property
    def work(self) -> int:
        """Corners of subtables that were looked at so far: the same on every machine."""
        return int(self._walked.work[0])

    def towards(self, cell: int, goal: int, rng: Rng, *, effort: int = EFFORT) -> tuple[Ints, Ints]:
        """Return what differs in a table in which the count of a cell is as near to a goal as moves bring it.

        Parameters
        ----------
        cell : int
            Number of the cell.
        goal : int
            The count that is wished for.
        rng : numpy.random.Generator
            Chooses the order in which moves are tried.
        effort : int, optional
            How many corners are looked at, about.

        Returns
        -------
        cells, changes : ndarray of int64
            Cells, ascending, and by how much their counts differ from those of the table.
        """
        if not self._subtables.spans.shape[0]:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        seed = int(rng.integers(1, 2**62))
        return local_search(self._walked, self._subtables, self._occupied, self._near, cell, goal, seed, effort)


def _occupied(moves: BasicMoves, released: tuple[Axes, ...], table: Ints) -> Occupied:
    """Return the cells that have records, in the variables that have several categories."""
    shape, strides = moves.shape, strides_of(moves.shape)
    kept = [axis for axis, size in enumerate(shape) if size > 1]
    sides = min((int((axes >= 0).sum()) for axes in moves.spans), default=0)
    cells = np.flatnonzero(table).astype(np.int64)
    if not 2 <= sides <= MOST_SIDES or max(shape) > np.iinfo(np.int16).max or len(kept) > _MOST_VARIABLES:
        # subtables of such sides are not looked for
        cells, sides = cells[:0], 0
    place = {axis: number for number, axis in enumerate(kept)}
    masks = [mask_of(place[axis] for axis in axes if axis in place) for axes in released]
    neighbours = [0] * len(kept)
    for v in range(len(kept)):
        neighbours[v] = 1 << v
        for mask in masks:
            neighbours[v] |= mask if mask >> v & 1 else 0
    codes = np.empty((len(kept), cells.size), dtype=np.int16)
    for row, axis in zip(codes, kept, strict=True):
        row[:] = cells // strides[axis] % shape[axis]
    faces = [mask for mask in masks if mask.bit_count() >= MOST_SIDES]
    return Occupied(
        cells,
        codes,
        strides[kept],
        np.array(shape, dtype=np.int64)[kept],
        np.array(neighbours, dtype=np.int64),
        np.array(faces, dtype=np.int64),
        sides if cells.size else 0,
    )
