"""Sets of hubs whose inequality a fractional choice of levels violates."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import compiled

_PREFIXES = 3
_LEAST = 0.05


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
    asking = np.flatnonzero(asked > 1e-6)
    if asking.size == 0:
        return []
    near = joinable[np.ix_(asking, asking)].sum(axis=1)
    found: dict[bytes, Bools] = {}
    for order in (np.argsort(-asked[asking], kind="stable"), np.argsort(near / asked[asking], kind="stable")):
        ranked = asking[order]
        excess = _prefixes(joinable, asked, given, others, asking, ranked)
        for size in np.argsort(-excess, kind="stable")[:_PREFIXES] + 1:
            members = np.zeros(asked.size, dtype=np.bool_)
            members[ranked[:size]] = True
            if _local_search(joinable, asked, given, others, asking, members) > _LEAST:
                found[members.tobytes()] = members
    return list(found.values())


@compiled
def _excess(asked: Floats, given: Floats, others: Floats, asking: Ints, members: Bools, near: Ints, size: int) -> float:
    value = -others[size]
    for v in asking:
        value += asked[v] - near[v] if members[v] else -given[v, near[v]]
    return float(value)


@compiled
def _toggle(joinable: Bools, members: Bools, near: Ints, u: int) -> int:
    """Move u into or out of the set; return the change of its size."""
    step = -1 if members[u] else 1
    members[u] = not members[u]
    for v in range(near.size):
        if joinable[u, v]:
            near[v] += step
    return step


@compiled
def _prefixes(joinable: Bools, asked: Floats, given: Floats, others: Floats, asking: Ints, ranked: Ints) -> Floats:
    """Return the excess of every prefix of an order."""
    members = np.zeros(asked.size, np.bool_)
    near = np.zeros(asked.size, np.int64)
    excess = np.empty(ranked.size)
    for i in range(ranked.size):
        _toggle(joinable, members, near, ranked[i])
        excess[i] = _excess(asked, given, others, asking, members, near, i + 1)
    return excess


@compiled
def _local_search(joinable: Bools, asked: Floats, given: Floats, others: Floats, asking: Ints, members: Bools) -> float:
    """Change single members as long as that raises the excess; return it."""
    near = np.zeros(asked.size, np.int64)
    size = 0
    for u in range(asked.size):
        if members[u]:
            members[u] = False
            size += _toggle(joinable, members, near, u)
    best = _excess(asked, given, others, asking, members, near, size)
    for _ in range(2 * asking.size):
        change, highest = -1, best + 1e-9
        for u in asking:
            size += _toggle(joinable, members, near, u)
            value = _excess(asked, given, others, asking, members, near, size)
            size += _toggle(joinable, members, near, u)
            if value > highest:
                change, highest = u, value
        if change < 0:
            break
        size += _toggle(joinable, members, near, change)
        best = highest
    return float(best)
