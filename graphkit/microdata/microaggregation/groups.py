"""Partitions of records into groups, and what is lost when each record takes the mean of its group."""

import numpy as np

from graphkit.arrays import Floats, Ints


def canonical(labels: Ints) -> Ints:
    """Return the same groups, numbered from 0 by the first record of each.

    Examples
    --------
    >>> canonical(np.array([7, 2, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(first.size, dtype=np.int64)
    place[np.argsort(first)] = np.arange(first.size)
    return place[group]


def compact(labels: Ints) -> Ints:
    """Return the same groups, numbered from 0 without a gap, in the order of their numbers.

    Examples
    --------
    >>> compact(np.array([7, 2, 7, 5])).tolist()
    [2, 0, 2, 1]
    """
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def group_sizes(labels: Ints) -> Ints:
    """Return the number of records of every group; labels are 0 to the number of groups less one."""
    return np.bincount(labels)


def places_of(labels: Ints) -> Ints:
    """Return the place of every record among those of its group, from 0 on; labels are 0 to some number.

    Examples
    --------
    >>> places_of(np.array([0, 1, 0, 0, 1])).tolist()
    [0, 0, 1, 2, 1]
    """
    sizes = group_sizes(labels)
    places = np.empty(labels.size, dtype=np.int64)
    places[np.argsort(labels, kind="stable")] = np.arange(labels.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return places


def members_of(labels: Ints) -> list[Ints]:
    """Return the records of every group that has some, rising, by the numbers of the groups.

    Examples
    --------
    >>> [members.tolist() for members in members_of(np.array([7, 2, 7]))]
    [[1], [0, 2]]
    """
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def group_means(points: Floats, labels: Ints) -> Floats:
    """Return the mean of every group, shape (groups, d), in O(n d)."""
    sums = np.stack([np.bincount(labels, weights=column) for column in points.T], axis=1)
    return sums / group_sizes(labels)[:, None]


def within_groups(points: Floats, labels: Ints) -> float:
    """Return the sum of squared distances of the records to the means of their groups (SSE).

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    labels : ndarray of int, shape (n,)
        Group of every record, from 0 on.

    Examples
    --------
    >>> within_groups(np.array([[0.0], [2.0], [5.0], [5.0]]), np.array([0, 0, 1, 1]))
    2.0
    """
    return float(((points - group_means(points, labels)[labels]) ** 2).sum())


def around_mean(points: Floats) -> float:
    """Return the sum of squared distances of the records to the mean of all (SST)."""
    return float(((points - points.mean(axis=0)) ** 2).sum())
