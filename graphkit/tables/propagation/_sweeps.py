"""Sweeps over the merged cells in blocks that fit into the cache of the processor.

See :mod:`graphkit.tables.propagation.shuttle`.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.kernels import kernel
from graphkit.tables.propagation._propagation import Sums, tighten
from graphkit.tables.propagation.merged_cells import MergedAxis, MergedCells

_ROWS = 1_000
_BLOCK = 65_536
_MANY_CELLS = 1 << 20
_ROUNDS = 2
_TASKS = 32


class _Blocks(NamedTuple):
    """How neighbouring axes cut the cells into blocks: all their sets, times some cells of the axes behind them."""

    rows: int
    inner: int
    """Cells of the axes behind; 1 for the last axes, whose blocks hold several neighbouring tiles instead."""
    width: int
    number: int


class _Changes(NamedTuple):
    """When what was changed last, so that blocks in which nothing can follow are left out."""

    region: int
    """Number of neighbouring cells that share a stamp."""
    stamps: Ints
    """The step in which a region changed last."""


def sums_of(axes: tuple[MergedAxis, ...]) -> Sums:
    """Return the sums of some axes, one after the other."""
    parts = np.cumsum([0, *(axis.parts.size for axis in axes)])
    return Sums(
        np.array([axis.size for axis in axes], dtype=np.int64),
        np.cumsum([0, *(axis.whole.size for axis in axes)]).astype(np.int64),
        np.concatenate([axis.whole for axis in axes]),
        np.concatenate([*(axis.first_part[:-1] + off for axis, off in zip(axes, parts, strict=False)), parts[-1:]]),
        np.concatenate([axis.parts for axis in axes]),
    )


def sweep_to_fixed_point(cells: MergedCells, lower: Ints, upper: Ints, budget: Budget) -> tuple[bool, bool]:
    """Tighten both bounds, arrays of the cells' shape, until nothing changes.

    Returns
    -------
    settled : bool
        False where the time ran out before; the bounds are valid, but could be tightened.
    crossed : bool
        Whether a lower bound is above the upper one: then no table has such marginals.

    Notes
    -----
    The fixed point is the greatest one of monotone operations, so neither the order of the blocks nor the number of
    threads changes it. A sweep is O(s) for s sums.
    """
    flat = lower.reshape(-1), upper.reshape(-1)
    groups = list(_groups(cells))
    region = groups[-1][1].rows
    changes = _Changes(region, np.zeros(cells.size // region, dtype=np.int64))
    seen = [np.full(blocks.number, -1, dtype=np.int64) for _, blocks in groups]
    # kernels of few cells are faster than a second thread
    threads, tasks = (_processors(), _TASKS) if cells.size > _MANY_CELLS else (1, 1)
    sweep = _sweep.of_work(cells.size)
    with ThreadPoolExecutor(threads) as pool:
        step, idle = 0, 0
        while idle < len(groups):
            if budget.is_spent():
                return False, False
            step += 1
            group = (step - 1) % len(groups)
            sums, blocks = groups[group]
            cuts = np.linspace(0, blocks.number, tasks + 1).astype(int).tolist()
            sweeps = [
                pool.submit(sweep, *flat, sums, blocks, changes, seen[group], step, begin, end)
                for begin, end in pairwise(cuts)
            ]
            found = [one.result() for one in sweeps]
            if any(crossed for _, crossed in found):
                return True, True
            idle = 0 if any(looked for looked, _ in found) else idle + 1
    return True, False


def _processors() -> int:
    """Return how many this process may use, as Numba counts them."""
    from numba import config

    return int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]


def _groups(cells: MergedCells) -> Iterator[tuple[Sums, _Blocks]]:
    """Return neighbouring axes with few sets together, the first axes first."""
    shape = cells.shape
    ends = [len(shape)]
    for axis in range(len(shape) - 1, 0, -1):
        if math.prod(shape[axis - 1 : ends[-1]]) > _ROWS:
            ends.append(axis)
    ends.append(0)
    for begin, end in zip(ends[:0:-1], ends[-2::-1], strict=True):
        rows, inner = math.prod(shape[begin:end]), math.prod(shape[end:])
        outer = cells.size // (rows * inner)
        width = max(16, _BLOCK // rows)
        if inner == 1:
            blocks = _Blocks(rows, 1, width, -(-outer // width))
        else:
            width = min(width, inner)
            blocks = _Blocks(rows, inner, width, outer * -(-inner // width))
        yield sums_of(cells.axes[begin:end]), blocks


@kernel
def _sweep(
    lower: Ints,
    upper: Ints,
    sums: Sums,
    blocks: _Blocks,
    changes: _Changes,
    seen: Ints,
    step: int,
    first: int,
    last: int,
) -> tuple[bool, bool]:
    """Bring some blocks to their fixed points; return whether any was looked at, and whether bounds crossed."""
    rows, inner, width = blocks.rows, blocks.inner, blocks.width
    pieces = 1 if inner == 1 else -(-inner // width)
    looked = False
    for block in range(first, last):
        # a cell of the block is at base + row·row_step + column·column_step
        if inner == 1:
            base, row_step, column_step = block * width * rows, 1, rows
            columns = min(width, lower.size // rows - block * width)
        else:
            piece = block % pieces
            base, row_step, column_step = block // pieces * rows * inner + piece * width, inner, 1
            columns = min(width, inner - piece * width)
        if not _is_stale(changes, seen[block], base, rows, row_step, columns, column_step):
            continue
        looked = True
        low, high = np.empty(rows * columns, lower.dtype), np.empty(rows * columns, lower.dtype)
        _gather(lower, low, base, rows, row_step, columns, column_step)
        _gather(upper, high, base, rows, row_step, columns, column_step)
        seen[block] = step - 1
        altered = False
        for _ in range(_ROUNDS):
            changed, crossed = tighten(low, high, sums, columns)
            if crossed:
                return True, True
            if not changed:
                seen[block] = step
                break
            altered = True
        if altered:
            _scatter(lower, low, changes, step, base, rows, row_step, columns, column_step)
            _scatter(upper, high, changes, step, base, rows, row_step, columns, column_step)
    return looked, False


@kernel
def _is_stale(changes, seen, base, rows, row_step, columns, column_step):  # type: ignore[no-untyped-def]
    """Whether a cell of the block may have changed since it was seen."""
    lines, line_step, length = (rows, row_step, columns) if column_step == 1 else (columns, column_step, rows)
    for line in range(lines):
        begin = base + line * line_step
        for region in range(begin // changes.region, (begin + length - 1) // changes.region + 1):
            if changes.stamps[region] > seen:
                return True
    return False


@kernel
def _gather(cells, block, base, rows, row_step, columns, column_step):  # type: ignore[no-untyped-def]
    if column_step == 1:
        for row in range(rows):
            begin = base + row * row_step
            block[row * columns : (row + 1) * columns] = cells[begin : begin + columns]
    else:
        for column in range(columns):
            begin = base + column * column_step
            for row in range(rows):
                block[row * columns + column] = cells[begin + row]


@kernel
def _scatter(cells, block, changes, step, base, rows, row_step, columns, column_step):  # type: ignore[no-untyped-def]
    """Write the block back, and stamp the regions in which something is new."""
    lines, line_step, length = (rows, row_step, columns) if column_step == 1 else (columns, column_step, rows)
    for line in range(lines):
        begin = base + line * line_step
        new = False
        if column_step == 1:
            for i in range(length):
                new |= cells[begin + i] != block[line * columns + i]
                cells[begin + i] = block[line * columns + i]
        else:
            for i in range(length):
                new |= cells[begin + i] != block[i * columns + line]
                cells[begin + i] = block[i * columns + line]
        if new:
            for region in range(begin // changes.region, (begin + length - 1) // changes.region + 1):
                changes.stamps[region] = step
