"""The records nearest to each record, without all n² distances."""

import numpy as np
from scipy.spatial import cKDTree

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.groups import places_of


def neighbours(points: Floats, count: int) -> tuple[Ints, Floats]:
    """Return records near each record, and how far they are.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    count : int
        How many for each record, at most n − 1.

    Returns
    -------
    near : ndarray of int, shape (n, count)
        The nearest, from the nearest on; among records that are alike only some.
    distances : ndarray of float, shape (n, count)
        Euclidean.

    Notes
    -----
    A k-d tree over the distinct records, so that many that are alike cost no more than one: O(n log n) for few
    attributes, and no worse than O(n² d) for many.
    """
    n = points.shape[0]
    of, counts, at, far = nearest_distinct(points, count + 1)
    # alike records stand together in `order`, from `starts` of their distinct record on
    order, starts = np.argsort(of, kind="stable"), np.cumsum(counts) - counts
    near, distances = np.empty((n, count), dtype=np.int64), np.empty((n, count))
    _spread(of, places_of(of), order, starts, counts, at, far, near, distances)
    return near, distances


def nearest_distinct(points: Floats, count: int) -> tuple[Ints, Ints, Ints, Floats]:
    """Return which distinct records are nearest to each distinct record.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    count : int
        How many for each, itself among them; fewer where there are not so many.

    Returns
    -------
    of : ndarray of int, shape (n,)
        The distinct record of every record.
    counts : ndarray of int, shape (distinct,)
        How often each occurs.
    near : ndarray of int, shape (distinct, count)
    distances : ndarray of float, shape (distinct, count)
        Euclidean.
    """
    distinct, of, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    distances, near = cKDTree(distinct).query(distinct, k=np.arange(1, min(count, distinct.shape[0]) + 1))
    return of.reshape(-1), counts, near.astype(np.int64), distances


@kernel
def _spread(
    of: Ints, ranks: Ints, order: Ints, starts: Ints, counts: Ints, at: Ints, far: Floats, near: Ints, distances: Floats
) -> None:
    """Fill in the records of the distinct ones; each record begins elsewhere among those that are alike."""
    n, wanted = near.shape
    for record in range(n):
        own = of[record]
        # at most half are copies of the record, or else none of another value would be near
        copies = min(counts[own] - 1, max(wanted // 2, wanted - (n - counts[own])))
        for slot in range(copies):
            near[record, slot] = order[starts[own] + (ranks[record] + 1 + slot) % counts[own]]
            distances[record, slot] = 0.0
        filled = copies
        for column in range(at.shape[1]):
            other = at[own, column]
            if other == own:
                continue
            some = min(counts[other], wanted - filled)
            for slot in range(some):
                near[record, filled + slot] = order[starts[other] + (ranks[record] + slot) % counts[other]]
                distances[record, filled + slot] = far[own, column]
            filled += some
            if filled == wanted:
                break
