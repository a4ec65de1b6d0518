"""Classes of records that are published with one extent, and rings within them."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.extents import Layout, extents_of, joined


def class_extents(layout: Layout, codes: Ints, classes: Ints) -> Ints:
    """Return for every record the least extent that covers its whole class.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    classes : ndarray of int, shape (n,)
        Class of every record: 0, 1, … without gaps.

    Returns
    -------
    ndarray of int, shape (n, width)

    Notes
    -----
    O(n d): classes of one size are joined at once.
    """
    found = extents_of(layout, codes)
    for size, members in _by_size(classes):
        found[members] = np.repeat(joined(layout, codes, members), size, axis=0).reshape(*members.shape, -1)
    return found


def rings(codes: Ints, classes: Ints, k: int) -> Ints:
    """Return the k-regular graph in which each record covers the k − 1 that follow it in a ring of its class.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
    classes : ndarray of int, shape (n,)
        Class of every record: 0, 1, … without gaps, at least k records each.
    k : int

    Returns
    -------
    ndarray of int, shape (n, k)
        The records that each generalized record covers, itself first.

    Raises
    ------
    InvalidInput
        If a class has fewer than k records.

    Notes
    -----
    NH, non-homogeneous generalization, with classes of k to 2k − 1 records. A ring is in lexicographic order of the
    values; those with the fewest different values in the class come first, so that neighbours agree on much.
    O(n d log n).

    References
    ----------
    Wong, Mamoulis, Cheung: Non-homogeneous generalization in privacy preserving data publishing, SIGMOD 2010,
    Section 3, ring generalization.

    Examples
    --------
    >>> rings(np.array([[0], [2], [1]]), np.array([0, 0, 0]), 2).tolist()
    [[0, 2], [1, 0], [2, 1]]
    """
    covered = np.empty((codes.shape[0], k), dtype=np.int64)
    for size, members in _by_size(classes):
        if size < k:
            raise InvalidInput(f"a class has {size} records; a ring needs at least {k}")
        steps = (np.arange(size)[:, None] + np.arange(k)) % size
        for rows in members:
            held = codes[rows]
            different = [np.unique(column).size for column in held.T]
            # np.lexsort sorts by its last key first
            order = rows[np.lexsort(held.T[np.argsort(different, kind="stable")[::-1]])]
            covered[order] = order[steps]
    return covered


def _by_size(classes: Ints) -> list[tuple[int, Ints]]:
    """Return the members of all classes, shape (classes, size), for each size of a class."""
    order = np.argsort(classes, kind="stable")
    sizes = np.bincount(classes)
    starts = np.cumsum(sizes) - sizes
    found = []
    for size in np.unique(sizes).tolist():
        begins = starts[sizes == size]
        found.append((int(size), order[begins[:, None] + np.arange(size)]))
    return found
