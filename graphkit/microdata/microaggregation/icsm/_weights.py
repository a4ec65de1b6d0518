"""Edges of the graph of records and groups: what the SSE of one group changes by."""

from math import inf

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.groups import group_means, places_of


def layout(points: Floats, labels: Ints, k: int) -> tuple[Ints, Ints, Floats]:
    """Return the members of every group, shape (c, 2k), how many of them count, and the means, shape (c, d)."""
    sizes = np.bincount(labels)
    members = np.zeros((sizes.size, 2 * k), dtype=np.int64)
    members[labels, places_of(labels)] = np.arange(labels.size)
    return members, sizes, np.ascontiguousarray(group_means(points, labels))


@kernel
def replacing(points: Floats, means: Floats, sizes: Ints, one: int, other: int, group: int) -> float:
    """Return R1: what the SSE of a group changes by when one record replaces the other, a member.

    2 e·(other − mean) + ((s − 1)/s) |e|² with e = one − other: equation 3 of the paper, corrected.
    """
    dot, square = 0.0, 0.0
    for t in range(points.shape[1]):
        step = points[one, t] - points[other, t]
        dot += step * (points[other, t] - means[group, t])
        square += step * step
    return float(2 * dot + square * (sizes[group] - 1.0) / sizes[group])


@kernel
def joining(points: Floats, means: Floats, sizes: Ints, k: int, record: int, group: int) -> float:
    """Return R2: what the SSE of a group changes by when a record comes in; infinite if it is full (equation 5)."""
    if sizes[group] >= 2 * k - 1:
        return inf
    return float(apart(points, record, means, group) * sizes[group] / (sizes[group] + 1.0))


@kernel
def leaving(points: Floats, means: Floats, sizes: Ints, k: int, record: int, group: int) -> float:
    """Return R3: what the SSE of a group changes by when a member goes; infinite if it has k (equation 6)."""
    if sizes[group] <= k:
        return inf
    return float(-apart(points, record, means, group) * sizes[group] / (sizes[group] - 1.0))
