"""Sets of vertices whose demands ask for more partners than there are."""

from __future__ import annotations

from collections.abc import Sequence
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


def most_violated(
    core: HubCore, demands: NDArray[np.int64], known: Sequence[NDArray[np.bool_]] = ()
) -> Obstacle | None:
    """Return a set that demands violate by much, or None where the search finds none.

    Parameters
    ----------
    core : HubCore
        The highest vertices; only they can be in the set.
    demands : ndarray of int64, shape (p,)
        Demands of all positions, those of the core first.
    known : sequence of ndarray of bool, optional
        Sets that were in the way of similar demands; the search begins at them, too.

    Notes
    -----
    Prefixes by descending demand, and by ascending partners for a unit of demand, then single changes while they help:
    a heuristic for the set, but what it returns is violated. O(c²) for each change.

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
    asking = np.flatnonzero(hub_demands)
    if asking.size == 0:
        return None
    tail_sums = _tail_sums(tail, c)
    near = core.joinable[np.ix_(asking, asking)].sum(axis=1)
    orders = (
        asking[np.argsort(-hub_demands[asking], kind="stable")],
        asking[np.argsort(near / hub_demands[asking], kind="stable")],
    )
    starts = [_best_prefix(core.joinable, hub_demands, tail_sums, order) for order in orders]
    starts += [members & (hub_demands > 0) for members in known]
    found = [_climbed(core.joinable, hub_demands, tail_sums, start, asking) for start in starts if start.any()]
    members, excess = max(found, key=lambda pair: pair[1], default=(None, 0))
    return obstacle_of(core, members, excess) if members is not None and excess > 0 else None


def _tail_sums(tail: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return Σ min(d, r) over the tail for r from 0 to `most`."""
    exceeding = np.bincount(np.minimum(tail, most))[::-1].cumsum()[::-1]
    steps = np.zeros(most + 1, dtype=np.int64)
    steps[1 : exceeding.size] = exceeding[1:]
    return np.cumsum(steps)


def obstacle_of(core: HubCore, members: NDArray[np.bool_], excess: int = 0) -> Obstacle:
    """Return the obstacle of a set of core positions, with the excess that it was found with."""
    partners = core.joinable[:, members].sum(axis=1)
    return Obstacle(members, partners, int(members.sum()), int(partners[members].sum()) // 2, excess)


@njit(cache=True)
def _best_prefix(
    joinable: NDArray[np.bool_], demands: NDArray[np.int64], tail_sums: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return the prefix of an order that is violated most, at least its first vertex."""
    c = demands.size
    members = np.zeros(c, np.bool_)
    partners = np.zeros(c, np.int64)
    best, best_size = np.int64(-(1 << 60)), 1
    asked, inside = np.int64(0), np.int64(0)
    for rank in range(order.size):
        u = order[rank]
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
    members[order[:best_size]] = True
    return members


@njit(cache=True)
def _climbed(
    joinable: NDArray[np.bool_],
    demands: NDArray[np.int64],
    tail_sums: NDArray[np.int64],
    start: NDArray[np.bool_],
    asking: NDArray[np.int64],
) -> tuple[NDArray[np.bool_], int]:
    """Return the set after single changes that raise the excess most, as long as there are any, and its excess."""
    c = demands.size
    members = start.copy()
    partners = np.zeros(c, np.int64)
    size, excess = 0, np.int64(0)
    for u in range(c):
        if members[u]:
            size += 1
            excess += demands[u]
            for v in range(c):
                if joinable[u, v]:
                    partners[v] += 1
    excess -= tail_sums[size]
    for v in range(c):
        excess -= partners[v] if members[v] else min(demands[v], partners[v])
    for _ in range(2 * c):
        gain, change = 0, -1
        for u in asking:
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
        excess += gain
    return members, int(excess)


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
