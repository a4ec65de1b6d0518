"""The best star of every record at given prices: k − 1 others to cover, for the least loss less their prices."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.generalization.extents import RANGE, SET, WORD, Layout, common, join, length, ones, put

# an extent that is looked at takes as long as so many losses; sorted by insertion are no more than so many
_A_NODE, _SCANNED, _FEW = 20, 4, 64


@kernel
def price(
    layout: Layout,
    codes: Ints,
    lists: Ints,
    nears: Floats,
    prices: Floats,
    stars: Ints,
    most: int,
    lows: Floats,
    highs: Floats,
) -> int:
    """Find stars by branch and bound, and a value that no star of each record is below.

    Parameters
    ----------
    layout : Layout
        With losses that are whole numbers, so that all sums are exact.
    codes : ndarray of int, shape (n, d)
    lists : ndarray of int, shape (n, m)
        For each record the others that its stars are made of, by their loss with it.
    nears : ndarray of float, shape (n, m)
        The loss of a record with each of these, ascending.
    prices : ndarray of float, shape (n,)
        Whole numbers.
    stars : ndarray of int, shape (n, k − 1)
        Stars to begin with, from the lists; replaced by better ones.
    most : int
        Extents of one record that are looked at; then bounds of what was not looked at limit its value.
    lows : ndarray of float, shape (n,)
        Set to a value that the stars from the lists are not below.
    highs : ndarray of float, shape (n,)
        Set to the value of the stars.

    Returns
    -------
    int
        Work, about losses that were computed.

    Notes
    -----
    A set of others is enumerated by the one that adds the most loss, which leaves those that add no more. Loss does
    not shrink as an extent widens, so the loss with the one chosen, less the largest prices among those that are
    left, is a bound. Others that an extent covers already are free: the ones with the largest prices are taken.
    """
    n, m = lists.shape
    slots = stars.shape[1]
    width = codes.shape[1]
    extents = np.empty((slots, layout.offsets[-1]), dtype=np.int64)
    costs = np.empty((2, width))
    found = np.empty((slots, m), dtype=np.int64)
    losses = np.empty((slots, m))
    branches = np.empty((slots, m), dtype=np.int64)
    bounds, nexts = np.empty((slots, m)), np.empty((slots, m))
    counts, places = np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int64)
    spent = np.zeros(slots)
    chosen = np.zeros(slots, dtype=np.int64)
    top, whose = np.empty(slots), np.empty(slots, dtype=np.int64)
    work = 0
    for j in range(n):
        put(layout, extents[0], codes[j])
        for other in stars[j]:
            join(layout, extents[0], codes[other])
        high = prepared(layout, extents[0], costs)
        for other in stars[j]:
            high -= prices[other]
        low = np.inf
        put(layout, extents[0], codes[j])
        found[0], losses[0] = lists[j], nears[j]
        depth, opened, size, looked = 0, True, m, 0
        while depth >= 0:
            left = slots - depth
            if opened:
                looked += 1
                opened = False
                counts[depth] = places[depth] = 0
                if left == 1:
                    for index in range(size):
                        value = losses[depth, index] - prices[found[depth, index]] - spent[depth]
                        if value < high:
                            high = value
                            chosen[depth] = found[depth, index]
                            stars[j] = chosen
                else:
                    now = prepared(layout, extents[depth], costs)
                    inside = np.searchsorted(losses[depth, :size], now, side="right")
                    if inside >= left:
                        value = now - spent[depth]
                        held = 0
                        for index in range(inside):
                            held = _keep(top, whose, held, left, prices[found[depth, index]], found[depth, index])
                        for index in range(left):
                            value -= top[index]
                        if value < high:
                            high = value
                            stars[j, :depth] = chosen[:depth]
                            stars[j, depth:] = whose[:left]
                    held, sum_, count = 0, 0.0, 0
                    for index in range(size):
                        other = found[depth, index]
                        if index >= inside and held == left - 1:
                            bound = losses[depth, index] - spent[depth] - prices[other] - sum_
                            if bound < high:
                                branches[depth, count], bounds[depth, count] = index, bound
                                nexts[depth, count] = sum_ - top[held - 1]
                                count += 1
                        if held < left - 1 or prices[other] > top[held - 1]:
                            # whole numbers: the sum is exact in whatever order
                            sum_ += prices[other] - (top[held - 1] if held == left - 1 else 0.0)
                            held = _keep(top, whose, held, left - 1, prices[other], other)
                    counts[depth] = count
            # few branches are taken: to look for the next one costs less than to sort them all
            at = places[depth]
            _first(bounds[depth], branches[depth], nexts[depth], at, counts[depth])
            if at == counts[depth] or bounds[depth, at] >= high:
                depth -= 1
                continue
            if looked >= most:
                # what follows has larger bounds
                low = min(low, bounds[depth, at])
                depth -= 1
                continue
            places[depth] += 1
            index = branches[depth, at]
            other = found[depth, index]
            chosen[depth] = other
            extents[depth + 1] = extents[depth]
            join(layout, extents[depth + 1], codes[other])
            spent[depth + 1] = spent[depth] + prices[other]
            # with a price below that, one of them is in no better star that has this one as its farthest
            others = nexts[depth, at]
            least = losses[depth, index] - spent[depth + 1] - others - high
            prepared(layout, extents[depth + 1], costs)
            size = 0
            for place in range(index):
                other = found[depth, place]
                if prices[other] > least:
                    value = extended(layout, extents[depth + 1], costs, codes[other])
                    work += 1
                    if value - spent[depth + 1] - prices[other] - others < high:
                        found[depth + 1, size], losses[depth + 1, size] = other, value
                        size += 1
            work += _A_NODE + (index >> _SCANNED)
            depth += 1
            if left > 2:
                _ordered(losses[depth], found[depth], size)
            opened = size >= left - 1
            if not opened:
                depth -= 1
        lows[j], highs[j] = min(low, high), high
    return work


@kernel
def _ordered(losses: Floats, others: Ints, size: int) -> None:
    """Sort others by their losses; few of them, and in an order that is not far from it."""
    if size > _FEW:
        order = np.argsort(losses[:size])
        losses[:size], others[:size] = losses[:size][order], others[:size][order]
        return
    for end in range(1, size):
        loss, other, place = losses[end], others[end], end
        while place and losses[place - 1] > loss:
            losses[place], others[place] = losses[place - 1], others[place - 1]
            place -= 1
        losses[place], others[place] = loss, other


@kernel
def _first(bounds: Floats, branches: Ints, others: Floats, at: int, end: int) -> None:
    """Bring the branch with the least bound from `at` on to `at`."""
    least = at
    for place in range(at + 1, end):
        if bounds[place] < bounds[least]:
            least = place
    if least != at:
        bounds[at], bounds[least] = bounds[least], bounds[at]
        branches[at], branches[least] = branches[least], branches[at]
        others[at], others[least] = others[least], others[at]


@kernel
def _keep(top: Floats, whose: Ints, held: int, most: int, value: float, other: int) -> int:
    """Put a value among the largest ones, in descending order."""
    if held < most:
        place = held
        held += 1
    elif most and value > top[held - 1]:
        place = held - 1
    else:
        return held
    while place and top[place - 1] < value:
        top[place], whose[place] = top[place - 1], whose[place - 1]
        place -= 1
    top[place], whose[place] = value, other
    return held


@kernel
def prepared(layout: Layout, extent: Ints, costs: Floats) -> float:
    """Return the loss of an extent, and note for each set what it loses as it is and with one more value."""
    total = 0.0
    for t in range(layout.kinds.size):
        at, start = layout.offsets[t], layout.starts[t]
        if layout.kinds[t] == RANGE:
            costs[0, t] = length(layout, start, extent[at], extent[at + 1])
        elif layout.kinds[t] == SET:
            count = 0
            for word in range(at, layout.offsets[t + 1]):
                count += ones(extent[word])
            costs[0, t] = layout.scale[start + count]
            costs[1, t] = layout.scale[start + min(count + 1, layout.scale.size - 1 - start)]
        else:
            costs[0, t] = layout.scale[start + extent[at]]
        total += costs[0, t]
    return total


@kernel
def extended(layout: Layout, extent: Ints, costs: Floats, codes: Ints) -> float:
    """Return the loss that an extent has with one more record."""
    total = 0.0
    for t in range(layout.kinds.size):
        at, code, start = layout.offsets[t], codes[t], layout.starts[t]
        if layout.kinds[t] == RANGE:
            first, last = min(extent[at], code), max(extent[at + 1], code)
            total += length(layout, start, first, last)
        elif layout.kinds[t] == SET:
            is_in = (extent[at + code // WORD] >> np.int64(code % WORD)) & 1
            total += costs[0, t] if is_in else costs[1, t]
        elif extent[at] == code:
            total += costs[0, t]
        else:
            total += layout.scale[start + common(layout, t, extent[at], code)]
    return total


def nearest(layout: Layout, codes: Ints, size: int) -> tuple[Ints, Floats, Floats]:
    """Return for each record the others with which it loses least.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    size : int
        How many, below n.

    Returns
    -------
    lists : ndarray of int, shape (n, size)
        By loss, then by number.
    nears : ndarray of float, shape (n, size)
        The losses, ascending.
    beyond : ndarray of float, shape (n,)
        The least loss with one that is not in the list; infinite if all are.
    """
    n = codes.shape[0]
    lists, nears, beyond = np.empty((n, size), np.int64), np.empty((n, size)), np.full(n, np.inf)
    row = np.empty(n)
    for j in range(n):
        _pairs(layout, codes, j, row)
        if size < n - 1:
            # one more than asked for: the last is what is left out at least
            near = np.argpartition(row, size)[: size + 1]
            near = near[np.lexsort((near, row[near]))]
            beyond[j] = row[near[-1]]
            near = near[:-1]
        else:
            near = np.argsort(row, kind="stable")[:size]
        lists[j], nears[j] = near, row[near]
    return lists, nears, beyond


@kernel
def _pairs(layout: Layout, codes: Ints, j: int, row: Floats) -> None:
    """Write down the loss of a record with each other one; with itself it is infinite."""
    costs = np.empty((2, codes.shape[1]))
    extent = np.empty(layout.offsets[-1], dtype=np.int64)
    put(layout, extent, codes[j])
    prepared(layout, extent, costs)
    for i in range(codes.shape[0]):
        row[i] = extended(layout, extent, costs, codes[i])
    row[j] = np.inf
