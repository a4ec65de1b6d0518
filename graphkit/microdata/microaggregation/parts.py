"""Many records as parts of records near each other: each is grouped by itself, then the borders are drawn elsewhere."""

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.microdata.microaggregation.mdav import mdav

ALL_AT_ONCE = 5_000
"""Records up to which all are grouped together; an integer program over groups of more takes long."""
_LEAF = 1_000
_UNEVEN = 0.2


def split(points: Floats, most: int) -> list[Ints]:
    """Return parts of at most so many points: halves, again and again, along the attribute that varies most there.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    most : int

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
    waiting, parts = [np.arange(points.shape[0])], []
    while waiting:
        part = waiting.pop()
        if part.size <= most:
            parts.append(np.sort(part))
            continue
        held = points[part]
        order = np.argsort(held[:, int(np.argmax(held.var(axis=0)))], kind="stable")
        border = part.size // 2
        # the lower side is taken first
        waiting += [part[order[border:]], part[order[:border]]]
    return parts


def drawn_split(points: Floats, most: int, rng: Rng) -> list[Ints]:
    """Return parts of about so many points at most, with borders that are drawn anew in every call.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    most : int
    rng : Generator
        Draws the attribute of each border, the more probably the more it varies there, and its place near the middle.

    Returns
    -------
    list of ndarray of int
        Positions of the points of every part; each point is in one part, a part has up to a fifth more than `most`.
    """
    waiting, parts = [np.arange(points.shape[0])], []
    while waiting:
        part = waiting.pop()
        if part.size <= most * (1 + _UNEVEN):
            parts.append(part)
            continue
        held = points[part]
        variances = held.var(axis=0)
        total = variances.sum()
        attribute = rng.choice(variances.size, p=variances / total if total > 0 else None)
        order = np.argsort(held[:, attribute], kind="stable")
        border = int(part.size * rng.uniform(0.5 - _UNEVEN / 4, 0.5 + _UNEVEN / 4))
        waiting += [part[order[border:]], part[order[:border]]]
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
