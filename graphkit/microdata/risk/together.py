"""Several releases of the same records, seen together: who still hides among how many.

What a release tells of each record is an array: the group of every record, shape (n,); or, where every record has
candidates of its own, as after freeform generalization, these, shape (n, k), −1 where there are fewer.
"""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints


def shared_sizes(releases: Sequence[Ints]) -> Ints:
    """Return, for each record, among how many it hides in all releases together.

    An attacker who knows of each release in which group a respondent is, or whose records may be behind a published
    one, looks in the intersection.

    Parameters
    ----------
    releases : sequence of ndarray of int, each of shape (n,) or (n, k)
        Groups, or the records that may be behind what was published of each one; in one order of the records. At least
        one release.

    Returns
    -------
    ndarray of int64, shape (n,)
        With candidates the smaller of two numbers: how many may be behind what was published of a record, and behind
        what was published of how many it may be.

    Notes
    -----
    O(n log n) a release, and O(n k²) for each pair of releases with candidates. Intersections of partitions as in K.
    Ganta, S. Kasiviswanathan and A. Smith, "Composition attacks and auxiliary information in data privacy" (2008).

    Examples
    --------
    >>> shared_sizes([np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])]).tolist()
    [1, 1, 2, 2]
    >>> shared_sizes([np.array([[0, 1], [1, 2], [2, 0]]), np.array([0, 0, 1])]).tolist()
    [1, 1, 1]
    """
    lists = [release for release in releases if release.ndim > 1]
    groups = [release for release in releases if release.ndim == 1]
    if not lists:
        return _sizes_of_groups(groups)
    first = lists[0]
    kept = first >= 0
    for group in groups:
        kept &= group[first] == group[:, None]
    for other in lists[1:]:
        kept &= (first[:, :, None] == other[:, None, :]).any(axis=2)
    behind = np.bincount(first[kept], minlength=first.shape[0])
    return np.asarray(np.minimum(kept.sum(axis=1), behind), dtype=np.int64)


def restricted(release: Ints, records: Ints) -> Ints:
    """Return what a release tells of some records, numbered anew; the others are nobody's candidates.

    Examples
    --------
    >>> restricted(np.array([5, 5, 6]), np.array([2, 0])).tolist()
    [6, 5]
    >>> restricted(np.array([[0, 1], [1, 2], [2, 0]]), np.array([2, 0])).tolist()
    [[0, 1], [1, -1]]
    """
    if release.ndim == 1:
        return np.asarray(release[records])
    place = np.full(release.shape[0] + 1, -1, dtype=np.int64)
    place[records] = np.arange(records.size)
    return np.asarray(place[release[records]])


def _sizes_of_groups(releases: Sequence[Ints]) -> Ints:
    together = np.unique(releases[0], return_inverse=True)[1].reshape(-1)
    for release in releases[1:]:
        groups = np.unique(release, return_inverse=True)[1].reshape(-1)
        together = np.unique(together * (int(groups.max(initial=0)) + 1) + groups, return_inverse=True)[1].reshape(-1)
    return np.bincount(together)[together] if together.size else together
