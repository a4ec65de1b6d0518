"""Simulated annealing: moves that lose a little are taken as well, the less often the cooler it is."""

from math import exp

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.kernels import fast_kernel
from graphkit.microdata.microaggregation.search._partition import (
    exchange,
    exchanging,
    joining,
    leaving,
    move,
)
from graphkit.microdata.microaggregation.search._random import below, unit, word
from graphkit.microdata.microaggregation.search._reshaping import create, dissolve

_COIN = np.uint64(1 << 40)


@fast_kernel
def anneal(
    points: Floats,
    near: Ints,
    k: int,
    labels: Ints,
    places: Ints,
    members: Ints,
    sizes: Ints,
    sums: Floats,
    free: Ints,
    order: Ints,
    first: int,
    end: int,
    temperature: float,
    proposals: int,
    reshaping: float,
    state: Words,
) -> float:
    """Propose moves at one temperature; return what the SSE changed by.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    near : ndarray of int, shape (n, neighbours)
        Records near each record.
    k : int
    labels, places, members, sizes, sums, free : ndarray
        The :class:`~graphkit.microdata.microaggregation.search._partition.Partition`, changed in place.
    order : ndarray of int
        Records by the scale of their surroundings.
    first, end : int
        The part of `order` whose records are proposed.
    temperature : float
        Loss that is taken with probability 1/e; 0 takes none.
    proposals : int
    reshaping : float
        Share of the proposals that dissolve a group or create one.
    state : ndarray of uint64, shape (1,)
        Of the random numbers; changed in place.

    Notes
    -----
    A proposal takes a record and one of those near it that is in another group: the record goes there where sizes allow
    (half of the times), or changes places with a member of that group. Each costs O(d), a new group O(k neighbours d).
    """
    most = 2 * k - 1
    change = 0.0
    for _ in range(proposals):
        record = order[first + below(state, end - first)]
        here = labels[record]
        if unit(state) < reshaping:
            if word(state) & _COIN:
                change += dissolve(
                    points, near, most, labels, places, members, sizes, sums, free, here, temperature, state
                )
            else:
                change += create(
                    points, near, k, labels, places, members, sizes, sums, free, record, temperature, state
                )
            continue
        other = near[record, below(state, near.shape[1])]
        there = labels[other]
        if here == there:
            continue
        if word(state) & _COIN:
            # the record is left where it is, the one near it comes
            record, other, here, there = other, record, there, here
        if sizes[here] > k and sizes[there] < most and word(state) & _COIN:
            step = joining(points, sizes, sums, record, there) - leaving(points, sizes, sums, record, here)
            if is_taken(step, temperature, state):
                move(points, labels, places, members, sizes, sums, record, there)
                change += step
        else:
            other = members[there, below(state, sizes[there])]
            step = exchanging(points, sizes, sums, record, here, other, there)
            if is_taken(step, temperature, state):
                exchange(points, labels, places, members, sums, record, other)
                change += step
    return change


@fast_kernel
def is_taken(step: float, temperature: float, state: Words) -> bool:
    """Whether a move is made that changes the SSE by so much."""
    # a gain of rounding errors alone would go on for ever; nothing is gained by it
    return step < 0 or (temperature > 0 and unit(state) < exp(-step / temperature))
