"""Steps of a chain over tables: along lines of tables, and combinations of moves; see :func:`simulate`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.tables._other_category import step_to_other
from graphkit.tables._random_words import below, uniform

__all__ = ["Lines", "State", "draw_offsets", "list_corners", "log_chance_of_finding", "note", "walk"]

_COMBINED = 0.02


class Lines(NamedTuple):
    """Moves that keep all released marginals: +1 and −1 by turns on the corners that some offsets lead to."""

    shape: NDArray[np.int64]
    strides: NDArray[np.int64]
    spans: NDArray[np.int64]
    """Smallest sets of variables within no marginal, filled up with −1, shape (f, s): an offset for each variable."""
    sides: NDArray[np.int64]
    """Side of every variable at every cut, shape (e, k): one offset before the cut, one behind it."""


class State(NamedTuple):
    """A table, and where it is not zero."""

    table: NDArray[np.int64]
    nonzero: NDArray[np.int64]
    """Numbers of the cells that are not zero, in any order; the first `number[0]` of them count, shape (n,)."""
    where: NDArray[np.int64]
    """Place of a cell among them, −1 if it is zero."""
    number: NDArray[np.int64]
    random: NDArray[np.uint64]


@njit(cache=True, nogil=True)
def note(state: State, cell: int) -> None:
    """Bring the list of cells that are not zero up to date, after a change of one cell."""
    table, nonzero, where, number = state.table, state.nonzero, state.where, state.number
    if table[cell] > 0 and where[cell] < 0:
        nonzero[number[0]], where[cell] = cell, number[0]
        number[0] += 1
    elif table[cell] == 0 and where[cell] >= 0:
        number[0] -= 1
        last = nonzero[number[0]]
        nonzero[where[cell]], where[last] = last, where[cell]
        where[cell] = -1


@njit(cache=True, nogil=True)
def log_chance_of_finding(state: State, now: int, then: int) -> float:
    """Return what the way back is likelier than the way, as a logarithm, where cells are drawn of those not zero.

    A part of the table is found at any of its cells that are not zero, `now` of them, and `then` after the step.
    """
    nonzero = state.number[0]
    return math.log(then / (nonzero + then - now)) - math.log(now / nonzero)


@njit(cache=True, nogil=True)
def draw_offsets(lines: Lines, cell: int, offsets: NDArray[np.int64], random: NDArray[np.uint64]) -> int:
    """Set the offsets of a move at a cell; return how many there are, 0 if it is none.

    All corners of a move draw it with the same probability.
    """
    shape, strides, spans = lines.shape, lines.strides, lines.spans
    choice = below(random, spans.shape[0] + lines.sides.shape[0])
    if choice < spans.shape[0]:
        number = 0
        while number < spans.shape[1] and spans[choice, number] >= 0:
            axis = spans[choice, number]
            code = cell // strides[axis] % shape[axis]
            offsets[number] = step_to_other(code, below(random, shape[axis] - 1)) * strides[axis]
            number += 1
        return number
    sides = lines.sides[choice - spans.shape[0]]
    offsets[0] = offsets[1] = 0
    for axis in range(shape.size):
        if sides[axis] < 2 and shape[axis] > 1:
            code = cell // strides[axis] % shape[axis]
            offsets[sides[axis]] += (below(random, shape[axis]) - code) * strides[axis]
    return 2 if offsets[0] != 0 and offsets[1] != 0 else 0


@njit(cache=True, nogil=True)
def list_corners(cell: int, offsets: NDArray[np.int64], number: int, corners: NDArray[np.int64]) -> None:
    """Set the corners of a move; those where it has the opposite sign of the first come second."""
    half = 1 << (number - 1)
    same, opposite = 0, half
    for corner in range(1 << number):
        place, parity = cell, 0
        for i in range(number):
            if corner >> i & 1:
                place += offsets[i]
                parity ^= 1
        if parity:
            corners[opposite] = place
            opposite += 1
        else:
            corners[same] = place
            same += 1


@njit(cache=True, nogil=True)
def _draw_step(ahead: int, behind: int, random: NDArray[np.uint64]) -> int:
    """Return how often to make a move that can be made `ahead` times, and back `behind` times; 0 if not at all.

    Any table of the line proposes any other as often as that one proposes it.
    """
    length = ahead + behind
    if length <= 3:
        step = below(random, length) - behind
        return step + (step >= 0)
    if uniform(random) < 0.5:
        return below(random, length + 1) - behind
    step = 1 + below(random, int(math.sqrt(length)))
    if uniform(random) < 0.5:
        step = -step
    return step if -behind <= step <= ahead else 0


@njit(cache=True, nogil=True)
def _step_on_line(
    state: State, lines: Lines, hypergeometric: bool, offsets: NDArray[np.int64], corners: NDArray[np.int64]
) -> bool:
    """Move along a line through the table, at a cell that is not zero."""
    table, random = state.table, state.random
    cell = state.nonzero[below(random, state.number[0])]
    number = draw_offsets(lines, cell, offsets, random)
    if number == 0:
        return False
    list_corners(cell, offsets, number, corners)
    half, size = 1 << (number - 1), 1 << number
    behind = ahead = np.int64(1) << 62
    for i in range(half):
        behind, ahead = min(behind, table[corners[i]]), min(ahead, table[corners[half + i]])
    if behind + ahead == 0:
        return False
    step = _draw_step(int(ahead), int(behind), random)
    if step == 0:
        return False
    weight = 0.0
    now, then = 0, 0
    for i in range(size):
        old = table[corners[i]]
        new = old + (step if i < half else -step)
        now += old > 0
        then += new > 0
        if hypergeometric:
            weight += math.lgamma(old + 1.0) - math.lgamma(new + 1.0)
    weight += log_chance_of_finding(state, now, then)
    if weight < 0 and uniform(random) >= math.exp(weight):
        return False
    for i in range(size):
        table[corners[i]] += step if i < half else -step
        note(state, corners[i])
    return True


@njit(cache=True, nogil=True)
def _combined_step(
    state: State, lines: Lines, hypergeometric: bool, offsets: NDArray[np.int64], corners: NDArray[np.int64]
) -> bool:
    """Add any number of moves, wherever they are and whatever lies between; stay if a count would be negative."""
    table, random = state.table, state.random
    moves = 1
    while uniform(random) < 0.5:
        moves += 1
    touched, before = np.empty(moves * corners.size, np.int64), np.empty(moves * corners.size, np.int64)
    count = 0
    for _ in range(moves):
        cell = below(random, table.size)
        number = draw_offsets(lines, cell, offsets, random)
        if number == 0:
            continue
        list_corners(cell, offsets, number, corners)
        for i in range(1 << number):
            place = corners[i]
            known = False
            for j in range(count):
                known |= touched[j] == place
            if not known:
                touched[count], before[count] = place, table[place]
                count += 1
            table[place] += 1 if i < 1 << (number - 1) else -1
    weight, possible, changed = 0.0, True, False
    for j in range(count):
        new = table[touched[j]]
        changed |= new != before[j]
        possible &= new >= 0
        if hypergeometric and possible:
            weight += math.lgamma(before[j] + 1.0) - math.lgamma(new + 1.0)
    if possible and changed and (weight >= 0 or uniform(random) < math.exp(weight)):
        for j in range(count):
            note(state, touched[j])
        return True
    for j in range(count):
        table[touched[j]] = before[j]
    return False


@njit(cache=True, nogil=True)
def walk(state: State, lines: Lines, hypergeometric: bool, steps: int) -> int:
    """Make steps in place; return how many led to another table."""
    width = max(lines.spans.shape[1], 2)
    offsets, corners = np.zeros(width, np.int64), np.zeros(1 << width, np.int64)
    accepted = 0
    for _ in range(steps):
        if uniform(state.random) < _COMBINED:
            accepted += _combined_step(state, lines, hypergeometric, offsets, corners)
        else:
            accepted += _step_on_line(state, lines, hypergeometric, offsets, corners)
    return accepted
