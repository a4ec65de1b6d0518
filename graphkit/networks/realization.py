"""Realize demands by new edges: greedy by largest demand, then local exchange."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from graphkit.networks.mapping import DemandMap

__all__ = ["realize"]


def realize(demand_map: DemandMap, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return new edges that meet as much of the demands as was found, and what is left.

    Parameters
    ----------
    demand_map : DemandMap
        Vertices, demands, and the edges among them that exist already.
    rng : numpy.random.Generator
        Breaks ties between equal demands and chooses where the search for an exchange begins.

    Returns
    -------
    edges : ndarray of int64, shape (s, 2)
        New edges as vertex indices of the graph: simple, disjoint from the graph's, no vertex above its demand.
        Low index first, lexicographic order.
    leftover : ndarray of int64, shape (len(vertices),)
        Demand that could not be met; all zero when the demands are realized.

    Notes
    -----
    The vertex of largest demand is joined to the non-adjacent vertices of largest remaining demand, repeatedly
    (the choice that realizes every graphic sequence where nothing is adjacent yet: Havel, Hakimi). What is left is
    met by local exchange (Liu, Terzi): a new edge uw gives way to v₁u and v₂w, where v₁, v₂ still have demand, or
    to vu and vw. O(D + E) for the first part with D the sum of demands and E the adjacency among the vertices, up
    to conflicts; O(D + E) for each exchange.

    References
    ----------
    Liu, Terzi, SIGMOD 2008; Hartung, Hoffmann, Nichterlein 2014, appendix A, phase 2.2.
    """
    number = demand_map.vertices.size
    if number == 0:
        return np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.int64)
    offsets, neighbours = _compressed(demand_map.adjacency, number)
    ticket = rng.permutation(number)
    order = np.lexsort((ticket, demand_map.demands))
    remaining = demand_map.demands.copy()
    edges = np.empty((int(remaining.sum()) // 2 + 1, 2), dtype=np.int64)
    count = _connect(offsets, neighbours, order, remaining, edges)
    if remaining.any():
        start = int(rng.integers(1 << 62))
        count = _exchange(offsets, neighbours, remaining, edges, count, start)
    added = np.sort(demand_map.vertices[edges[:count]], axis=1)
    return added[np.lexsort((added[:, 1], added[:, 0]))], remaining


def _compressed(edges: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the adjacency of an edge list as offsets and neighbours."""
    ends = np.concatenate((edges[:, 0], edges[:, 1]))
    other = np.concatenate((edges[:, 1], edges[:, 0]))
    order = np.argsort(ends, kind="stable")
    offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(np.bincount(ends, minlength=n))))
    return offsets.astype(np.int64), other[order]


@njit(cache=True)
def _connect(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    order: NDArray[np.int64],
    remaining: NDArray[np.int64],
    edges: NDArray[np.int64],
) -> int:
    """Join largest to largest; write new edges, lower `remaining`, return the number of edges.

    `order` ascends by remaining demand; `first[x]` is where demand x begins in it, so that lowering a vertex by
    one is a swap with the first of its demand.
    """
    n = order.size
    place = np.empty(n, np.int64)
    for i in range(n):
        place[order[i]] = i
    top = remaining[order[n - 1]]
    first = np.zeros(top + 2, np.int64)
    for i in range(n):
        first[remaining[i] + 1] += 1
    for x in range(top + 1):
        first[x + 1] += first[x]
    stamp = np.full(n, -1, np.int64)
    picks = np.empty(top, np.int64)
    count = 0
    for last in range(n - 1, 0, -1):
        u = order[last]
        wanted = remaining[u]
        if wanted == 0:
            break
        for i in range(offsets[u], offsets[u + 1]):
            stamp[neighbours[i]] = u
        found = 0
        i = last - 1
        while i >= 0 and found < wanted:
            v = order[i]
            if remaining[v] == 0:
                break
            if stamp[v] != u:
                picks[found] = v
                found += 1
            i -= 1
        for j in range(found):
            v = picks[j]
            x = remaining[v]
            swap_place = first[x]
            other = order[swap_place]
            order[place[v]], order[swap_place] = other, v
            place[other] = place[v]
            place[v] = swap_place
            first[x] += 1
            remaining[v] = x - 1
            edges[count, 0] = u
            edges[count, 1] = v
            count += 1
        remaining[u] = wanted - found
    return count


@njit(cache=True)
def _block(
    v: int,
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    edges: NDArray[np.int64],
    count: int,
    blocked: NDArray[np.bool_],
) -> None:
    """Mark v and everything that an edge from v must not go to."""
    blocked[:] = False
    blocked[v] = True
    for i in range(offsets[v], offsets[v + 1]):
        blocked[neighbours[i]] = True
    for i in range(count):
        if edges[i, 0] == v:
            blocked[edges[i, 1]] = True
        elif edges[i, 1] == v:
            blocked[edges[i, 0]] = True


@njit(cache=True)
def _exchange(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    remaining: NDArray[np.int64],
    edges: NDArray[np.int64],
    count: int,
    start: int,
) -> int:
    """Local exchange until nothing is left or nothing fits; return the number of edges."""
    n = remaining.size
    blocked_a = np.zeros(n, np.bool_)
    blocked_b = np.zeros(n, np.bool_)
    progress = True
    while progress:
        progress = False
        for a in range(n):
            if remaining[a] == 0:
                continue
            _block(a, offsets, neighbours, edges, count, blocked_a)
            for b in range(a, n):
                if remaining[b] == 0 or (a == b and remaining[a] < 2):
                    continue
                if not blocked_a[b]:
                    edges[count, 0], edges[count, 1] = a, b
                    count += 1
                    progress = True
                else:
                    _block(b, offsets, neighbours, edges, count, blocked_b)
                    for shift in range(count):
                        i = (start + shift) % count
                        u, w = edges[i, 0], edges[i, 1]
                        if blocked_a[u] or blocked_b[w]:
                            u, w = w, u
                        if blocked_a[u] or blocked_b[w]:
                            continue
                        edges[i, 0], edges[i, 1] = a, u
                        edges[count, 0], edges[count, 1] = b, w
                        count += 1
                        start = i + 1
                        progress = True
                        break
                if progress:
                    remaining[a] -= 1
                    remaining[b] -= 1
                    break
            if progress:
                break
    return count
