"""Moves that bring one cell of a table to a goal; see :mod:`graphkit.tables.moves.walks`."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints, Words
from graphkit.kernels import kernel
from graphkit.tables.moves._block_moves import find_block_move
from graphkit.tables.moves._cells import CellList, corner_of, list_if, step_to_other
from graphkit.tables.moves._near_records import Near, Occupied
from graphkit.tables.moves._random_words import word
from graphkit.tables.moves.basic_moves import BasicMoves

_REPAIR_STEPS = 5_000
_LOOKED_AT = 300
_NOISE = 1_000
_DIRECT = 256
_BLOCKS = 30
_BLOCK_TRIES = 3


class Walked(NamedTuple):
    """A table that is changed, and what it was before: as few cells as moves touch, however many the table has."""

    table: Ints
    """Counts of all cells, shape (n,)."""
    touched: Ints
    """Cells that were changed, each once; room for n."""
    before: Ints
    """Their counts before."""
    is_touched: Bools
    negative: CellList
    """Cells with a count below zero."""
    number: Ints
    """How many cells are touched, shape (1,)."""
    work: Ints
    """Corners that were looked at, shape (1,)."""


@kernel
def _random(state: Words, below: int) -> int:
    """Return a number from 0 on below a limit, all but alike."""
    return int(np.int64((word(state) >> np.uint64(33)) % np.uint64(below)))


@kernel
def _any_negative(walked: Walked, state: Words) -> int:
    return int(walked.negative.cells[_random(state, walked.negative.number[0])])


@kernel
def _largest_step(table: Ints, cell: int, offsets: Ints, number: int, sign: int) -> int:
    """Return how often a move can be made: at the cell +1 or −1, by turns at the corners that offsets lead to."""
    most = np.int64(1) << 62
    for corner in range(1 << number):
        place, parity = corner_of(cell, offsets, number, corner)
        if parity != sign:
            most = min(most, table[place])
            if most <= 0:
                return 0
    return int(most)


@kernel
def _apply(walked: Walked, cell: int, offsets: Ints, number: int, change: int) -> None:
    """Make a move, and bring the lists of what is touched and of what is negative up to date."""
    table = walked.table
    for corner in range(1 << number):
        place, parity = corner_of(cell, offsets, number, corner)
        if not walked.is_touched[place]:
            walked.is_touched[place] = True
            walked.touched[walked.number[0]] = place
            walked.before[walked.number[0]] = table[place]
            walked.number[0] += 1
        was_negative = table[place] < 0
        table[place] += parity * change
        if (table[place] < 0) != was_negative:
            list_if(walked.negative, place, not was_negative)


@kernel
def _draw_offsets(moves: BasicMoves, f: int, cell: int, choice: int, offsets: Ints) -> int:
    """Set the way from a cell to other categories of a set's variables, the choice-th; return how many variables."""
    shape, strides, span = moves.shape, moves.strides, moves.spans[f]
    number = 0
    while number < span.size and span[number] >= 0:
        axis = span[number]
        others = shape[axis] - 1
        code = cell // strides[axis] % shape[axis]
        offsets[number] = step_to_other(code, choice % others) * strides[axis]
        choice //= others
        number += 1
    return number


@kernel
def _deficit_after(table: Ints, cell: int, offsets: Ints, number: int, sign: int, kept: int) -> int:
    """Return by how much a move raises the sum of what is below zero; a lot if it touches the cell that is kept."""
    change = np.int64(0)
    for corner in range(1 << number):
        place, parity = corner_of(cell, offsets, number, corner)
        if place == kept:
            return 1 << 40
        change += max(0, -(table[place] + parity * sign)) - max(0, -table[place])
    return int(change)


@kernel
def _step_with_repair(walked: Walked, moves: BasicMoves, cell: int, sign: int, state: Words, most_steps: int) -> int:
    """Make a move at the cell and repair what it makes negative; return the moves made, 0 if all is as before."""
    table, sets = walked.table, moves.spans.shape[0]
    # what was done, to be taken back: set, cell, choice, sign
    done = np.empty((most_steps + 1, 4), np.int64)
    offsets = np.zeros(moves.spans.shape[1], np.int64)
    steps = 0
    while steps <= most_steps:
        target = cell if steps == 0 else _any_negative(walked, state)
        change = sign if steps == 0 else 1
        kept = -1 if steps == 0 else cell
        best, best_f, best_choice = 1 << 39, -1, 0
        looked = 1 if _random(state, _NOISE) == 0 else min(_LOOKED_AT, 2 * moves.choices.sum())
        walked.work[0] += looked << moves.spans.shape[1]
        for _ in range(looked):
            f = _random(state, sets)
            choice = _random(state, moves.choices[f])
            number = _draw_offsets(moves, f, target, choice, offsets)
            deficit = _deficit_after(table, target, offsets, number, change, kept)
            if deficit < best:
                best, best_f, best_choice = deficit, f, choice
        if best_f < 0:
            break
        number = _draw_offsets(moves, best_f, target, best_choice, offsets)
        _apply(walked, target, offsets, number, change)
        done[steps] = (best_f, target, best_choice, change)
        steps += 1
        if walked.negative.number[0] == 0:
            return steps
    for i in range(steps - 1, -1, -1):
        f, target, choice, change = done[i]
        number = _draw_offsets(moves, f, target, choice, offsets)
        _apply(walked, target, offsets, number, -change)
    return 0


