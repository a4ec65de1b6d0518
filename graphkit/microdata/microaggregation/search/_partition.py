"""The partition that is changed move by move: who is in which group, and the sum over each group."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import fast_kernel, kernel
from graphkit.microdata.microaggregation.groups import places_of


class Partition(NamedTuple):
    """Groups with room for new ones; kernels change the arrays in place."""

    labels: Ints
    """Group of every record, shape (n,)."""
    places: Ints
    """Place of every record among the members of its group, shape (n,)."""
    members: Ints
    """Records of every group, shape (groups, 2k); only as many as its size count."""
    sizes: Ints
    """Records of every group, 0 where it is free, shape (groups,)."""
    sums: Floats
    """Sum of the records of every group, shape (groups, d)."""
    free: Ints
    """Groups without records; the first entry tells how many, the others are a stack."""


def new_partition(points: Floats, labels: Ints, k: int) -> Partition:
    """Return a partition to be changed, in O(n d); no group has more than 2k − 1 records, all labels occur."""
    n = labels.size
    rooms = n // k
    sizes, places = np.bincount(labels, minlength=rooms), places_of(labels)
    members = np.zeros((rooms, 2 * k), dtype=np.int64)
    members[labels, places] = np.arange(n)
    sums = np.stack([np.bincount(labels, weights=column, minlength=rooms) for column in points.T], axis=1)
    free = np.zeros(rooms + 1, dtype=np.int64)
    empty = np.flatnonzero(sizes == 0)
    free[0], free[1 : empty.size + 1] = empty.size, empty
    return Partition(labels.copy(), places, members, sizes, np.ascontiguousarray(sums), free)


@kernel
def move(
    points: Floats, labels: Ints, places: Ints, members: Ints, sizes: Ints, sums: Floats, record: int, target: int
) -> None:
    """Put a record into another group."""
    source = labels[record]
    sizes[source] -= 1
    last = members[source, sizes[source]]
    members[source, places[record]] = last
    places[last] = places[record]
    members[target, sizes[target]] = record
    places[record] = sizes[target]
    sizes[target] += 1
    labels[record] = target
    for t in range(points.shape[1]):
        sums[source, t] -= points[record, t]
        sums[target, t] += points[record, t]


@kernel
def exchange(points: Floats, labels: Ints, places: Ints, members: Ints, sums: Floats, one: int, other: int) -> None:
    """Let two records of different groups change places."""
    here, there = labels[one], labels[other]
    members[here, places[one]], members[there, places[other]] = other, one
    places[one], places[other] = places[other], places[one]
    labels[one], labels[other] = there, here
    for t in range(points.shape[1]):
        step = points[other, t] - points[one, t]
        sums[here, t] += step
        sums[there, t] -= step


@fast_kernel
def to_mean(points: Floats, sizes: Ints, sums: Floats, record: int, group: int) -> float:
    """Return the squared distance of a record to the mean of a group.

    Summed in four lanes, which a processor adds side by side, so the number of attributes is a multiple of 4.
    """
    share = 1.0 / sizes[group]
    a = b = c = d = 0.0
    for t in range(0, points.shape[1], 4):
        step = points[record, t] - sums[group, t] * share
        a += step * step
        step = points[record, t + 1] - sums[group, t + 1] * share
        b += step * step
        step = points[record, t + 2] - sums[group, t + 2] * share
        c += step * step
        step = points[record, t + 3] - sums[group, t + 3] * share
        d += step * step
    return float((a + b) + (c + d))


@fast_kernel
def joining(points: Floats, sizes: Ints, sums: Floats, record: int, group: int) -> float:
    """Return what the SSE grows by when a record comes into a group: s/(s+1) |x − mean|²."""
    return to_mean(points, sizes, sums, record, group) * float(sizes[group] / (sizes[group] + 1.0))


@fast_kernel
def leaving(points: Floats, sizes: Ints, sums: Floats, record: int, group: int) -> float:
    """Return what the SSE falls by when a record leaves its group of two or more: s/(s−1) |x − mean|²."""
    return to_mean(points, sizes, sums, record, group) * float(sizes[group] / (sizes[group] - 1.0))


@fast_kernel
def exchanging(points: Floats, sizes: Ints, sums: Floats, one: int, here: int, other: int, there: int) -> float:
    """Return what the SSE grows by when one record here and another one there change places.

    With e = other − one: −2 (mean here − mean there) · e − |e|² (1/s + 1/s'); from equation 3 of the ICSM paper, once
    for each group.
    """
    share, other_share = 1.0 / sizes[here], 1.0 / sizes[there]
    dot = square = 0.0
    for t in range(points.shape[1]):
        step = points[other, t] - points[one, t]
        dot += (sums[here, t] * share - sums[there, t] * other_share) * step
        square += step * step
    return float(-2 * dot - square * (share + other_share))
