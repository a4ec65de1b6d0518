"""IL1s: how far published values are from the original ones, in standard deviations."""

import math

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.utility.scaling import check_alike, spreads


def absolute_loss(original: Floats, published: Floats) -> float:
    """Return IL1s, the mean of |x − x'| / (√2 S) over all values.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        The same records in the same order; S is the standard deviation of an attribute in the original, with n − 1.

    Returns
    -------
    float
        0 where nothing changed. Attributes that are constant in the original have no scale and do not count.

    Raises
    ------
    InvalidInput
        If the tables have other sizes.

    Notes
    -----
    O(n d). √2 S is the standard deviation of the difference of two independent values. ``dUtility`` of sdcMicro
    multiplies by √2 instead: its figure is twice this one.

    References
    ----------
    Mateo-Sanz, Domingo-Ferrer, Sebé 2005, "Probabilistic information loss measures in confidentiality protection of
    continuous microdata"; Yancey, Winkler, Creecy 2002, "Disclosure risk assessment in perturbative microdata
    protection".

    Examples
    --------
    >>> records = np.array([[0.0], [2.0], [4.0], [6.0]])
    >>> round(absolute_loss(records, np.array([[1.0], [1.0], [5.0], [5.0]])), 4)
    0.2739
    """
    check_alike(original, published)
    n, spread = original.shape[0], spreads(original)
    columns = zip(original.T, published.T, spread, strict=True)
    # with n − 1, a standard deviation is √(n / (n − 1)) times as large
    ways = [float(np.abs(before - after).mean()) / scale for before, after, scale in columns if scale]
    return math.sqrt((n - 1) / (2 * n)) * math.fsum(ways) / len(ways) if ways else 0.0
