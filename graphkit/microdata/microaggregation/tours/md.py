"""MD-MHM: the two records farthest from each other gather their nearest ones; a tour through the groups is cut anew."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.tours.stitched import stitched
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment


def md(points: Floats, k: int) -> Ints:
    """Return groups of k, the last of up to 2k − 1 records, around records as far from each other as there are.

    Notes
    -----
    O(n² d) at first; then a record looks for its farthest one again only when that one is gone: O(n³ d / k) at worst.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz, Practical data-oriented microaggregation for statistical disclosure control, IEEE
    Transactions on Knowledge and Data Engineering 14, 2002 (maximum distance).

    Examples
    --------
    >>> md(np.array([[0.0], [0.1], [5.0], [5.2], [9.0], [9.1]]), 2).tolist()
    [0, 0, 2, 2, 1, 1]
    """
    n = points.shape[0]
    points = np.ascontiguousarray(points)
    labels = np.full(n, -1, dtype=np.int64)
    is_left = np.ones(n, dtype=np.bool_)
    farthest, distance = np.full(n, -1, dtype=np.int64), np.zeros(n)
    group = 0
    while is_left.sum() >= 2 * k:
        _look_far(points, is_left, farthest, distance)
        one = int(np.argmax(np.where(is_left, distance, -1.0)))
        # the second one may be gone to the first where many records are alike
        for center in (one, int(farthest[one])):
            left = np.flatnonzero(is_left)
            if left.size < 2 * k:
                break
            near = left[np.argsort(((points[left] - points[center]) ** 2).sum(axis=1), kind="stable")[:k]]
            labels[near] = group
            is_left[near] = False
            group += 1
    labels[is_left] = group
    return labels


def md_mhm(points: Floats, k: int) -> Ints:
    """Return the best groups along a tour through those of :func:`md`, shape (n,)."""
    return tour2assignment(points, stitched(points, md(points, k)), k)


@kernel
def _look_far(points: Floats, is_left: Bools, farthest: Ints, distance: Floats) -> None:
    """Fill in the farthest record that is left of every one that is left."""
    n = points.shape[0]
    for record in range(n):
        if not is_left[record] or (farthest[record] >= 0 and is_left[farthest[record]]):
            continue
        most, far = -1.0, -1
        for other in range(n):
            if other != record and is_left[other]:
                square = apart(points, record, points, other)
                if square > most:
                    most, far = square, other
        farthest[record], distance[record] = far, most
