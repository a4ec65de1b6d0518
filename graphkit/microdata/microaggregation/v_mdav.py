"""V-MDAV: groups of MDAV that take in more records where these are nearer to the group than to any other record."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.groups import group_means

GAIN = 0.2
"""Gain factor that its authors advise for records that are scattered; 1.1 where they form clusters."""


def v_mdav(points: Floats, k: int, gain: float = GAIN) -> Ints:
    """Return a partition into groups of k to 2k − 1 records, or more where few are left over.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    k : int
        From 2 on, at most n.
    gain : float, optional
        A record joins a group when it is nearer to it than `gain` times its distance to the nearest record without one.

    Returns
    -------
    ndarray of int, shape (n,)
        Group of every record.

    Notes
    -----
    O(n² d).

    References
    ----------
    Solanas, Martínez-Ballesté, V-MDAV: a multivariate microaggregation with variable group size, COMPSTAT 2006.

    Examples
    --------
    >>> v_mdav(np.array([[0.0], [0.1], [0.2], [5.0], [5.2], [9.0], [9.1]]), 2, 1.1).tolist()
    [1, 1, 1, 2, 2, 0, 0]
    """
    points = np.ascontiguousarray(points)
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    from_mean = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    _gather_all(points, k, gain, np.argsort(-from_mean, kind="stable"), labels)
    over = np.flatnonzero(labels < 0)
    if over.size:
        means = group_means(points[labels >= 0], labels[labels >= 0])
        labels[over] = ((points[over, None, :] - means) ** 2).sum(axis=2).argmin(axis=1)
    return labels


@kernel
def _gather_all(points: Floats, k: int, gain: float, far_first: Ints, labels: Ints) -> None:
    n = points.shape[0]
    left, group = n, 0
    # squared distance of every record to the nearest one of the group that is being made
    distance = np.empty(n)
    for center in far_first:
        if labels[center] >= 0:
            continue
        if left < k:
            break
        distance[:] = np.inf
        newest, size = center, 0
        while True:
            labels[newest] = group
            size += 1
            left -= 1
            # the first k are the center and the nearest to it; later ones may be near to any of the group
            if size == 1 or size > k:
                _look_from(points, newest, labels, distance)
            elif size == k:
                for record in range(n):
                    if labels[record] == group and record != center:
                        _look_from(points, record, labels, distance)
            nearest = _nearest(labels, distance)
            if nearest < 0 or size == 2 * k - 1:
                break
            if size >= k and not _is_nearer(points, nearest, distance[nearest], gain, labels):
                break
            newest = nearest
        group += 1


@kernel
def _look_from(points: Floats, member: int, labels: Ints, distance: Floats) -> None:
    """Note for every record without a group how near it is to a member."""
    for record in range(points.shape[0]):
        if labels[record] < 0:
            distance[record] = min(distance[record], apart(points, record, points, member))


@kernel
def _nearest(labels: Ints, distance: Floats) -> int:
    """Return the record without a group that is nearest, the first of several; -1 where there is none."""
    least, nearest = np.inf, -1
    for record in range(labels.size):
        if labels[record] < 0 and distance[record] < least:
            least, nearest = distance[record], record
    return nearest


@kernel
def _is_nearer(points: Floats, record: int, to_group: float, gain: float, labels: Ints) -> bool:
    """Whether a record is nearer to a group than `gain` times its distance to any other record without one."""
    least = np.inf
    for other in range(labels.size):
        if labels[other] < 0 and other != record:
            least = min(least, apart(points, record, points, other))
    return to_group < gain * gain * least
