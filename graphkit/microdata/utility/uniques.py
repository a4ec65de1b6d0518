"""The share of records that are alone with their values."""

import numpy as np

from graphkit.arrays import Floats


def unique_share(records: Floats) -> float:
    """Return the share of records whose values of the attributes no other record has.

    Parameters
    ----------
    records : ndarray of float, shape (n, d)

    Notes
    -----
    Values are compared to the last bit. O(n d log n).

    Examples
    --------
    >>> unique_share(np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 3.0], [2.0, 2.0]]))
    0.5
    """
    counts = np.unique(records, axis=0, return_counts=True)[1]
    return float((counts == 1).sum() / records.shape[0])
