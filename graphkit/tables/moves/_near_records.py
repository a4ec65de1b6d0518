"""The records of a sparse table that are near a cell; see :mod:`graphkit.tables.moves._block_moves`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints, Words
from graphkit.kernels import kernel
from graphkit.tables.moves._random_words import word


class Occupied(NamedTuple):
    """The cells that have records, and what the marginals say of the variables."""

    cells: Ints
    """Their numbers, shape (o,)."""
    codes: NDArray[np.int16]
    """Their categories, shape (k, o); variables with several categories only."""
    strides: Ints
    """By how much the number of a cell grows with the category of each of the variables, shape (k,)."""
    sizes: Ints
    neighbours: Ints
    """The variables that each shares a marginal with, itself too, as a mask, shape (k,)."""
    faces: Ints
    """Masks of the marginals of three variables and more."""
    sides: int
    """Least number of sides of a subtable that leaves the marginals as they are; 0 where no subtable of this kind is
    found."""


class Near(NamedTuple):
    """The cells that have records and differ from a cell in the fewest variables, and room for them."""

    differing: NDArray[np.int16]
    """Of every occupied cell, how many variables differ; shape (o,)."""
    chosen: Ints
    """Places of the nearest among the occupied cells, the nearest first; shape (l,)."""
    masks: Ints
    """Which variables differ in these, shape (l,)."""


@kernel
def bits_of(mask: int) -> int:
    """Return how many variables a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def list_near(cell: int, occupied: Occupied, near: Near, state: Words) -> int:
    """List the occupied cells nearest to a cell; return how many. Among equally near ones, begin anywhere."""
    differing, (k, number) = near.differing, occupied.codes.shape
    differing[:] = 0
    for v in range(k):
        own = np.int16(cell // occupied.strides[v] % occupied.sizes[v])
        codes = occupied.codes[v]
        for p in range(number):
            if codes[p] != own:
                differing[p] += np.int16(1)
    begin = np.zeros(k + 2, np.int64)
    for p in range(number):
        begin[differing[p] + 1] += 1
    begin = np.cumsum(begin)
    # the cell itself is none of them
    first, limit, last = begin[1], near.chosen.size, k
    while last > 1 and begin[last] - first >= limit:
        last -= 1
    turn = int(np.int64(word(state) >> np.uint64(33)) % number)
    for part in range(2):
        for p in range(turn, number) if part == 0 else range(turn):
            if 0 < differing[p] <= last:
                place = begin[differing[p]] - first
                if place < limit:
                    near.chosen[place] = p
                    begin[differing[p]] += 1
    found = min(number - first, limit)
    for i in range(found):
        p, mask = near.chosen[i], 0
        for v in range(k):
            own = cell // occupied.strides[v] % occupied.sizes[v]
            if occupied.codes[v, p] != own:
                mask |= 1 << v
        near.masks[i] = mask
    return int(found)


@kernel
def step_along(mask: int, place: int, cell: int, occupied: Occupied) -> int:
    """Return how far it is from a cell to an occupied one in some of the variables."""
    step = 0
    for v in range(occupied.strides.size):
        if mask >> v & 1:
            stride = occupied.strides[v]
            step += (occupied.codes[v, place] - cell // stride % occupied.sizes[v]) * stride
    return step
