"""How far the distribution of each attribute moved; the records need not correspond."""

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.utility.scaling import check_alike, spreads


def kolmogorov_distances(original: Floats, published: Floats) -> Floats:
    """Return the largest difference of the cumulative shares of each attribute (Kolmogorov and Smirnov).

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)

    Returns
    -------
    ndarray of float, shape (d,)
        Within 0 and 1.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    O((n + m) d log(n + m)).

    Examples
    --------
    >>> kolmogorov_distances(np.array([[0.0], [2.0], [4.0], [6.0]]), np.array([[1.0], [1.0], [5.0], [5.0]])).tolist()
    [0.25]
    """
    check_alike(original, published, paired=False)
    columns = zip(original.T, published.T, strict=True)
    return np.array([float(np.abs(_shares(before, after)[1]).max()) for before, after in columns])


def transport_distances(original: Floats, published: Floats) -> Floats:
    """Return the mean way between both distributions of each attribute, in standard deviations of the original.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)

    Returns
    -------
    ndarray of float, shape (d,)
        The earth mover's distance (Wasserstein of order 1); NaN where an attribute is constant in the original and has
        another value in the release.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    The area between both cumulative shares, O((n + m) d log(n + m)).

    Examples
    --------
    >>> ways = transport_distances(np.array([[0.0], [2.0], [4.0], [6.0]]), np.array([[1.0], [1.0], [5.0], [5.0]]))
    >>> round(float(ways[0]), 4)
    0.4472
    """
    check_alike(original, published, paired=False)
    ways = np.empty(original.shape[1])
    for place, (before, after) in enumerate(zip(original.T, published.T, strict=True)):
        values, difference = _shares(before, after)
        ways[place] = float((np.abs(difference[:-1]) * np.diff(values)).sum())
    spread = spreads(original)
    found: Floats = np.divide(ways, spread, out=np.where(ways == 0, 0.0, np.nan), where=spread > 0)
    return found


def _shares(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Return the values that occur, and by how much the cumulative share of the release is higher at each."""
    values = np.unique(np.concatenate([before, after]))
    of_before = np.searchsorted(np.sort(before), values, side="right") / before.size
    of_after = np.searchsorted(np.sort(after), values, side="right") / after.size
    return values, of_after - of_before
