"""Distance-based record linkage: how often the nearest original record is the right one."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.utility.scaling import check_alike, scaled

SAMPLE = 10_000
"""Published records that are linked where there are more."""
_ALIKE = 1e-9
"""Distances that differ by no more, relatively, are ties: sums of squares round."""


@dataclass(frozen=True, slots=True)
class Linkage:
    """What an attacker finds who knows the attributes of all original records exactly."""

    correct: float
    """Share of published records whose nearest original record is the right one; among t nearest it counts 1 / t."""
    before: float
    """The same for the original itself: the number of distinct records over that of all."""
    error: float | None = None
    """Standard error of `correct`, where a sample of the published records was linked."""


def record_linkage(
    original: Floats, published: Floats, *, sample: int | None = SAMPLE, seed: int | np.random.Generator = 0
) -> Linkage:
    """Return how often published records are linked to the right original record.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        The same records in the same order. Distances are Euclidean, of attributes scaled by mean and standard deviation
        of the original; an attribute that is constant there tells nothing.
    sample : int, optional
        Published records that are linked, drawn at random where there are more; None: all.
    seed : int or numpy.random.Generator, optional
        Chooses them.

    Raises
    ------
    InvalidInput
        If the tables have other sizes, or `sample` is below 2.

    Notes
    -----
    A k-d tree over the distinct original records, asked for each distinct published one: O(n log n) to build, and for
    each of those that are asked O(log n) with few attributes, O(n d) with many.

    References
    ----------
    Pagliuca, Seri 1999, "Some results of individual ranking method on the system of enterprise accounts annual survey";
    Domingo-Ferrer, Torra 2001, "A quantitative comparison of disclosure control methods for microdata".

    Examples
    --------
    >>> records = np.array([[0.0], [2.0], [4.0], [7.0]])
    >>> found = record_linkage(records, np.array([[1.0], [1.0], [5.5], [5.5]]))
    >>> found.correct, found.before
    (0.5, 1.0)
    """
    check_alike(original, published)
    if sample is not None and sample < 2:
        raise InvalidInput(f"sample ({sample}) must be at least 2")
    known, seen = scaled(original, published)
    n = original.shape[0]
    distinct, of, counts = np.unique(known, axis=0, return_inverse=True, return_counts=True)
    rows = np.arange(n)
    if sample is not None and sample < n:
        rows = np.sort(np.random.default_rng(seed).choice(n, sample, replace=False))
    hits = _hits(distinct, counts, of.reshape(-1)[rows], seen[rows])
    error = None
    if rows.size < n:
        # drawn without replacement
        error = math.sqrt(float(hits.var(ddof=1)) / rows.size * (1 - rows.size / n))
    return Linkage(float(hits.mean()), counts.size / n, error)


def _hits(distinct: Floats, counts: Ints, own: Ints, seen: Floats) -> Floats:
    """Return 1 / t for each published record whose own original is among the t nearest, else 0.

    Parameters
    ----------
    distinct : ndarray of float, shape (o, v)
        Distinct original records.
    counts : ndarray of int, shape (o,)
        How often each occurs.
    own : ndarray of int, shape (m,)
        Distinct original record of each published one.
    seen : ndarray of float, shape (m, v)
        Published records.
    """
    if not distinct.shape[1]:
        # nothing varies: every original is as near as every other
        return np.full(own.size, 1.0 / float(counts.sum()))
    asked, of = np.unique(seen, axis=0, return_inverse=True)
    of = of.reshape(-1)
    tree = cKDTree(distinct)
    nearest = tree.query(asked)[0]
    reach = nearest * (1 + _ALIKE) + _ALIKE
    apart = np.sqrt(((distinct[own] - seen) ** 2).sum(axis=1))
    found = apart <= reach[of]
    hits = np.zeros(own.size)
    if found.any():
        # ties are counted only where there is a hit
        needed = np.unique(of[found])
        tied = np.zeros(asked.shape[0])
        near = tree.query_ball_point(asked[needed], reach[needed])
        tied[needed] = [float(counts[places].sum()) for places in near]
        hits[found] = 1.0 / np.maximum(tied[of[found]], 1.0)
    return hits
