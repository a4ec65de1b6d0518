"""Mondrian: records are cut into halves at the median of one attribute as long as both have k; for comparison."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.extents import check_codes, joined, layout_of, losses_of
from graphkit.parameters import check_least_size


def mondrian(codes: Ints, attributes: Sequence[Attribute], k: int) -> Ints:
    """Return the class of every record of a partition into classes of at least k.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
    k : int
        Least size of a class, from 2 to n.

    Returns
    -------
    ndarray of int, shape (n,)
        Numbers 0, 1, … without gaps. Each class is published with the least extent that covers it
        (:func:`~graphkit.microdata.generalization.baselines.partition.class_extents`).

    Raises
    ------
    InvalidInput
        If records are not of the domains, or k is not from 2 to n.

    Notes
    -----
    Strict multidimensional partitioning: of the attributes in which a class can be cut into two of at least k, the one
    with the largest loss is taken, and the cut is the one between two values that is nearest to the median. Values of
    sets are in the order of their numbers, those of a tree in the order of their numbers, too. O(n d log n) for each
    level of cuts.

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE 2006, Section 4.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> mondrian(np.array([[0], [3], [1], [2]]), [numeric([0, 1, 8, 10])], 2).tolist()
    [0, 1, 0, 1]
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    alone = [layout_of([attribute]) for attribute in attributes]
    weights = layout_of(attributes).weights
    classes = np.zeros(n, dtype=np.int64)
    pending, made = [np.arange(n)], 0
    while pending:
        rows = pending.pop()
        held = codes[rows]
        losses = [
            float(weights[t] * losses_of(layout, joined(layout, held[:, t : t + 1], np.arange(rows.size)[None]))[0])
            for t, layout in enumerate(alone)
        ]
        for t in sorted(range(len(alone)), key=lambda t: (-losses[t], t)):
            cut = _cut(held[:, t], k)
            if cut is not None:
                # the lower half is numbered first
                pending += [rows[held[:, t] > cut], rows[held[:, t] <= cut]]
                break
        else:
            classes[rows] = made
            made += 1
    return classes


def _cut(values: Ints, k: int) -> int | None:
    """Return the last value of the lower half, or None if no cut leaves k on both sides."""
    found, counts = np.unique(values, return_counts=True)
    below = np.cumsum(counts)[:-1]
    allowed = (below >= k) & (values.size - below >= k)
    if not allowed.any():
        return None
    off = np.where(allowed, np.abs(2 * below - values.size), 2 * values.size)
    return int(found[int(off.argmin())])
