"""Information loss: the share of the variation that a release does not have."""

from math import fsum

from graphkit.arrays import Floats
from graphkit.microdata.utility.scaling import check_alike, spreads


def information_loss(original: Floats, published: Floats) -> float:
    """Return 100 SSE / SST in percent.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        The same records in the same order. Attributes are scaled to standard deviation 1 of the original.

    Returns
    -------
    float
        SSE sums the squared distances of each record to its published version, SST those to the mean of the original:
        0 where nothing changed, 100 where all records got the mean. Above 100 where a release is farther away than the
        mean. 0 where no attribute varies.

    Raises
    ------
    InvalidInput
        If the tables have other sizes.

    Notes
    -----
    O(n d).

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz 2002, "Practical data-oriented microaggregation for statistical disclosure control".

    Examples
    --------
    >>> import numpy as np
    >>> records = np.array([[0.0], [2.0], [4.0], [6.0]])
    >>> round(information_loss(records, np.array([[1.0], [1.0], [5.0], [5.0]])), 6)
    20.0
    """
    check_alike(original, published)
    spread = spreads(original)
    columns = zip(original.T, published.T, spread, strict=True)
    # scaled, each attribute varies by n; what it loses is in the same scale
    lost = [float(((before - after) ** 2).mean()) / scale**2 for before, after, scale in columns if scale]
    return 100 * fsum(lost) / len(lost) if lost else 0.0
