"""A tour through groups: the records of each follow one another, then those of the group that is nearest."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart


def stitched(points: Floats, labels: Ints) -> Ints:
    """Return a tour on which the records of a group follow one another, shape (n,).

    It begins at the record farthest from the mean; what follows is the nearest record that is left of its group, or of
    any group where none is.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    labels : ndarray of int, shape (n,)
        Group of every record, from 0 on.

    Notes
    -----
    O(n c d) for c groups. Of records at the same distance the first one counts.

    References
    ----------
    Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz, Sebé, Efficient multivariate data-oriented microaggregation, The VLDB
    Journal 15, 2006.

    Examples
    --------
    >>> stitched(np.array([[0.0], [5.0], [1.0], [9.0]]), np.array([0, 1, 0, 1])).tolist()
    [3, 1, 2, 0]
    """
    start = int(np.argmax(((points - points.mean(axis=0)) ** 2).sum(axis=1)))
    # the records of a group stand together in `order`, from its `starts` on
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(labels))))
    tour = np.empty(labels.size, dtype=np.int64)
    _stitch(np.ascontiguousarray(points), labels, order, starts, start, tour)
    return tour


@kernel
def _stitch(points: Floats, labels: Ints, order: Ints, starts: Ints, start: int, tour: Ints) -> None:
    n = points.shape[0]
    left, is_taken = np.arange(n), np.zeros(n, dtype=np.bool_)
    open_records, current = n, start
    filled = 0
    while filled < n:
        group = labels[current]
        members = order[starts[group] : starts[group + 1]].copy()
        rest = members.size
        while True:
            tour[filled] = current
            is_taken[current] = True
            filled += 1
            rest, following = _nearest_left(points, members, rest, is_taken, current)
            if rest == 0:
                break
            current = following
        open_records, current = _nearest_left(points, left, open_records, is_taken, current)


@kernel
def _nearest_left(points: Floats, records: Ints, count: int, is_taken: Bools, current: int) -> tuple[int, int]:
    """Drop those of the first `count` records that are taken; return how many are left, and the nearest one or −1."""
    kept = 0
    least, nearest = np.inf, -1
    for at in range(count):
        record = records[at]
        if is_taken[record]:
            continue
        records[kept] = record
        kept += 1
        square = apart(points, record, points, current)
        if square < least:
            least, nearest = square, record
    return kept, nearest
