"""Sets of vertices whose demands ask for more partners than there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.networks.hub_core import HubCore

__all__ = ["Obstacle", "most_violated", "obstacle_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Obstacle:
    """A set R of core positions; demands d are met only if

    ``Σ_{v in R} d_v ≤ 2·pairs + Σ_{v not in R} min(d_v, partners_v)``.
    """

    members: NDArray[np.bool_]
    """Whether a core position is in R, shape (c,)."""
    partners: NDArray[np.int64]
    """Vertices of R that a core position could be joined to, shape (c,)."""
    size: int
    """Number of vertices in R: what a vertex outside the core may be joined to at most."""
    pairs: int
    """Pairs inside R that are not adjacent."""
    excess: int
    """By how much the demands violate the inequality; not positive when they meet it."""


def most_violated(core: HubCore, demands: NDArray[np.int64]) -> Obstacle | None:
    """Return a set that demands violate by much, or None where the search finds none.

    Parameters
    ----------
    core : HubCore
        The highest vertices; only they can be in the set.
    demands : ndarray of int64, shape (p,)
        Demands of all positions, those of the core first.

    Notes
    -----
    Prefixes by descending demand, then single changes while they help: a heuristic for the set, but what it returns is
    violated. O(c²) for each change.

    Examples
    --------
    >>> import graphkit.networks.hub_core as hubs
    >>> from graphkit.networks.interchange import as_view
    >>> core = hubs.hub_core(as_view([(0, 1), (1, 2), (0, 2), (2, 3)]), limit=4)
    >>> most_violated(core, np.array([0, 2, 2, 0])).excess
    4
    """
    c = core.size
    hub_demands, tail = demands[:c], demands[c:]
    if not hub_demands.any():
        return None
    longer = np.bincount(np.minimum(tail, c))
    # tail_sums[r] = Σ min(d, r) over the tail
    exceeding = longer[::-1].cumsum()[::-1]
    steps = np.zeros(c + 1, dtype=np.int64)
    steps[1 : exceeding.size] = exceeding[1:]
    tail_sums = np.cumsum(steps)
    order = np.argsort(-hub_demands, kind="stable")
    members, excess = _search(core.joinable, hub_demands, tail_sums, order)
    if excess <= 0:
        return None
    return obstacle_of(core, members, int(excess))


def obstacle_of(core: HubCore, members: NDArray[np.bool_], excess: int = 0) -> Obstacle:
    """Return the obstacle of a set of core positions, with the excess that it was found with."""
    partners = core.joinable[:, members].sum(axis=1)
    return Obstacle(members, partners, int(members.sum()), int(partners[members].sum()) // 2, excess)


@njit(cache=True)
def _search(
    joinable: NDArray[np.bool_], demands: NDArray[np.int64], tail_sums: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], int]:
    c = demands.size
    members = np.zeros(c, np.bool_)
    partners = np.zeros(c, np.int64)
    best, best_size = np.int64(0), 0
    asked, inside = np.int64(0), np.int64(0)
    positive = 0
    for rank in range(c):
        u = order[rank]
        if demands[u] == 0:
            break
        positive += 1
        inside += 2 * partners[u]
        asked += demands[u]
        members[u] = True
        for v in range(c):
            if joinable[u, v]:
                partners[v] += 1
        given = tail_sums[rank + 1]
        for v in range(c):
            if not members[v]:
                given += min(demands[v], partners[v])
        if asked - inside - given > best:
            best, best_size = asked - inside - given, rank + 1
    members[:] = False
    partners[:] = 0
    for rank in range(best_size):
        u = order[rank]
        members[u] = True
        for v in range(c):
            if joinable[u, v]:
                partners[v] += 1
    if best_size == 0:
        return members, int(best)
    size = best_size
    for _ in range(2 * c):
        gain, change = 0, -1
        for rank in range(positive):
            u = int(order[rank])
            value = _gain(u, joinable, demands, members, partners, tail_sums, size)
            if value > gain:
                gain, change = value, u
        if change < 0:
            break
        step = -1 if members[change] else 1
        members[change] = not members[change]
        size += step
        for v in range(c):
            if joinable[change, v]:
                partners[v] += step
        best += gain
    return members, int(best)


@njit(cache=True)
def _gain(
    u: int,
    joinable: NDArray[np.bool_],
    demands: NDArray[np.int64],
    members: NDArray[np.bool_],
    partners: NDArray[np.int64],
    tail_sums: NDArray[np.int64],
    size: int,
) -> int:
    """Return what moving u into or out of the set adds to the excess."""
    c = demands.size
    if members[u]:
        gain = -demands[u] - min(demands[u], partners[u]) + 2 * partners[u] + tail_sums[size] - tail_sums[size - 1]
        for v in range(c):
            if joinable[u, v] and not members[v] and demands[v] >= partners[v]:
                gain += 1
    else:
        gain = demands[u] + min(demands[u], partners[u]) - 2 * partners[u] + tail_sums[size] - tail_sums[size + 1]
        for v in range(c):
            if joinable[u, v] and not members[v] and demands[v] > partners[v]:
                gain -= 1
    return int(gain)
