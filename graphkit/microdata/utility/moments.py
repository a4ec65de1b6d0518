"""How mean and variance of each attribute changed, in units of the original."""

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.utility.scaling import check_alike, spreads

_ROUNDED = 1e-13


def mean_shifts(original: Floats, published: Floats) -> Floats:
    """Return how far each mean moved, in standard deviations of the original.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)
        The records need not correspond.

    Returns
    -------
    ndarray of float, shape (d,)
        NaN where an attribute is constant in the original and moved; 0 where it did not move.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    O((n + m) d). Free of units: a mean itself tells the values of few records, and a shift does not.

    Examples
    --------
    >>> mean_shifts(np.array([[0.0, 7.0], [2.0, 7.0]]), np.array([[1.0, 7.0], [2.0, 7.0]])).tolist()
    [0.5, 0.0]
    """
    check_alike(original, published, paired=False)
    moved = published.mean(axis=0) - original.mean(axis=0)
    # sums round with the largest values: what is less than that did not move
    largest = np.maximum(original.max(axis=0), -original.min(axis=0))
    moved[np.abs(moved) <= _ROUNDED * largest] = 0.0
    spread = spreads(original)
    shifts: Floats = np.divide(moved, spread, out=np.where(moved == 0, 0.0, np.nan), where=spread > 0)
    return shifts


def variance_ratios(original: Floats, published: Floats) -> Floats:
    """Return what share of each variance is left; means of groups have less.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)
        The records need not correspond.

    Returns
    -------
    ndarray of float, shape (d,)
        Variance of the release over that of the original; NaN where an attribute is constant in the original.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    O((n + m) d).

    Examples
    --------
    >>> records = np.array([[0.0], [2.0], [4.0], [6.0]])
    >>> variance_ratios(records, np.array([[1.0], [1.0], [5.0], [5.0]])).round(6).tolist()
    [0.8]
    """
    check_alike(original, published, paired=False)
    before, after = spreads(original) ** 2, spreads(published) ** 2
    ratios: Floats = np.divide(after, before, out=np.full(before.shape, np.nan), where=before > 0)
    return ratios
