"""Simulated annealing of k matchings: tuples exchange records within one, two matchings change places along a cycle."""

from math import log

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.kernels import fast_kernel
from graphkit.microdata.generalization._records import Records, is_in
from graphkit.microdata.generalization.diverse._matched import (
    Matched,
    cycle,
    flip,
    flip_change,
    missed,
    swap,
    swap_change,
)
from graphkit.microdata.generalization.diverse.demands import Sensitive
from graphkit.microdata.generalization.search._annealing import ROUNDING, change
from graphkit.microdata.generalization.search._places import count
from graphkit.microdata.microaggregation.search._random import below, unit

_LEAST = 1e-300
_OWN = 0.5
_CYCLES, _LONGEST = 0.2, 12


@fast_kernel
def anneal(
    records: Records,
    near: Ints,
    sensitive: Sensitive,
    matched: Matched,
    counts: Ints,
    losses: Floats,
    temperatures: Floats,
    prices: Floats,
    proposals: int,
    focus: Ints,
    state: Words,
) -> None:
    """Propose exchanges while it cools.

    Parameters
    ----------
    records : Records
    near : ndarray of int, shape (n, neighbours)
        Records near each record; below 0 where there is none.
    sensitive : Sensitive
    matched : Matched
        Changed in place, as are the next two.
    counts : ndarray of int, shape (n, d)
        Different values that a tuple covers in each attribute.
    losses : ndarray of float, shape (n,)
        Of the tuples.
    temperatures : ndarray of float
        As in :func:`graphkit.microdata.generalization.search._annealing.anneal`.
    prices : ndarray of float
        Loss that meeting the demands by 1 more is worth, at each temperature. Infinite: what is met stays met.
    proposals : int
        At each temperature.
    focus : ndarray of int, shape (pairs, 2)
        Originals and matchings: tuples that cover such an original are proposed, as long as a demand is missed there;
        or tuples and k, where what they cover misses one. All tuples where there is no such pair.
    state : ndarray of uint64, shape (1,)

    Notes
    -----
    A proposal costs O(k d) and, for D demands, O(k³ D) where the loss speaks for it: tuples keep different records, and
    matchings stay disjoint.
    """
    layout, codes, kinds = records.layout, records.codes, records.layout.kinds
    rows, holder, lacks = matched.rows, matched.holder, matched.lacks
    n, k = rows.shape
    mean = max(losses.mean(), _LEAST)
    held, path = np.empty(k, dtype=np.int64), np.empty(_LONGEST, dtype=np.int64)
    for step in range(temperatures.size):
        warmth, price = temperatures[step], prices[step]
        strict = price == np.inf
        for _ in range(proposals):
            row, place = int(below(state, n)), int(below(state, k))
            if focus.shape[0]:
                pair = int(below(state, focus.shape[0]))
                original, place = int(focus[pair, 0]), int(focus[pair, 1])
                if lacks[original, place] <= 0:
                    continue
                if place == k:
                    row, place = original, int(below(state, k))
                else:
                    row = int(holder[below(state, k), original])
            if unit(state) < _CYCLES:
                other_place = int(below(state, k - 1))
                if other_place >= place:
                    other_place += 1
                found = cycle(matched, row, place, other_place, path)
                if not found:
                    continue
                flip(matched, path, found, place, other_place)
                more = flip_change(sensitive, matched, path, found, place, other_place, held, strict, False)
                if (more <= 0) if strict else (price * more < -warmth * log(unit(state) + _LEAST) - ROUNDING):
                    flip_change(sensitive, matched, path, found, place, other_place, held, False, True)
                else:
                    flip(matched, path, found, place, other_place)
                continue
            by = int(below(state, k - 1))
            if by >= place:
                by += 1
            partner = int(near[rows[row, by], below(state, near.shape[1])])
            leaving = rows[row, place]
            if partner < 0 or leaving == partner or is_in(rows[row], partner):
                continue
            other = int(holder[place, partner])
            if is_in(rows[other], leaving):
                continue
            heat = warmth * (_OWN + (1 - _OWN) * (losses[row] + losses[other]) / (2 * mean))
            most = -heat * log(unit(state) + _LEAST) - ROUNDING
            here = change(layout, kinds, codes, counts, rows, row, place, partner)
            room = 0.0
            # the other tuple cannot lose less than nothing
            if here - losses[other] >= most:
                room = 0.0 if strict else price * missed(matched, row, place, other)
                if here - losses[other] >= most + room:
                    continue
            back = change(layout, kinds, codes, counts, rows, other, place, leaving)
            if here + back >= most:
                room = 0.0 if strict else price * missed(matched, row, place, other)
                if here + back >= most + room:
                    continue
            swap(matched, row, place, other)
            more = swap_change(sensitive, matched, row, place, other, held, strict, False)
            if (more > 0) if strict else (here + back + price * more >= most):
                swap(matched, row, place, other)
                continue
            swap_change(sensitive, matched, row, place, other, held, False, True)
            count(records, rows, counts, row)
            count(records, rows, counts, other)
            losses[row] += here
            losses[other] += back
