"""A bound on what every partition into groups of at least k records loses, for any number of records."""

from math import fsum

import numpy as np

from graphkit.arrays import Floats
from graphkit.effort import DEFAULT_EFFORT, SECOND
from graphkit.microdata.microaggregation.column_generation._ascent import ascended
from graphkit.microdata.microaggregation.column_generation._bounding import MARGIN
from graphkit.microdata.microaggregation.column_generation._meter import SCORES_A_UNIT
from graphkit.microdata.microaggregation.column_generation._pricing import MOST_RECORDS, surroundings_of
from graphkit.microdata.microaggregation.neighbours import nearest_distinct, nearly_nearest_distinct
from graphkit.microdata.microaggregation.parts import split

_ROUNDED = 1e-9
# with more records than that, some of those found may be farther than others by a share: half of the time
_MANY, _SLACK, _MORE, _BLOCK = 200_000, 0.2, 2, 1_000

_SHARE, _MOST_UNITS = 10, 4_000_000


def units_of_bound(units: int) -> int:
    """Return how much of the work of a search is spent on the bound beside it, at least one unit."""
    return max(1, min(units // _SHARE, _MOST_UNITS))


def lower_bound(points: Floats, k: int, *, units: int = int(DEFAULT_EFFORT * SECOND)) -> float:
    """Return an SSE that no partition is below.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        Attributes as they were scaled; at least k records.
    k : int
        Least size of a group, from 2 on.
    units : int, optional
        Work of raising the duals, :mod:`graphkit.effort`; with less of it the bound is lower.

    Returns
    -------
    float
        0 or more. Column generation proves larger ones
        (:func:`~graphkit.microdata.microaggregation.column_generation.generating.prove`).

    Notes
    -----
    Feasible duals of the linear program over all groups, found without a solver. Up to
    :data:`~graphkit.microdata.microaggregation.column_generation._pricing.MOST_RECORDS` records they are raised one by
    one; with more, each record counts what its k − 1 nearest alone must cost it, in O(n log n) for few attributes.

    Examples
    --------
    >>> round(lower_bound(np.array([[0.0], [2.0], [9.0], [9.0]]), 2), 6)
    2.0
    """
    n = points.shape[0]
    if k > n:
        raise ValueError(f"k ({k}) is larger than the number of records ({n})")
    if n <= MOST_RECORDS:
        duals, _ = ascended(surroundings_of(points, k), k, units * SCORES_A_UNIT)
    else:
        duals = duals_of_nearest(points, k)
    return max(0.0, fsum(duals) - MARGIN * fsum(np.abs(duals)))


def duals_of_nearest(points: Floats, k: int) -> Floats:
    """Return half of the mean of k squared distances for every record: to its k − 1 nearest and to itself.

    Notes
    -----
    No group of k or more has an SSE below the sum over its members. Distances of the k-d tree are Euclidean ones,
    computed in floating point: a share of them is left out for that.
    """
    place = None
    if points.shape[0] > _MANY:
        place = np.concatenate(split(points, _BLOCK))
        of, counts, near, distances = nearly_nearest_distinct(points[place], k + _MORE, _SLACK)
        # no record that was not found is nearer than that
        distances = np.minimum(distances, distances[:, -1:] / (1 + _SLACK))
    else:
        of, counts, near, distances = nearest_distinct(points, k)
    # copies of the record, itself included, then whoever is next, each as often as it occurs
    left = np.maximum(0, k - counts)
    total = np.zeros(counts.size)
    for slot in range(1, near.shape[1]):
        taken = np.minimum(left, counts[near[:, slot]])
        total += taken * distances[:, slot] ** 2
        left -= taken
    shares: Floats = total / (2 * k) * (1 - _ROUNDED)
    duals = shares[of]
    if place is not None:
        duals[place] = duals.copy()
    return duals
