"""Moves that change the number of groups: one is dissolved among its neighbours, or made of records of larger ones."""

from math import exp, inf

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.search._partition import joining, leaving, move, to_mean
from graphkit.microdata.microaggregation.search._random import unit


@kernel
def dissolve(
    points: Floats,
    near: Ints,
    most: int,
    labels: Ints,
    places: Ints,
    members: Ints,
    sizes: Ints,
    sums: Floats,
    free: Ints,
    group: int,
    temperature: float,
    state: Words,
) -> float:
    """Give every member of a group to the group near it that it costs least; return what the SSE changed by, or 0."""
    gone = members[group, : sizes[group]].copy()
    change = 0.0
    for record in gone:
        change -= to_mean(points, sizes, sums, record, group)
    moved = 0
    for record in gone:
        least, best, before = inf, -1, -1
        for neighbour in near[record]:
            target = labels[neighbour]
            if target != group and target != before and sizes[target] < most:
                before = target
                step = joining(points, sizes, sums, record, target)
                if step < least:
                    least, best = step, target
        if best < 0:
            break
        change += least
        move(points, labels, places, members, sizes, sums, record, best)
        moved += 1
    if moved == gone.size and (change < 0 or (temperature > 0 and unit(state) < exp(-change / temperature))):
        sums[group] = 0.0
        free[0] += 1
        free[free[0]] = group
        return change
    for at in range(moved - 1, -1, -1):
        move(points, labels, places, members, sizes, sums, gone[at], group)
    return 0.0


@kernel
def create(
    points: Floats,
    near: Ints,
    k: int,
    labels: Ints,
    places: Ints,
    members: Ints,
    sizes: Ints,
    sums: Floats,
    free: Ints,
    record: int,
    temperature: float,
    state: Words,
) -> float:
    """Gather a new group of k around a record from groups of more than k; return what the SSE changed by, or 0."""
    if free[0] == 0 or sizes[labels[record]] <= k:
        return 0.0
    group = free[free[0]]
    taken, sources = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    change = -leaving(points, sizes, sums, record, labels[record])
    taken[0], sources[0] = record, labels[record]
    move(points, labels, places, members, sizes, sums, record, group)
    moved = 1
    while moved < k:
        least, best = inf, -1
        for neighbour in near[record]:
            source = labels[neighbour]
            if source != group and sizes[source] > k:
                step = joining(points, sizes, sums, neighbour, group) - leaving(points, sizes, sums, neighbour, source)
                if step < least:
                    least, best = step, neighbour
        if best < 0:
            break
        change += least
        taken[moved], sources[moved] = best, labels[best]
        move(points, labels, places, members, sizes, sums, best, group)
        moved += 1
    if moved == k and (change < 0 or (temperature > 0 and unit(state) < exp(-change / temperature))):
        free[0] -= 1
        return change
    for at in range(moved - 1, -1, -1):
        move(points, labels, places, members, sizes, sums, taken[at], sources[at])
    sums[group] = 0.0
    return 0.0
