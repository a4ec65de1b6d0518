"""Moves that bring one cell of a table to a goal; see :mod:`graphkit.tables.moves`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.tables._other_category import step_to_other
from graphkit.tables._random_words import word

__all__ = ["climb"]

_REPAIR_STEPS = 5_000
_LOOKED_AT = 300
_NOISE = 1_000


class _Boxes(NamedTuple):
    """The sets whose boxes the moves are made on."""

    shape: NDArray[np.int64]
    strides: NDArray[np.int64]
    spans: NDArray[np.int64]
    """Variables of every set, filled up with −1, shape (f, s)."""
    choices: NDArray[np.int64]
    """How many boxes of a set have a given corner, shape (f,)."""


@njit(cache=True, nogil=True)
def _random(state: NDArray[np.uint64], below: int) -> int:
    """Return a number from 0 on below a limit, all but alike."""
    return int(np.int64((word(state) >> np.uint64(33)) % np.uint64(below)))


@njit(cache=True, nogil=True)
def _largest_step(table: NDArray[np.int64], cell: int, offsets: NDArray[np.int64], number: int, sign: int) -> int:
    """Return how often a move can be made: at the cell +1 or −1, by turns at the corners that offsets lead to."""
    most = np.int64(1) << 62
    for corner in range(1 << number):
        place, parity = cell, 1
        for i in range(number):
            if corner >> i & 1:
                place += offsets[i]
                parity = -parity
        if parity != sign:
            most = min(most, table[place])
            if most == 0:
                return 0
    return int(most)


@njit(cache=True, nogil=True)
def _apply(table: NDArray[np.int64], cell: int, offsets: NDArray[np.int64], number: int, change: int) -> None:
    for corner in range(1 << number):
        place, step = cell, change
        for i in range(number):
            if corner >> i & 1:
                place += offsets[i]
                step = -step
        table[place] += step


@njit(cache=True, nogil=True)
def _draw_offsets(boxes: _Boxes, f: int, cell: int, choice: int, offsets: NDArray[np.int64]) -> int:
    """Set the way from a cell to other categories of a set's variables, the choice-th; return how many variables."""
    shape, strides, span = boxes.shape, boxes.strides, boxes.spans[f]
    number = 0
    while number < span.size and span[number] >= 0:
        axis = span[number]
        others = shape[axis] - 1
        code = cell // strides[axis] % shape[axis]
        offsets[number] = step_to_other(code, choice % others) * strides[axis]
        choice //= others
        number += 1
    return number


@njit(cache=True, nogil=True)
def _deficit_after(
    table: NDArray[np.int64], cell: int, offsets: NDArray[np.int64], number: int, sign: int, kept: int
) -> int:
    """Return by how much a move raises the sum of what is below zero; a lot if it touches the cell that is kept."""
    change = np.int64(0)
    for corner in range(1 << number):
        place, step = cell, sign
        for i in range(number):
            if corner >> i & 1:
                place += offsets[i]
                step = -step
        if place == kept:
            return 1 << 40
        change += max(0, -(table[place] + step)) - max(0, -table[place])
    return int(change)


@njit(cache=True, nogil=True)
def _note(
    table: NDArray[np.int64],
    cell: int,
    offsets: NDArray[np.int64],
    number: int,
    negative: NDArray[np.int64],
    where: NDArray[np.int64],
    count: int,
) -> int:
    """Bring the list of negative cells up to date at the corners of a move; return how many there are."""
    for corner in range(1 << number):
        place = cell
        for i in range(number):
            if corner >> i & 1:
                place += offsets[i]
        if table[place] < 0 and where[place] < 0:
            negative[count], where[place] = place, count
            count += 1
        elif table[place] >= 0 and where[place] >= 0:
            count -= 1
            last = negative[count]
            negative[where[place]], where[last] = last, where[place]
            where[place] = -1
    return count


