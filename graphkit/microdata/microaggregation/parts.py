"""Many records as parts of records near each other: each is grouped by itself, then the borders are drawn elsewhere."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.mdav import mdav

ALL_AT_ONCE = 5_000
"""Records up to which all are grouped together; an integer program over groups of more takes long."""
_LEAF = 1_000


def split(points: Floats, most: int, share: float = 0.5) -> list[Ints]:
    """Return parts of at most so many points: halves, again and again, along the attribute that varies most there.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    most : int
    share : float, optional
        Of the points that are on the lower side of the first border of all; later ones are in the middle. Another share
        draws most borders elsewhere.

    Returns
    -------
    list of ndarray of int
        Positions of the points of every part, rising; each point is in one part.

    Notes
    -----
    O(n d log(n / most)). Of points with the same value the first ones go to the lower side.

    Examples
    --------
    >>> [part.tolist() for part in split(np.array([[5.0], [1.0], [4.0], [2.0], [3.0]]), 2)]
    [[1, 3], [4], [0, 2]]
    """
    waiting, parts = [(np.arange(points.shape[0]), share)], []
    while waiting:
        part, lower = waiting.pop()
        if part.size <= most:
            parts.append(np.sort(part))
            continue
        held = points[part]
        order = np.argsort(held[:, int(np.argmax(held.var(axis=0)))], kind="stable")
        border = min(max(int(lower * part.size), 1), part.size - 1)
        # the lower side is taken first
        waiting += [(part[order[border:]], 0.5), (part[order[:border]], 0.5)]
    return parts


def mdav_of_parts(points: Floats, k: int) -> Ints:
    """Return the partition of MDAV, of small parts one by one where there are many records.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int

    Returns
    -------
    ndarray of int, shape (n,)
        Group of every record, k to 2k − 1 in each.
    """
    if points.shape[0] <= ALL_AT_ONCE:
        return mdav(points, k)
    labels = np.empty(points.shape[0], dtype=np.int64)
    groups = 0
    for part in split(points, max(_LEAF, 4 * k)):
        labels[part] = groups + mdav(points[part], k)
        groups = int(labels[part].max()) + 1
    return labels
