"""One attribute: the best partition, as a shortest path over the records in their order."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.kernels import kernel


def univariate(points: Floats, k: int) -> Ints:
    """Return the partition of least loss of records with one attribute.

    Parameters
    ----------
    points : ndarray of float, shape (n, 1)
    k : int
        From 1 on, at most n.

    Returns
    -------
    ndarray of int, shape (n,)
        Group of every record, by rising value.

    Raises
    ------
    InvalidInput
        If there is more than one attribute.

    Notes
    -----
    O(n log n + k n). Groups are neighbours in the order of their values, and have k to 2k − 1 records: an edge from i
    to j stands for the group of records i + 1 to j, at the cost of its SSE, which is summed up without cancellation.

    References
    ----------
    Hansen, Mukherjee, A polynomial algorithm for optimal univariate microaggregation, IEEE Transactions on Knowledge
    and Data Engineering 15, 2003.

    Examples
    --------
    >>> univariate(np.array([[1.0], [9.0], [2.0], [8.0], [3.0]]), 2).tolist()
    [0, 1, 0, 1, 0]
    """
    if points.shape[1] != 1:
        raise InvalidInput(f"method univariate takes one attribute, not {points.shape[1]}; use search")
    values = points[:, 0]
    order = np.argsort(values, kind="stable")
    labels = np.empty(order.size, dtype=np.int64)
    labels[order] = in_order(points[order], k)
    return labels


def in_order(points: Floats, k: int) -> Ints:
    """Return the partition of least loss into groups of k to 2k − 1 records that follow one another, shape (n,)."""
    before = np.empty(points.shape[0] + 1, dtype=np.int64)
    _shortest_path(points, k, before)
    begins = np.zeros(points.shape[0], dtype=np.int64)
    at = before[points.shape[0]]
    while at > 0:
        begins[at] = 1
        at = before[at]
    return np.cumsum(begins)


@kernel
def _shortest_path(points: Floats, k: int, before: Ints) -> float:
    """Fill in where the last group of the best partition of the first j records begins; return the least loss."""
    n, d = points.shape
    least = np.full(n + 1, np.inf)
    least[0] = 0.0
    mean = np.empty(d)
    for end in range(k, n + 1):
        mean[:] = 0.0
        spread = 0.0
        for size in range(1, min(end, 2 * k - 1) + 1):
            record = end - size
            for t in range(d):
                step = points[record, t] - mean[t]
                mean[t] += step / size
                spread += step * (points[record, t] - mean[t])
            if size >= k and least[record] + spread < least[end]:
                least[end] = least[record] + spread
                before[end] = record
    return float(least[n])
