"""Swaps between people who agree on a separator; see :mod:`graphkit.tables.simulation`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.tables._other_category import step_to_other
from graphkit.tables._random_words import below, uniform

__all__ = ["Crowd", "count_people", "swap"]


class Crowd(NamedTuple):
    """People, each in a cell, and how many are in each cell."""

    cells: NDArray[np.int64]
    """Cell of every person, shape (n,)."""
    order: NDArray[np.int32]
    """People sorted by each separator, shape (e, n)."""
    place: NDArray[np.int32]
    """Where a person stands in that order, shape (e, n)."""
    group: NDArray[np.int32]
    """Group of every place, shape (e, n)."""
    first: NDArray[np.int64]
    """Where groups begin; `ends` has where they end, shape (e, g)."""
    ends: NDArray[np.int64]
    sides: NDArray[np.int64]
    """Side of every variable at every cut, shape (e, k)."""
    within: NDArray[np.bool_]
    """Whether the second cut is behind the first one, shape (e, e)."""
    uncovered: NDArray[np.int64]
    shape: NDArray[np.int64]
    strides: NDArray[np.int64]
    keys: NDArray[np.int64]
    """Open addressing: cells, −1 where there is none; a power of two of them, at least 4n."""
    counts: NDArray[np.int64]
    used: NDArray[np.int64]
    """How many places of `keys` are taken, some of them by cells that nobody is in any more."""
    random: NDArray[np.uint64]


@njit(cache=True, nogil=True)
def _find(keys: NDArray[np.int64], cell: int) -> int:
    """Return the place of a cell among the keys, or the empty one where it would be."""
    mask = np.uint64(keys.size - 1)
    word = np.uint64(cell) * np.uint64(0x9E3779B97F4A7C15)
    place = (word ^ (word >> np.uint64(32))) & mask
    while keys[place] != -1 and keys[place] != cell:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)  # type: ignore[return-value]


@njit(cache=True, nogil=True)
def _count(crowd: Crowd, cell: int) -> int:
    place = _find(crowd.keys, cell)
    return int(crowd.counts[place]) if crowd.keys[place] == cell else 0


@njit(cache=True, nogil=True)
def _change(crowd: Crowd, cell: int, step: int) -> None:
    place = _find(crowd.keys, cell)
    if crowd.keys[place] == -1:
        crowd.keys[place], crowd.counts[place] = cell, 0
        crowd.used[0] += 1
    crowd.counts[place] += step


@njit(cache=True, nogil=True)
def count_people(crowd: Crowd) -> None:
    """Count the people of every cell anew."""
    crowd.keys[:] = -1
    crowd.used[0] = 0
    for cell in crowd.cells:
        _change(crowd, cell, 1)


@njit(cache=True, nogil=True)
def _part(crowd: Crowd, cell: int, cut: int) -> int:
    """Return what the variables behind a cut add to the number of a cell."""
    part = 0
    for axis in range(crowd.shape.size):
        if crowd.sides[cut, axis] == 1:
            part += cell // crowd.strides[axis] % crowd.shape[axis] * crowd.strides[axis]
    return part


@njit(cache=True, nogil=True)
def _swap_two(crowd: Crowd, cut: int) -> bool:
    """Swap what is behind a cut between two people who agree on its separator."""
    random, cells = crowd.random, crowd.cells
    p = below(random, cells.size)
    group = crowd.group[cut, crowd.place[cut, p]]
    begin, end = crowd.first[cut, group], crowd.ends[cut, group]
    q = crowd.order[cut, begin + below(random, end - begin)]
    a, b = cells[p], cells[q]
    step = _part(crowd, b, cut) - _part(crowd, a, cut)
    if step == 0:
        return False
    c, d = a + step, b - step
    if c != b:
        # a pair of cells is drawn as often as it has pairs of people
        way = float(_count(crowd, a)) * float(_count(crowd, b))
        back = float(_count(crowd, c) + 1) * float(_count(crowd, d) + 1)
        if uniform(random) * way >= back:
            return False
        for cell, change in ((a, -1), (b, -1), (c, 1), (d, 1)):
            _change(crowd, cell, change)
    cells[p], cells[q] = c, d
    for other in range(crowd.order.shape[0]):
        if crowd.within[cut, other]:
            # they stand in for each other there
            at_p, at_q = crowd.place[other, p], crowd.place[other, q]
            crowd.order[other, at_p], crowd.order[other, at_q] = q, p
            crowd.place[other, p], crowd.place[other, q] = at_q, at_p
    return bool(c != b)


@njit(cache=True, nogil=True)
def _recode(crowd: Crowd, axis: int) -> bool:
    """Give a person another category of a variable that no marginal names."""
    random = crowd.random
    p = below(random, crowd.cells.size)
    a = crowd.cells[p]
    code = a // crowd.strides[axis] % crowd.shape[axis]
    c = a + step_to_other(code, below(random, crowd.shape[axis] - 1)) * crowd.strides[axis]
    if uniform(random) * _count(crowd, a) >= _count(crowd, c) + 1:
        return False
    _change(crowd, a, -1)
    _change(crowd, c, 1)
    crowd.cells[p] = c
    return True


@njit(cache=True, nogil=True)
def swap(crowd: Crowd, steps: int) -> int:
    """Make steps in place; return how many led to another table."""
    accepted, cuts = 0, crowd.sides.shape[0]
    for _ in range(steps):
        if 2 * crowd.used[0] + 8 >= crowd.keys.size:
            # people are in a quarter of the places at most: forget the cells that they left
            count_people(crowd)
        choice = below(crowd.random, cuts + crowd.uncovered.size)
        if choice < cuts:
            accepted += _swap_two(crowd, choice)
        else:
            accepted += _recode(crowd, crowd.uncovered[choice - cuts])
    return accepted
