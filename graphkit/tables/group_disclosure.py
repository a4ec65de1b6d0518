"""Groups of which a marginal shows that all are in one category."""

from __future__ import annotations

import numpy as np

from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals

__all__ = ["disclosed_groups"]


def disclosed_groups(released: ReleasedMarginals) -> list[Axes]:
    """Return the marginals with a row of at least one person and a single category that is not zero.

    Returns
    -------
    list of tuple of int
        For each, the variable of the row's categories first, then those that name the group; every pair once.

    Notes
    -----
    Only the maximal marginals are looked at: if everybody of a group is in one category, so is everybody of each part
    of it that has anybody, and a marginal with more variables shows it, too. O(k·c) for c counts.

    Examples
    --------
    >>> disclosed_groups(ReleasedMarginals((2, 2), {(0, 1): [[3, 0], [2, 4]]}))
    [(0, 1), (1, 0)]
    """
    found = []
    for axes in released.maximal:
        counts = released.marginals[axes]
        for place, axis in enumerate(axes):
            if len(axes) < 2 or counts.shape[place] < 2:
                continue
            occupied = np.count_nonzero(counts, axis=place)
            if (occupied == 1).any():
                found.append((axis, *(other for other in axes if other != axis)))
    return found
