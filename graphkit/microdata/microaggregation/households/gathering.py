"""MDAV over households: the one farthest from the mean gathers its nearest until there are k records."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.microdata.microaggregation.groups import compact
from graphkit.microdata.microaggregation.parts import ALL_AT_ONCE, split

_LEAF = 500
"""Households up to which a part is not split again."""


def gathered(means: Floats, sizes: Ints, k: int) -> Ints:
    """Return groups of households with at least k records each.

    Parameters
    ----------
    means : ndarray of float, shape (m, d)
    sizes : ndarray of int, shape (m,)
        Records of every household; at least k together.
    k : int

    Returns
    -------
    ndarray of int, shape (m,)
        Group of every household.

    Notes
    -----
    O(m² d) at most. What is left with fewer than k records joins the nearest group, household by household. Of
    households at the same distance the first one counts.

    Examples
    --------
    >>> gathered(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 3, 2, 1]), 3).tolist()
    [0, 1, 0, 1]
    """
    labels = np.full(sizes.size, -1, dtype=np.int64)
    left = np.ones(sizes.size, dtype=np.bool_)
    group = 0
    while sizes[left].sum() >= 2 * k:
        center = np.average(means[left], axis=0, weights=sizes[left])
        far = _farthest(means, left, center)
        labels[_gather(means, sizes, k, left, far)] = group
        group += 1
    if sizes[left].sum() >= k:
        labels[left] = group
        return compact(labels)
    centers = np.stack([np.average(means[labels == one], axis=0, weights=sizes[labels == one]) for one in range(group)])
    for unit in np.flatnonzero(left):
        labels[unit] = int(np.argmin(((centers - means[unit]) ** 2).sum(axis=1)))
    return compact(labels)


def gathered_of_parts(means: Floats, sizes: Ints, k: int) -> Ints:
    """Return the same of parts of households near each other, one by one, where there are many; shape (m,)."""
    if sizes.size <= ALL_AT_ONCE:
        return gathered(means, sizes, k)
    labels, groups = np.empty(sizes.size, dtype=np.int64), 0
    # every household has a record: no part has fewer than k
    for part in split(means, max(_LEAF, 4 * k)):
        labels[part] = groups + gathered(means[part], sizes[part], k)
        groups = int(labels[part].max()) + 1
    return labels


def halves(means: Floats, sizes: Ints, k: int) -> Ints | None:
    """Return which households of a group are one half of it, such that both have k records; None if it finds none.

    A group that can be cut in two loses less when it is.
    """
    left = np.ones(sizes.size, dtype=np.bool_)
    if sizes.sum() < 2 * k:
        return None
    center = np.average(means, axis=0, weights=sizes)
    chosen = _gather(means, sizes, k, left, _farthest(means, left, center))
    return chosen if sizes[left].sum() >= k else None


def _farthest(means: Floats, left: Bools, center: Floats) -> int:
    units = np.flatnonzero(left)
    return int(units[np.argmax(((means[units] - center) ** 2).sum(axis=1))])


def _gather(means: Floats, sizes: Ints, k: int, left: Bools, first: int) -> Ints:
    """Take a household and its nearest, as many as have k records, out of those that are left."""
    units = np.flatnonzero(left)
    order = units[np.argsort(((means[units] - means[first]) ** 2).sum(axis=1), kind="stable")]
    # itself first, whoever else has the same mean
    order = np.concatenate(([first], order[order != first]))
    chosen = order[: int(np.searchsorted(np.cumsum(sizes[order]), k)) + 1]
    left[chosen] = False
    return chosen
