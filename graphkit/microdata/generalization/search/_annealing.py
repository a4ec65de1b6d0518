"""Simulated annealing of recoded tuples: two exchange a record each, so every record stays covered as often."""

from math import log

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.kernels import fast_kernel
from graphkit.microdata.generalization._records import Records, is_in
from graphkit.microdata.generalization.extents import RANGE, SET, Layout, common, length
from graphkit.microdata.generalization.search._places import Covering, exchange
from graphkit.microdata.microaggregation.search._random import below, unit, word

_COIN = np.uint64(1 << 40)
_OWN = 0.5
_LEAST = 1e-300
ROUNDING = 1e-12


@fast_kernel
def anneal(
    records: Records,
    near: Ints,
    covering: Covering,
    temperatures: Floats,
    proposals: int,
    state: Words,
) -> float:
    """Propose exchanges while it cools; return what the sum of the losses changed by.

    Parameters
    ----------
    records : Records
    near : ndarray of int, shape (n, neighbours)
        Records near each record; below 0 where there is none.
    covering : Covering
        Changed in place.
    temperatures : ndarray of float
        Loss that is taken with probability 1/e in tuples of mean loss, one after the other. In tuples that lose more
        it is hotter, by half in proportion.
    proposals : int
        At each temperature.
    state : ndarray of uint64, shape (1,)
        Of the random numbers; changed in place.

    Notes
    -----
    A proposal takes two records near each other and a tuple that covers the first; the second comes there in the place
    of any record, which goes where the second was. It costs O(k d).
    """
    rows, losses, starts, slots = covering.rows, covering.losses, covering.starts, covering.slots
    layout, codes, counts = records.layout, records.codes, covering.counts
    kinds = layout.kinds
    m, k = rows.shape
    mean = losses.mean()
    total = 0.0
    if mean <= 0:
        return total
    for warmth in temperatures:
        for _ in range(proposals):
            record = rows[below(state, m), below(state, k)]
            partner = near[record, below(state, near.shape[1])]
            if partner < 0:
                continue
            if word(state) & _COIN:
                record, partner = partner, record
            many = starts[record + 1] - starts[record]
            others = starts[partner + 1] - starts[partner]
            if not many or not others:
                continue
            row = int(slots[starts[record] + below(state, many)]) // k
            place = int(below(state, k))
            slot = int(slots[starts[partner] + below(state, others)])
            other, there = slot // k, slot % k
            leaving = rows[row, place]
            if row == other or leaving == partner or is_in(rows[row], partner) or is_in(rows[other], leaving):
                continue
            heat = warmth * (_OWN + (1 - _OWN) * (losses[row] + losses[other]) / (2 * mean))
            most = -heat * log(unit(state) + _LEAST)
            here = change(layout, kinds, codes, counts, rows, row, place, partner)
            back = change(layout, kinds, codes, counts, rows, other, there, leaving)
            if here + back < most - ROUNDING:
                exchange(records, covering, row, place, other, there)
                losses[row] += here
                losses[other] += back
                total += here + back
    return total


@fast_kernel
def change(
    layout: Layout, kinds: Ints, codes: Ints, counts: Ints, rows: Ints, row: int, place: int, record: int
) -> float:
    """Return what the loss of a tuple changes by if it covers a record in the place of another."""
    k = rows.shape[1]
    before = rows[row, place]
    total = 0.0
    for t in range(codes.shape[1]):
        old, new = codes[before, t], codes[record, t]
        if old == new:
            continue
        kind, start = kinds[t], layout.starts[t]
        if kind == SET:
            more, less = 1, 1
            for at in range(k):
                if at != place:
                    code = codes[rows[row, at], t]
                    if code == old:
                        less = 0
                    if code == new:
                        more = 0
            if more != less:
                held = counts[row, t]
                total += layout.weights[t] * (layout.scale[start + held + more - less] - layout.scale[start + held])
            continue
        first = last = codes[rows[row, 0 if place else 1], t]
        for at in range(k):
            if at != place:
                code = codes[rows[row, at], t]
                if kind == RANGE:
                    first = min(first, code)
                    last = max(last, code)
                else:
                    first = common(layout, t, first, code)
        if kind == RANGE:
            wide = length(layout, start, min(first, new), max(last, new))
            was = length(layout, start, min(first, old), max(last, old))
        else:
            wide = layout.scale[start + common(layout, t, first, new)]
            was = layout.scale[start + common(layout, t, first, old)]
        total += layout.weights[t] * (wide - was)
    return total
