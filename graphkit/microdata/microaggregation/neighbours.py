"""The records nearest to each record, without all n² distances."""

import numpy as np
from scipy.spatial import cKDTree

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.groups import places_of

SLACK = 1.0
"""Share by which what is called near may be farther than the nearest, where nobody needs the nearest."""
_MANY_QUERIES = 50_000


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
    return _of_records(*nearest_distinct(points, count + 1), count)


def near_enough(points: Floats, count: int) -> tuple[Ints, Floats]:
    """Return records near each record as :func:`neighbours` does, but not always the nearest; several times faster.

    Notes
    -----
    A distance is at most 1 + :data:`SLACK` times that of the neighbour that should stand there; on average it is
    about a hundredth larger. Fastest where records near each other follow each other.
    """
    return _of_records(*nearly_nearest_distinct(points, count + 1, SLACK), count)


def nearly_nearest_distinct(points: Floats, count: int, slack: float) -> tuple[Ints, Ints, Ints, Floats]:
    """Return as :func:`nearest_distinct`, but distances may be larger by a share; distinct records as they first occur.

    Notes
    -----
    Fastest where records near each other follow each other: their queries read the same part of the tree.
    """
    _, first, of, counts = np.unique(points, axis=0, return_index=True, return_inverse=True, return_counts=True)
    by_record = np.argsort(first)
    place = np.empty(first.size, dtype=np.int64)
    place[by_record] = np.arange(first.size)
    distinct = points[first[by_record]]
    wanted = np.arange(1, min(count, first.size) + 1)
    far, at = cKDTree(distinct).query(distinct, k=wanted, eps=slack, workers=_cores(first.size))
    return place[of.reshape(-1)], counts[by_record], at.astype(np.int64), far


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
    wanted = np.arange(1, min(count, distinct.shape[0]) + 1)
    distances, near = cKDTree(distinct).query(distinct, k=wanted, workers=_cores(distinct.shape[0]))
    return of.reshape(-1), counts, near.astype(np.int64), distances


def _of_records(of: Ints, counts: Ints, at: Ints, far: Floats, count: int) -> tuple[Ints, Floats]:
    """Return what :func:`neighbours` does, from the distinct records that are near each distinct record."""
    # alike records stand together in `order`, from `starts` of their distinct record on
    order, starts = np.argsort(of, kind="stable"), np.cumsum(counts) - counts
    near, distances = np.empty((of.size, count), dtype=np.int64), np.empty((of.size, count))
    _spread(of, places_of(of), order, starts, counts, at, far, near, distances)
    return near, distances


def _cores(queries: int) -> int:
    """Return how many threads ask: what each is told does not depend on the others, but starting them takes time."""
    return 2 if queries > _MANY_QUERIES else 1


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
