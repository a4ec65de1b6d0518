"""Drawing a part of a table anew, value by value within what propagation leaves; see :func:`simulate`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.tables._propagation import tightened
from graphkit.tables._random_words import below, uniform
from graphkit.tables._simulation_boxes import Box
from graphkit.tables._simulation_lines import State, log_chance_of_finding, note

__all__ = ["Workspace", "draw_anew", "new_workspace"]

_ALL = 0.125
_MORE = 0.7


class Workspace(NamedTuple):
    """Memory for the bounds of merged cells and for the sums that wait."""

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    waiting: NDArray[np.int64]
    is_waiting: NDArray[np.bool_]


def new_workspace(box: Box) -> Workspace:
    """Return memory for a box."""
    merged, sums = box.known.size, box.sums.shape[0]
    empty = np.empty(merged, dtype=np.int64)
    return Workspace(empty, empty.copy(), np.empty(max(sums, 1), dtype=np.int64), np.zeros(sums, dtype=np.bool_))


@njit(cache=True, nogil=True)
def _propagate(box: Box, space: Workspace, changed: int) -> bool:
    """Tighten bounds after a change of one merged cell (−1: of any) until nothing changes; False if bounds cross."""
    lower, upper, waiting, is_waiting = space.lower, space.upper, space.waiting, space.is_waiting
    capacity, head, count = waiting.size, 0, 0
    if changed < 0:
        for s in range(box.sums.shape[0]):
            waiting[s], is_waiting[s] = s, True
        count = box.sums.shape[0]
    else:
        for i in range(box.first[changed], box.first[changed + 1]):
            waiting[count], is_waiting[box.touching[i]] = box.touching[i], True
            count += 1
    while count:
        s = waiting[head]
        head = (head + 1) % capacity
        count -= 1
        is_waiting[s] = False
        w, a, b = box.sums[s, 0], box.sums[s, 1], box.sums[s, 2]
        lw, uw, la, ua, lb, ub = tightened(lower, upper, w, a, b)
        if lw > uw or la > ua or lb > ub:
            while count:
                is_waiting[waiting[head]] = False
                head = (head + 1) % capacity
                count -= 1
            return False
        for cell, low, high in ((w, lw, uw), (a, la, ua), (b, lb, ub)):
            if low != lower[cell] or high != upper[cell]:
                lower[cell], upper[cell] = low, high
                for i in range(box.first[cell], box.first[cell + 1]):
                    other = box.touching[i]
                    if not is_waiting[other]:
                        waiting[(head + count) % capacity], is_waiting[other] = other, True
                        count += 1
    return True


@njit(cache=True, nogil=True)
def _place(box: Box, state: State, shape: NDArray[np.int64], strides: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells of a box around a cell that is not zero: its categories, and others at random, in order."""
    anchor = state.nonzero[below(state.random, state.number[0])]
    places = np.zeros(box.base.size, np.int64)
    repeat = box.base.size
    for axis in range(shape.size):
        size = box.shape[axis]
        code = anchor // strides[axis] % shape[axis]
        categories = np.arange(shape[axis])
        categories[0], categories[code] = code, 0
        for i in range(1, size):
            j = i + below(state.random, shape[axis] - i)
            categories[i], categories[j] = categories[j], categories[i]
        chosen = np.sort(categories[:size])
        repeat //= size
        for i in range(places.size):
            places[i] += chosen[i // repeat % size] * strides[axis]
    return places


@njit(cache=True, nogil=True)
def _draw_block(box: Box, random: NDArray[np.uint64]) -> tuple[NDArray[np.int64], int]:
    """Return the free cells in random order, and how many of them are drawn anew: now and then all."""
    order = box.free.copy()
    for i in range(order.size - 1, 0, -1):
        j = below(random, i + 1)
        order[i], order[j] = order[j], order[i]
    if uniform(random) < _ALL:
        return order, order.size
    size = 1
    while size < order.size and uniform(random) < _MORE:
        size += 1
    return order, size


@njit(cache=True, nogil=True)
def _settle(box: Box, space: Workspace, cell: int, value: int) -> bool:
    """Give a merged cell its value; return whether that is possible, as far as propagation tells."""
    space.lower[cell] = space.upper[cell] = value
    return _propagate(box, space, cell)


@njit(cache=True, nogil=True)
def draw_anew(
    state: State, box: Box, space: Workspace, shape: NDArray[np.int64], strides: NDArray[np.int64], hypergeometric: bool
) -> bool:
    """Propose another table within a box, in place; return whether it was accepted and differs.

    The values of some free cells are drawn one after another, each uniformly within the bounds that propagation has
    after those before it. Every table that agrees with the present one outside of them can come up, with a
    probability that is known; so is the one for the way back, by replaying the present table.
    """
    table, random = state.table, state.random
    lower, upper = space.lower, space.upper
    places = _place(box, state, shape, strides)
    values = np.zeros(box.known.size, np.int64)
    for i in range(places.size):
        values[box.base[i]] = table[places[i]]
    for i in range(box.build.shape[0]):
        values[box.build[i, 0]] = values[box.build[i, 1]] + values[box.build[i, 2]]
    order, size = _draw_block(box, random)
    total = values[values.size - 1]
    for cell in range(values.size):
        lower[cell], upper[cell] = (values[cell], values[cell]) if box.known[cell] else (0, total)
    for i in range(size, order.size):
        lower[order[i]] = upper[order[i]] = values[order[i]]
    # the present table satisfies all of this: bounds cannot cross
    _propagate(box, space, -1)
    low, high = lower.copy(), upper.copy()
    weight = 0.0
    for i in range(size):
        cell = order[i]
        if lower[cell] < upper[cell]:
            weight -= math.log(upper[cell] - lower[cell] + 1.0)
            _settle(box, space, cell, values[cell])
    lower[:], upper[:] = low, high
    for i in range(size):
        cell = order[i]
        width = upper[cell] - lower[cell]
        if width > 0:
            weight += math.log(width + 1.0)
            if not _settle(box, space, cell, lower[cell] + below(random, width + 1)):
                return False
    now, then, changed = 0, 0, False
    for i in range(places.size):
        old, new = table[places[i]], lower[box.base[i]]
        now += old > 0
        then += new > 0
        changed |= old != new
        if hypergeometric:
            weight += math.lgamma(old + 1.0) - math.lgamma(new + 1.0)
    if not changed:
        return False
    weight += log_chance_of_finding(state, now, then)
    if weight < 0 and uniform(random) >= math.exp(weight):
        return False
    for i in range(places.size):
        table[places[i]] = lower[box.base[i]]
        note(state, places[i])
    return True
