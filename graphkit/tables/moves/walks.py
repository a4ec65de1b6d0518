"""Walks along basic moves from a table towards others with the same marginals."""

from collections.abc import Iterable

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.tables.moves._block_moves import MOST_SIDES
from graphkit.tables.moves._cells import CellList
from graphkit.tables.moves._local_search import Walked, local_search
from graphkit.tables.moves._near_records import Near, Occupied
from graphkit.tables.moves.basic_moves import BasicMoves
from graphkit.tables.structure.hypergraph import Axes, mask_of

EFFORT = 2_000_000
"""Corners of subtables that one walk looks at, where nothing else is said: some hundredths of a second."""

_NEAR = 300
_MOST_VARIABLES = 60


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

    __slots__ = ("_moves", "_near", "_occupied", "_walked")

    def __init__(self, moves: BasicMoves, released: Iterable[Axes], table: Ints) -> None:
        self._moves, size = moves, table.size
        self._walked = Walked(
            table.astype(np.int64),
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
            np.zeros(size, dtype=np.bool_),
            CellList.of(table < 0),
            np.zeros(1, dtype=np.int64),
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
        if not self._moves.choices.size:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        seed = int(rng.integers(1, 2**62))
        return local_search(self._walked, self._moves, self._occupied, self._near, cell, goal, seed, effort)


def _occupied(moves: BasicMoves, released: tuple[Axes, ...], table: Ints) -> Occupied:
    """Return the cells that have records, in the variables that have several categories."""
    kept = np.flatnonzero(moves.shape > 1)
    sides = min((int((axes >= 0).sum()) for axes in moves.spans), default=0)
    cells = np.flatnonzero(table).astype(np.int64)
    if not 2 <= sides <= MOST_SIDES or moves.shape.max() > np.iinfo(np.int16).max or kept.size > _MOST_VARIABLES:
        # subtables of such sides are not looked for
        cells, sides = cells[:0], 0
    place = {axis: number for number, axis in enumerate(kept.tolist())}
    masks = [mask_of(place[axis] for axis in axes if axis in place) for axes in released]
    neighbours = [1 << v for v in range(kept.size)]
    for v in range(kept.size):
        for mask in masks:
            neighbours[v] |= mask if mask >> v & 1 else 0
    codes = np.empty((kept.size, cells.size), dtype=np.int16)
    for row, axis in zip(codes, kept, strict=True):
        row[:] = cells // moves.strides[axis] % moves.shape[axis]
    faces = [mask for mask in masks if mask.bit_count() >= MOST_SIDES]
    return Occupied(
        cells,
        codes,
        moves.strides[kept],
        moves.shape[kept],
        np.array(neighbours, dtype=np.int64),
        np.array(faces, dtype=np.int64),
        sides if cells.size else 0,
    )
