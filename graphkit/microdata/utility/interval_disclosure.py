"""Interval disclosure: how many original values lie near the published ones."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Floats
from graphkit.errors import InvalidInput
from graphkit.microdata.utility.scaling import check_alike, spreads

WIDTH = 0.05
_ROUNDED = 1e-12


@dataclass(frozen=True, slots=True)
class IntervalDisclosure:
    """Shares of original values that lie in intervals around the published values."""

    width: float
    """Half of the interval: in standard deviations, or as a share of the ranks."""
    by_attribute: tuple[float, ...]
    """Share of the records, for each attribute."""
    values: float
    """Share of all values: the mean over the attributes."""
    records: float
    """Share of the records that lie in the intervals of all attributes."""


def spread_disclosure(original: Floats, published: Floats, width: float = WIDTH) -> IntervalDisclosure:
    """Return how many original values lie within some standard deviations of the published value.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        The same records in the same order.
    width : float, optional
        Half of the interval, in standard deviations of the published attribute (with n − 1), both ends included.

    Raises
    ------
    InvalidInput
        If the tables have other sizes, or `width` is negative.

    Notes
    -----
    O(n d). The intervals are those of ``dRisk`` in sdcMicro, which counts the records with at most one value outside;
    `records` here counts those with none.

    References
    ----------
    SDID in Mateo-Sanz, Sebé, Domingo-Ferrer 2004, "Outlier protection in continuous microdata masking".

    Examples
    --------
    >>> original, published = np.array([[0.0], [2.0], [4.0], [9.0]]), np.array([[1.0], [1.0], [6.5], [6.5]])
    >>> spread_disclosure(original, published, 0.5).values
    0.5
    """
    _check(original, published, width)
    n = published.shape[0]
    # both ends belong to the interval, however the standard deviation was rounded
    reach = width * spreads(published) * math.sqrt(n / max(n - 1, 1)) * (1 + _ROUNDED)
    columns = zip(original.T, published.T, reach, strict=True)
    return _disclosure((np.abs(before - after) <= far for before, after, far in columns), n, width)


def rank_disclosure(original: Floats, published: Floats, width: float = WIDTH) -> IntervalDisclosure:
    """Return how many original values lie within some ranks of the published value.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        The same records in the same order.
    width : float, optional
        Half of the interval, as a share of the records: it reaches from the published value so many ranks down to so
        many up. Equal values share their ranks, and the interval begins at the first and ends at the last.

    Raises
    ------
    InvalidInput
        If the tables have other sizes, or `width` is negative.

    Notes
    -----
    O(n d log n).

    References
    ----------
    Domingo-Ferrer, Torra 2001, "A quantitative comparison of disclosure control methods for microdata".

    Examples
    --------
    >>> original, published = np.array([[0.0], [2.0], [4.0], [9.0]]), np.array([[1.0], [1.0], [6.5], [6.5]])
    >>> rank_disclosure(original, published, 0.25).values
    0.5
    """
    _check(original, published, width)
    n = original.shape[0]
    # a product such as 0.29 · 100 is below the number that is meant
    ranks = int(width * n + 1e-9)
    columns = zip(original.T, published.T, strict=True)
    return _disclosure((_within_ranks(before, after, ranks) for before, after in columns), n, width)


def _within_ranks(before: Floats, after: Floats, ranks: int) -> Bools:
    order = np.sort(after)
    first = np.searchsorted(order, after, side="left") - ranks
    last = np.searchsorted(order, after, side="right") - 1 + ranks
    low, high = order[np.maximum(first, 0)], order[np.minimum(last, order.size - 1)]
    inside: Bools = (low <= before) & (before <= high)
    return inside


def _check(original: Floats, published: Floats, width: float) -> None:
    check_alike(original, published)
    if not width >= 0:
        raise InvalidInput(f"the width of an interval ({width}) must not be negative")


def _disclosure(columns: Iterable[Bools], n: int, width: float) -> IntervalDisclosure:
    """Return the shares, of the records that are inside, attribute by attribute."""
    all_inside, shares = np.ones(n, dtype=np.bool_), []
    for inside in columns:
        shares.append(float(inside.mean()))
        all_inside &= inside
    return IntervalDisclosure(width, tuple(shares), math.fsum(shares) / len(shares), float(all_inside.mean()))