@njit(cache=True, nogil=True)
def _step_with_repair(
    table: NDArray[np.int64],
    boxes: _Boxes,
    cell: int,
    sign: int,
    state: NDArray[np.uint64],
    negative: NDArray[np.int64],
    where: NDArray[np.int64],
) -> int:
    """Make a move at the cell and mend what it makes negative; return the moves made, 0 if all is as before."""
    sets = boxes.spans.shape[0]
    # what was done, to be taken back: set, cell, choice, sign
    done = np.empty((_REPAIR_STEPS + 1, 4), np.int64)
    offsets = np.zeros(boxes.spans.shape[1], np.int64)
    steps, count = 0, 0
    while steps <= _REPAIR_STEPS:
        target = cell if steps == 0 else negative[_random(state, count)]
        change = sign if steps == 0 else 1
        kept = -1 if steps == 0 else cell
        best, best_f, best_choice = 1 << 39, -1, 0
        looked = 1 if _random(state, _NOISE) == 0 else min(_LOOKED_AT, 2 * boxes.choices.sum())
        for _ in range(looked):
            f = _random(state, sets)
            choice = _random(state, boxes.choices[f])
            number = _draw_offsets(boxes, f, target, choice, offsets)
            deficit = _deficit_after(table, target, offsets, number, change, kept)
            if deficit < best:
                best, best_f, best_choice = deficit, f, choice
        if best_f < 0:
            break
        number = _draw_offsets(boxes, best_f, target, best_choice, offsets)
        _apply(table, target, offsets, number, change)
        done[steps] = (best_f, target, best_choice, change)
        steps += 1
        count = _note(table, target, offsets, number, negative, where, count)
        if count == 0:
            return steps
    for i in range(steps - 1, -1, -1):
        f, target, choice, change = done[i]
        number = _draw_offsets(boxes, f, target, choice, offsets)
        _apply(table, target, offsets, number, -change)
        count = _note(table, target, offsets, number, negative, where, count)
    return 0


@njit(cache=True, nogil=True)
def _direct_step(
    table: NDArray[np.int64], boxes: _Boxes, cell: int, sign: int, most: int, state: NDArray[np.uint64]
) -> bool:
    """Make a move at the cell as often as possible, up to `most` times; return whether there was one."""
    sets = boxes.spans.shape[0]
    offsets = np.zeros(boxes.spans.shape[1], np.int64)
    turn = _random(state, sets)
    for i in range(sets):
        f = (turn + i) % sets
        begin = _random(state, boxes.choices[f])
        for choice in range(boxes.choices[f]):
            number = _draw_offsets(boxes, f, cell, (begin + choice) % boxes.choices[f], offsets)
            step = min(_largest_step(table, cell, offsets, number, sign), most)
            if step > 0:
                _apply(table, cell, offsets, number, sign * step)
                return True
    return False


@njit(cache=True, nogil=True)
def climb(
    table: NDArray[np.int64],
    shape: NDArray[np.int64],
    strides: NDArray[np.int64],
    spans: NDArray[np.int64],
    cell: int,
    goal: int,
    seed: int,
    repairs: int,
) -> None:
    """Bring the count of a cell as near to a goal as is found, in place.

    Parameters
    ----------
    table : ndarray of int64, shape (n,)
    shape, strides : ndarray of int64, shape (k,)
        Number of categories of every variable, and by how much the number of a cell grows with them.
    spans : ndarray of int64, shape (f, s)
        Sets of variables, filled up with −1.
    cell, goal, seed : int
    repairs : int
        How often mending may fail; what succeeds counts by its moves.
    """
    choices = np.ones(spans.shape[0], np.int64)
    for f in range(spans.shape[0]):
        for axis in spans[f]:
            if axis >= 0:
                choices[f] *= shape[axis] - 1
    boxes = _Boxes(shape, strides, spans, choices)
    state = np.array([seed], np.uint64)
    negative, where = np.empty(0, np.int64), np.empty(0, np.int64)
    sign = 1 if goal > table[cell] else -1
    # a goal may be far away, and mending brings the cell one nearer at a time
    left = repairs * _REPAIR_STEPS
    while (goal - table[cell]) * sign > 0 and left > 0:
        if _direct_step(table, boxes, cell, sign, (goal - table[cell]) * sign, state):
            continue
        if where.size == 0:
            negative, where = np.empty(table.size, np.int64), np.full(table.size, -1)
        steps = _step_with_repair(table, boxes, cell, sign, state, negative, where)
        left -= steps if steps > 0 else _REPAIR_STEPS