@kernel
def _direct_step(walked: Walked, moves: BasicMoves, cell: int, sign: int, most: int, state: Words) -> bool:
    """Make a move at the cell as often as possible, up to `most` times; return whether there was one."""
    sets = moves.spans.shape[0]
    offsets = np.zeros(moves.spans.shape[1], np.int64)
    few = moves.choices.sum() <= _DIRECT
    turn = _random(state, sets)
    for i in range(sets if few else _DIRECT):
        f = (turn + i) % sets if few else _random(state, sets)
        begin = _random(state, moves.choices[f])
        for choice in range(moves.choices[f] if few else 1):
            number = _draw_offsets(moves, f, cell, (begin + choice) % moves.choices[f], offsets)
            walked.work[0] += 1
            step = min(_largest_step(walked.table, cell, offsets, number, sign), most)
            if step > 0:
                _apply(walked, cell, offsets, number, sign * step)
                return True
    return False


@kernel
def _block_step(walked: Walked, occupied: Occupied, near: Near, cell: int, sign: int, most: int, state: Words) -> bool:
    """Make a move among records near the cell, and repair what it makes negative in the same way; False if in vain."""
    offsets = np.zeros(3, np.int64)
    # what was done, to be taken back: cell, its change, number of sides, sides
    done = np.empty((_BLOCKS, 6), np.int64)
    target, change, kept, steps = cell, sign, -1, 0
    while steps < _BLOCKS:
        found = find_block_move(walked.table, target, change, kept, occupied, near, offsets, state, walked.work)
        if found == 0:
            break
        number = abs(found)
        if steps == 0 and found > 0:
            change *= min(_largest_step(walked.table, cell, offsets, number, sign), most)
        _apply(walked, target, offsets, number, change)
        done[steps] = (target, change, number, offsets[0], offsets[1], offsets[2])
        steps += 1
        if walked.negative.number[0] == 0:
            return True
        target = _any_negative(walked, state)
        change, kept = 1, cell
    for i in range(steps - 1, -1, -1):
        offsets[:] = done[i, 3:]
        _apply(walked, done[i, 0], offsets, done[i, 2], -done[i, 1])
    return False


@kernel
def local_search(
    walked: Walked, moves: BasicMoves, occupied: Occupied, near: Near, cell: int, goal: int, seed: int, effort: int
) -> tuple[Ints, Ints]:
    """Bring the count of a cell as near to a goal as is found, and take everything back.

    Parameters
    ----------
    walked : Walked
        As it is at the start, and is again at the end.
    moves : BasicMoves
    occupied : Occupied
        The cells that have records at the start.
    near : Near
        Room for those near a cell.
    cell, goal, seed : int
    effort : int
        Corners that are looked at, at most, up to the end of the last step.

    Returns
    -------
    cells, changes : ndarray of int64
        What was different at the end: cells, ascending, and by how much.
    """
    state = np.array([seed], np.uint64)
    sign = 1 if goal > walked.table[cell] else -1
    last = walked.work[0] + effort
    failed = 0 if occupied.sides else _BLOCK_TRIES
    while (goal - walked.table[cell]) * sign > 0 and walked.work[0] < last:
        most = (goal - walked.table[cell]) * sign
        if _direct_step(walked, moves, cell, sign, most, state):
            continue
        if failed < _BLOCK_TRIES:
            if not _block_step(walked, occupied, near, cell, sign, most, state):
                failed += 1
            continue
        # what is repaired may take all that is left
        steps = (last - walked.work[0]) // (min(_LOOKED_AT, 2 * moves.choices.sum()) << moves.spans.shape[1])
        if steps <= 0:
            break
        _step_with_repair(walked, moves, cell, sign, state, min(steps, _REPAIR_STEPS))
    return _taken_back(walked)


@kernel
def _taken_back(walked: Walked) -> tuple[Ints, Ints]:
    cells = np.sort(walked.touched[: walked.number[0]])
    changes = walked.table[cells]
    for i in range(cells.size):
        cell = walked.touched[i]
        walked.table[cell] = walked.before[i]
        walked.is_touched[cell] = False
    changes -= walked.table[cells]
    walked.number[0] = 0
    different = changes != 0
    return cells[different], changes[different]
