"""Steps of a chain over tables: along lines of tables, and sums of moves; see :func:`simulate`."""

import math
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints, Rng, Words
from graphkit.kernels import kernel
from graphkit.tables.moves._cells import CellList, corner_of, list_if, step_to_other
from graphkit.tables.moves._random_words import below, new_state, uniform
from graphkit.tables.moves.basic_moves import BasicMoves

_COMBINED = 0.02


class State(NamedTuple):
    """A table, and where it is not zero."""

    table: Ints
    nonzero: CellList
    random: Words

    @classmethod
    def of(cls, table: Ints, rng: Rng) -> "State":
        """Return the state of a chain that begins at a table, its cells in C order."""
        return cls(table.astype(np.int64), CellList.of(table != 0), new_state(rng))


@kernel
def _log_chance_of_finding(state: State, now: int, then: int) -> float:
    """Return what the way back is likelier than the way, as a logarithm, where cells are drawn of those not zero.

    A part of the table is found at any of its cells that are not zero, `now` of them, and `then` after the step.
    """
    nonzero = state.nonzero.number[0]
    return math.log(then / (nonzero + then - now)) - math.log(now / nonzero)


@kernel
def draw_offsets(lines: BasicMoves, cell: int, offsets: Ints, random: Words) -> int:
    """Set the offsets of a move at a cell; return how many there are.

    All corners of a move draw it with the same probability.
    """
    shape, strides, spans = lines.shape, lines.strides, lines.spans
    choice = below(random, spans.shape[0])
    number = 0
    while number < spans.shape[1] and spans[choice, number] >= 0:
        axis = spans[choice, number]
        code = cell // strides[axis] % shape[axis]
        offsets[number] = step_to_other(code, below(random, shape[axis] - 1)) * strides[axis]
        number += 1
    return number


@kernel
def _log_weight(old: int, new: int, concentration: float) -> float:
    """Return how much likelier a table becomes by the change of one count, as a logarithm."""
    weight = math.lgamma(old + 1.0) - math.lgamma(new + 1.0)
    # infinite: nothing is added
    if concentration < math.inf:
        weight += math.lgamma(new + concentration) - math.lgamma(old + concentration)
    return weight


@kernel
def list_corners(cell: int, offsets: Ints, number: int, corners: Ints) -> None:
    """Set the corners of a move; those where it has the opposite sign of the first come second."""
    half = 1 << (number - 1)
    same, opposite = 0, half
    for corner in range(1 << number):
        place, sign = corner_of(cell, offsets, number, corner)
        if sign < 0:
            corners[opposite] = place
            opposite += 1
        else:
            corners[same] = place
            same += 1


@kernel
def _draw_step(ahead: int, behind: int, random: Words) -> int:
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


@kernel
def _step_on_line(state: State, lines: BasicMoves, concentration: float, offsets: Ints, corners: Ints) -> int:
    """Move along a line through the table, at a cell that is not zero; return how many corners changed."""
    table, random = state.table, state.random
    cell = state.nonzero.cells[below(random, state.nonzero.number[0])]
    number = draw_offsets(lines, cell, offsets, random)
    list_corners(cell, offsets, number, corners)
    half, size = 1 << (number - 1), 1 << number
    behind = ahead = np.int64(1) << 62
    for i in range(half):
        behind, ahead = min(behind, table[corners[i]]), min(ahead, table[corners[half + i]])
    if behind + ahead == 0:
        return 0
    step = _draw_step(int(ahead), int(behind), random)
    if step == 0:
        return 0
    weight = 0.0
    now, then = 0, 0
    for i in range(size):
        old = table[corners[i]]
        new = old + (step if i < half else -step)
        now += old > 0
        then += new > 0
        weight += _log_weight(old, new, concentration)
    weight += _log_chance_of_finding(state, now, then)
    if weight < 0 and uniform(random) >= math.exp(weight):
        return 0
    for i in range(size):
        table[corners[i]] += step if i < half else -step
        list_if(state.nonzero, corners[i], table[corners[i]] != 0)
    return size


@kernel
def _combined_step(state: State, lines: BasicMoves, concentration: float, offsets: Ints, corners: Ints) -> None:
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
        if possible:
            weight += _log_weight(before[j], new, concentration)
    if possible and changed and (weight >= 0 or uniform(random) < math.exp(weight)):
        for j in range(count):
            list_if(state.nonzero, touched[j], table[touched[j]] != 0)
        return
    for j in range(count):
        table[touched[j]] = before[j]
    return


@kernel
def walk(state: State, lines: BasicMoves, concentration: float, steps: int) -> None:
    """Make steps in place."""
    width = lines.spans.shape[1]
    offsets, corners = np.zeros(width, np.int64), np.zeros(1 << width, np.int64)
    for _ in range(steps):
        if uniform(state.random) < _COMBINED:
            _combined_step(state, lines, concentration, offsets, corners)
        else:
            _step_on_line(state, lines, concentration, offsets, corners)


@kernel
def spread(state: State, lines: BasicMoves, steps: int, lower: Ints, upper: Ints) -> None:
    """Make steps in place, all tables alike; note the least and the largest count that each cell had."""
    width = lines.spans.shape[1]
    offsets, corners = np.zeros(width, np.int64), np.zeros(1 << width, np.int64)
    for _ in range(steps):
        for i in range(_step_on_line(state, lines, 1.0, offsets, corners)):
            place = corners[i]
            lower[place] = min(lower[place], state.table[place])
            upper[place] = max(upper[place], state.table[place])
