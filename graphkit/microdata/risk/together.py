"""Several releases of the same records, seen together: who still hides among how many."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints


def shared_sizes(releases: Sequence[Ints]) -> Ints:
    """Return, for each record, how many records share its group in every release.

    An attacker who knows in which group of each release a respondent is looks in the intersection of these groups.

    Parameters
    ----------
    releases : sequence of ndarray of int, each of shape (n,)
        Group of every record in each release, in one order of the records; at least one release.

    Returns
    -------
    ndarray of int64, shape (n,)

    Notes
    -----
    O(n log n) a release. Intersections of partitions as in K. Ganta, S. Kasiviswanathan and A. Smith, "Composition
    attacks and auxiliary information in data privacy" (2008).

    Examples
    --------
    >>> shared_sizes([np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])]).tolist()
    [1, 1, 2, 2]
    """
    together = np.unique(releases[0], return_inverse=True)[1].reshape(-1)
    for release in releases[1:]:
        groups = np.unique(release, return_inverse=True)[1].reshape(-1)
        together = np.unique(together * (int(groups.max(initial=0)) + 1) + groups, return_inverse=True)[1].reshape(-1)
    return np.bincount(together)[together] if together.size else together
