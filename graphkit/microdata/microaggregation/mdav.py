"""MDAV: the record farthest from the mean and the one farthest from that each gather their k − 1 nearest."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart


def mdav(points: Floats, k: int) -> Ints:
    """Return a partition into groups of k, the last of up to 2k − 1 records.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    k : int
        From 2 on, at most n.

    Returns
    -------
    ndarray of int, shape (n,)
        Group of every record.

    Notes
    -----
    O(n² d / k). Of records at the same distance the first one counts, so the order of the records is part of the input.

    References
    ----------
    Domingo-Ferrer, Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data Mining and
    Knowledge Discovery 11, 2005, algorithm 5.1 (MDAV-generic).

    Examples
    --------
    >>> mdav(np.array([[0.0], [0.1], [5.0], [5.2], [9.0], [9.1]]), 2).tolist()
    [0, 0, 2, 2, 1, 1]
    """
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    _gather_all(np.ascontiguousarray(points), k, labels)
    return labels


@kernel
def _gather_all(points: Floats, k: int, labels: Ints) -> int:
    n, d = points.shape
    left = np.arange(n)
    distance = np.empty(n)
    total = np.empty(d)
    group = 0
    while left.size >= 3 * k:
        far = _farthest_from_mean(points, left, total)
        left = _gather(points, left, far, k, group, labels, distance)
        # distances of those left to the record that gathered are kept by _gather
        opposite = left[0]
        most = -1.0
        for at in range(left.size):
            if distance[at] > most:
                most, opposite = distance[at], left[at]
        left = _gather(points, left, opposite, k, group + 1, labels, distance)
        group += 2
    if left.size >= 2 * k:
        far = _farthest_from_mean(points, left, total)
        left = _gather(points, left, far, k, group, labels, distance)
        group += 1
    for record in left:
        labels[record] = group
    return group + 1


@kernel
def _farthest_from_mean(points: Floats, left: Ints, total: Floats) -> int:
    d = points.shape[1]
    total[:] = 0.0
    for record in left:
        for t in range(d):
            total[t] += points[record, t]
    most, far = -1.0, left[0]
    for record in left:
        square = 0.0
        for t in range(d):
            step = points[record, t] - total[t] / left.size
            square += step * step
        if square > most:
            most, far = square, record
    return int(far)


@kernel
def _gather(points: Floats, left: Ints, center: int, k: int, group: int, labels: Ints, distance: Floats) -> Ints:
    """Label the k records nearest to one of them; return the others, with their distances to it in `distance`."""
    # the k nearest so far, by falling distance and place: the first one is the next to go
    near = np.empty(k, dtype=np.int64)
    known = 0
    for at in range(left.size):
        square = apart(points, left[at], points, center)
        distance[at] = square
        if known == k and square >= distance[near[0]]:
            continue
        if known < k:
            slot = known
            known += 1
            while slot > 0 and distance[near[slot - 1]] <= square:
                near[slot] = near[slot - 1]
                slot -= 1
        else:
            slot = 0
            while slot < k - 1 and distance[near[slot + 1]] > square:
                near[slot] = near[slot + 1]
                slot += 1
        near[slot] = at
    for slot in range(k):
        labels[left[near[slot]]] = group
    rest = np.empty(left.size - k, dtype=np.int64)
    kept = 0
    for at in range(left.size):
        if labels[left[at]] != group:
            rest[kept] = left[at]
            distance[kept] = distance[at]
            kept += 1
    return rest
