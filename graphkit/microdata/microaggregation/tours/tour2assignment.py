"""Tour2Assignment: the best groups of records that follow one another on a closed tour."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel


def tour2assignment(points: Floats, tour: Ints, k: int) -> Ints:
    """Return the partition of least loss into groups of k to 2k − 1 records that follow one another on the tour.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    tour : ndarray of int, shape (n,)
        Every record once; the first one follows the last one.
    k : int
        At most n.

    Returns
    -------
    ndarray of int, shape (n,)
        Group of every record. All records are one group where n < 2k.

    Notes
    -----
    O(n k d + n k²). A group has at most 2k − 1 records, so one begins at one of the first 2k − 1 places: each of them
    is tried as the place where the tour is cut open.

    References
    ----------
    Mortazavi, Jalili, A novel local search method for microaggregation, ISeCure 7, 2015, algorithm 5.

    Examples
    --------
    >>> tour2assignment(np.array([[9.0], [1.0], [1.1], [9.1]]), np.arange(4), 2).tolist()
    [0, 1, 1, 0]
    """
    n = tour.size
    if n < 2 * k:
        return np.zeros(n, dtype=np.int64)
    places = np.empty(n, dtype=np.int64)
    _best_cuts(_spreads(np.ascontiguousarray(points[tour]), k), k, places)
    labels = np.empty(n, dtype=np.int64)
    labels[tour] = places
    return labels


@kernel
def _spreads(points: Floats, k: int) -> Floats:
    """Return the SSE of the k + s records from every place on, shape (n, k)."""
    n, d = points.shape
    spreads = np.full((n, k), np.inf)
    mean = np.empty(d)
    for begin in range(n):
        mean[:] = 0.0
        spread = 0.0
        for size in range(1, min(n, 2 * k - 1) + 1):
            record = (begin + size - 1) % n
            for t in range(d):
                step = points[record, t] - mean[t]
                mean[t] += step / size
                spread += step * (points[record, t] - mean[t])
            if size >= k:
                spreads[begin, size - k] = spread
    return spreads


@kernel
def _best_cuts(spreads: Floats, k: int, places: Ints) -> float:
    """Fill in the group of every place; return the least loss."""
    n = spreads.shape[0]
    best = np.inf
    least = np.empty(n + 1)
    before = np.zeros(n + 1, dtype=np.int64)
    for opening in range(2 * k - 1):
        least[:] = np.inf
        least[0] = 0.0
        for end in range(k, n + 1):
            for size in range(k, min(end, 2 * k - 1) + 1):
                loss = least[end - size] + spreads[(opening + end - size) % n, size - k]
                if loss < least[end]:
                    least[end] = loss
                    before[end] = end - size
        if least[n] < best:
            best = float(least[n])
            end, group = n, 0
            while end > 0:
                for at in range(before[end], end):
                    places[(opening + at) % n] = group
                end = int(before[end])
                group += 1
    return best
