"""Sets of hubs whose inequality a fractional choice of levels violates."""

import numpy as np

from graphkit.arrays import Bools, Floats
from graphkit.networks.core.set_search import among, searched

_PREFIXES = 3
_LEAST = 0.05
# more than what sums are rounded by
_LEAST_GAIN = 1e-9


def violated_sets(joinable: Bools, asked: Floats, given: Floats, others: Floats) -> list[Bools]:
    """Return sets R whose inequality is violated, shape (h,) each.

    Parameters
    ----------
    joinable : ndarray of bool, shape (h, h)
        Which hubs can be joined.
    asked : ndarray of float, shape (h,)
        Demand of every hub.
    given : ndarray of float, shape (h, h+1)
        What a hub gives if it can be joined to so many members.
    others : ndarray of float, shape (h+1,)
        What all others give, by the number of members, slack included.

    Notes
    -----
    Prefixes by descending demand and by partners for a unit of demand, the best of them improved by single changes:
    a heuristic, as in :func:`~graphkit.networks.core.violated_sets.most_violated`, for demands that are no integers.
    """
    hubs, asking = asked.size, np.flatnonzero(asked > 1e-6)
    if asking.size == 0:
        return []
    # nothing is asked of the others, and they have nothing to give
    joinable, near = among(joinable, asking)
    asked, given, others = asked[asking], given[asking, : asking.size + 1], others[: asking.size + 1]
    first = joinable @ (given[:, 1] - given[:, 0])
    found: dict[bytes, Bools] = {}
    none = np.zeros((0, asking.size), dtype=np.bool_)
    sets, excesses = searched(joinable, near, first, asked, given, others, none, _PREFIXES, _LEAST_GAIN)
    for chosen in sets[excesses > _LEAST]:
        members = np.zeros(hubs, dtype=np.bool_)
        members[asking[chosen]] = True
        found[members.tobytes()] = members
    return list(found.values())
