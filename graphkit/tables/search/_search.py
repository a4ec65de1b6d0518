"""Depth-first search over whole tables, by the merged cells that determine them.

See :mod:`graphkit.tables.search.exhaustive`.
"""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import kernel
from graphkit.tables.propagation._propagation import tightened

_BLOCK = 3
_LINES = 4_096
_LINES_A_STEP = 16


class Space(NamedTuple):
    """What the search works on; merged cells by their number in C order."""

    sums: Ints
    """Whole and two parts of every sum that is not settled from the start, shape (s, 3)."""
    free: Ints
    """Merged cells that determine a table, shape (f,)."""
    origin: Ints
    """Counts of the table whose free cells are all 0, some of them negative, shape (n,)."""
    effect: Ints
    """By how much the counts grow with one of the free cells, −1, 0 or 1, shape (f, n)."""


@kernel
def _propagate(lower: Ints, upper: Ints, sums: Ints) -> bool:
    """Tighten until nothing changes; return whether that is possible at all."""
    changed = True
    while changed:
        changed = False
        for s in range(sums.shape[0]):
            w, a, b = sums[s, 0], sums[s, 1], sums[s, 2]
            lw, uw, la, ua, lb, ub = tightened(lower, upper, w, a, b)
            if lw > uw or la > ua or lb > ub:
                return False
            if (
                lw != lower[w] or uw != upper[w] or la != lower[a]
                or ua != upper[a] or lb != lower[b] or ub != upper[b]
            ):  # fmt: skip
                changed = True
                lower[w], upper[w], lower[a], upper[a], lower[b], upper[b] = lw, uw, la, ua, lb, ub
    return True


@kernel
def _narrowest(lower: Ints, upper: Ints, free: Ints) -> tuple[int, int, int]:
    """Return the open free cell with the fewest values, −1 for none, how many are open, and on how many lines."""
    chosen, number, lines = -1, 0, 1
    least, most = np.int64(0), np.int64(0)
    for f in range(free.size):
        width = upper[free[f]] - lower[free[f]]
        if width > 0:
            number += 1
            if chosen < 0 or width < least:
                chosen, least = f, width
            # all values of all but the widest
            if lines <= _LINES:
                lines *= min(width, most, _LINES) + 1
            most = max(most, width)
    return chosen, number, lines


@kernel
def visit_tables(
    lower: Ints, upper: Ints, space: Space, most: int, steps: int, tables: Ints, extent: Ints
) -> tuple[int, bool]:
    """Count the tables within bounds of all merged cells.

    Parameters
    ----------
    lower, upper : ndarray of int64, shape (t,)
        At their fixed point, and not crossed.
    most : int
        Where the count is at least this, the search ends.
    steps : int
        Propagations after which the search ends.
    tables : ndarray of int64, shape (r, n)
        Filled with the first tables.
    extent : ndarray of int64, shape (2, n)
        Made to hold the least and the largest count of every cell over the tables that were counted.

    Returns
    -------
    count : int
    finished : bool
        Whether these are all.
    """
    free = space.free
    size, depth_limit = lower.size, free.size + 1
    lows, highs = np.empty((depth_limit, size), np.int64), np.empty((depth_limit, size), np.int64)
    cells, values = np.empty(depth_limit, np.int64), np.empty(depth_limit, np.int64)
    low, high = lower.copy(), upper.copy()
    count, depth = 0, 0
    descending = True
    while True:
        if descending:
            chosen, number, lines = _narrowest(low, high, free)
            if number <= _BLOCK and lines <= _LINES:
                steps = max(0, steps - lines // _LINES_A_STEP)
                count += _count_block(low, high, space, count, most, tables, extent)
                if count >= most:
                    return count, False
                descending = False
            else:
                lows[depth], highs[depth] = low, high
                cells[depth] = free[chosen]
                values[depth] = low[free[chosen]] - 1
                depth += 1
        # the next value of the last cell that has one
        while depth > 0:
            values[depth - 1] += 1
            cell, value = cells[depth - 1], values[depth - 1]
            if value > highs[depth - 1, cell]:
                depth -= 1
                continue
            if steps == 0:
                return count, False
            steps -= 1
            low[:] = lows[depth - 1]
            high[:] = highs[depth - 1]
            low[cell] = high[cell] = value
            if _propagate(low, high, space.sums):
                descending = True
                break
        if depth == 0:
            return count, True


@kernel
def _count_block(low: Ints, high: Ints, space: Space, counted: int, most: int, tables: Ints, extent: Ints) -> int:
    """Count the tables where at most three free cells are open, over all values of two of them, without propagation."""
    free, effect = space.free, space.effect
    table = space.origin.copy()
    # the widest open cell last: its tables lie on lines, which are cut where a count would be negative
    opened = np.full(3, -1)
    for f in range(free.size):
        width = high[free[f]] - low[free[f]]
        table += low[free[f]] * effect[f]
        if width > 0:
            place = 0
            while place < 2 and (
                opened[place + 1] < 0 or high[free[opened[place + 1]]] - low[free[opened[place + 1]]] < width
            ):
                opened[place] = opened[place + 1]
                place += 1
            opened[place] = f
    count = 0
    for _ in range(_width(low, high, free, opened[0]) + 1):
        row = table.copy()
        for _ in range(_width(low, high, free, opened[1]) + 1):
            count += _count_line(
                row, effect, opened[2], _width(low, high, free, opened[2]), counted + count, tables, extent
            )
            # lines are long where counts are large: the sum of all could wrap around
            if counted + count >= most:
                return count
            if opened[1] >= 0:
                row += effect[opened[1]]
        if opened[0] >= 0:
            table += effect[opened[0]]
    return count


@kernel
def _width(low: Ints, high: Ints, free: Ints, f: int) -> int:
    return 0 if f < 0 else high[free[f]] - low[free[f]]


@kernel
def _count_line(table: Ints, effect: Ints, f: int, length: int, counted: int, tables: Ints, extent: Ints) -> int:
    """Count the tables without negative counts on a line of tables."""
    first, last = np.int64(0), np.int64(length)
    for n in range(table.size):
        step = effect[f, n] if f >= 0 else 0
        if step > 0:
            first = max(first, -table[n])
        elif step < 0:
            last = min(last, table[n])
        elif table[n] < 0:
            return 0
    if first > last:
        return 0
    for n in range(table.size):
        step = effect[f, n] if f >= 0 else 0
        begin, end = table[n] + first * step, table[n] + last * step
        extent[0, n] = min(extent[0, n], begin, end)
        extent[1, n] = max(extent[1, n], begin, end)
    number = last - first + 1
    for i in range(min(number, tables.shape[0] - counted)):
        for n in range(table.size):
            tables[counted + i, n] = table[n] + (first + i) * (effect[f, n] if f >= 0 else 0)
    return int(number)
