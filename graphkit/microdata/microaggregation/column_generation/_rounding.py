"""Partitions from fractional weights: the two roundings of the paper."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.microdata.microaggregation.column_generation._cuts import pair_weights

_LEAST_WEIGHT = 1e-6


def roundings(points: Floats, k: int, columns: Columns, weights: Floats) -> Iterator[Ints]:
    """Yield partitions into groups of at least k that follow the weights of a linear program.

    References
    ----------
    Gentile, Spagnolo-Arrizabalaga, Castro, An algorithm for the microaggregation problem using column generation, IASI
    R. 20-02, 2020, section 5.2: SimpleRoundingHeuristic and RoundingMSTHeuristic.
    """
    used = np.flatnonzero(weights > _LEAST_WEIGHT)
    chosen, weights = columns.chosen(used), weights[used]
    yield heaviest_groups(points, k, chosen, weights)
    yield from heaviest_pairs(points.shape[0], k, chosen, weights)


def heaviest_groups(points: Floats, k: int, columns: Columns, weights: Floats) -> Ints:
    """Return the heaviest groups that share no record; whoever is left becomes a group or goes to the nearest one."""
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    group = 0
    left = labels.size
    for at in np.argsort(-np.round(weights, 9), kind="stable"):
        members = columns.members[at][columns.members[at] >= 0]
        if (labels[members] < 0).all() and (left - members.size == 0 or left - members.size >= k or group > 0):
            labels[members] = group
            group += 1
            left -= members.size
    rest = np.flatnonzero(labels < 0)
    if k <= rest.size < 2 * k or not group:
        labels[rest] = group
    elif rest.size:
        means = np.stack([points[labels == one].mean(axis=0) for one in range(group)])
        for record in rest:
            labels[record] = ((means - points[record]) ** 2).sum(axis=1).argmin()
    return labels


def heaviest_pairs(n: int, k: int, columns: Columns, weights: Floats) -> Iterator[Ints]:
    """Yield partitions that join the heaviest pairs while groups are not too large, where they are valid."""
    starts, near, together = pair_weights(columns, weights, n)
    one, two = np.repeat(np.arange(n), np.diff(starts)), near
    order = np.argsort(-np.round(together, 9), kind="stable")
    pairs = [(int(one[at]), int(two[at])) for at in order if one[at] < two[at]]
    for largest in range(k, 2 * k):
        group = list(range(n))
        members = [[record] for record in range(n)]
        for a, b in pairs:
            p, q = group[a], group[b]
            if p != q and len(members[p]) + len(members[q]) <= largest:
                for record in members[q]:
                    group[record] = p
                members[p] += members[q]
                members[q] = []
        if all(len(some) >= k for some in members if some):
            yield np.unique(group, return_inverse=True)[1].astype(np.int64)
