"""Cells inside compiled loops: from one category to another, the corners of a subtable, and lists of cells."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.kernels import kernel


@kernel
def step_to_other(category: int, other: int) -> int:
    """Return how far it is from a category to one of the others, these numbered from 0."""
    return other + (other >= category) - category


@kernel
def corner_of(cell: int, offsets: Ints, number: int, corner: int) -> tuple[int, int]:
    """Return a corner of the subtable that so many offsets span at a cell, and its sign: by turns, +1 at the cell."""
    place, sign = cell, 1
    for i in range(number):
        if corner >> i & 1:
            place += offsets[i]
            sign = -sign
    return place, sign


class CellList(NamedTuple):
    """Cells that have something in common, in any order; adding one and taking one away takes a few steps."""

    cells: Ints
    """The first `number[0]` of them count, shape (n,)."""
    where: Ints
    """Place of every cell among them, −1 if it is not, shape (n,)."""
    number: Ints

    @classmethod
    def of(cls, belongs: Bools) -> "CellList":
        """Return the list of the cells that belong to it, ascending."""
        found = np.flatnonzero(belongs)
        cells, where = np.full(belongs.size, -1), np.full(belongs.size, -1)
        cells[: found.size], where[found] = found, np.arange(found.size)
        return cls(cells, where, np.array([found.size], dtype=np.int64))


@kernel
def list_if(listed: CellList, cell: int, belongs: bool) -> None:
    """Bring a list up to date after a change of one cell."""
    cells, where, number = listed
    if belongs and where[cell] < 0:
        cells[number[0]], where[cell] = cell, number[0]
        number[0] += 1
    elif not belongs and where[cell] >= 0:
        number[0] -= 1
        last = cells[number[0]]
        cells[where[cell]], where[last] = last, where[cell]
        where[cell] = -1
