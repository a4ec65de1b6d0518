"""Several releases of the same records, seen together: who still hides among how many.

What a release tells of each record is an array: the group of every record, shape (n,); or, where every record has
candidates of its own, as after freeform generalization, these, shape (n, k), −1 where there are fewer. A record that
was left out of a release has none there.
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
        what was published of how many it may be. n for a record of which nothing was published.

    Notes
    -----
    Records that were left out of a release hide among each other alone: somebody who finds what two releases published
    of the same respondent knows of each record in the one file whether it is in the other.

    O(n log n) a release, and O(n k²) for each pair of releases with candidates. Intersections of partitions as in K.
    Ganta, S. Kasiviswanathan and A. Smith, "Composition attacks and auxiliary information in data privacy" (2008).

    Examples
    --------
    >>> shared_sizes([np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])]).tolist()
    [1, 1, 2, 2]
    >>> shared_sizes([np.array([[0, 1], [1, 2], [2, 0]]), np.array([0, 0, 1])]).tolist()
    [1, 1, 1]
    >>> shared_sizes([np.array([[0, 1], [1, 0], [-1, -1]]), np.array([[0, 1], [1, 0], [-1, -1]])]).tolist()
    [2, 2, 3]
    """
    lists = [release for release in releases if release.ndim > 1]
    groups = [release for release in releases if release.ndim == 1]
    if not lists:
        return _sizes_of_groups(groups)
    left_out = np.stack([(release < 0).all(axis=1) for release in lists], axis=1)
    which, of = np.unique(left_out, axis=0, return_inverse=True)
    of = of.reshape(-1)
    sizes = np.empty(len(lists[0]), dtype=np.int64)
    for number, out in enumerate(which):
        own = np.flatnonzero(of == number)
        there = [release[own] for release, is_out in zip(lists, out, strict=True) if not is_out]
        if there:
            sizes[own] = _sizes_of_lists(there, own, [of, *groups])
        else:
            sizes[own] = _sizes_of_groups([of, *groups])[own] if groups else sizes.size
    return sizes


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


def _sizes_of_lists(lists: Sequence[Ints], own: Ints, groups: Sequence[Ints]) -> Ints:
    """Return the sizes of some records with candidates in some releases, who are of the same groups."""
    first = lists[0]
    kept = first >= 0
    for group in groups:
        kept &= group[first] == group[own][:, None]
    for other in lists[1:]:
        kept &= (first[:, :, None] == other[:, None, :]).any(axis=2)
    behind = np.bincount(first[kept], minlength=groups[0].size)[own]
    return np.asarray(np.minimum(kept.sum(axis=1), behind), dtype=np.int64)


def _sizes_of_groups(releases: Sequence[Ints]) -> Ints:
    together = np.unique(releases[0], return_inverse=True)[1].reshape(-1)
    for release in releases[1:]:
        groups = np.unique(release, return_inverse=True)[1].reshape(-1)
        together = np.unique(together * (int(groups.max(initial=0)) + 1) + groups, return_inverse=True)[1].reshape(-1)
    return np.bincount(together)[together] if together.size else together
