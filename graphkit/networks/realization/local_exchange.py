"""Realize demands as the earlier methods do: edges between random vertices, or Supergraph, then local exchange."""

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.kernels import compiled
from graphkit.networks.graphs.ordering import adjacency_lists, canonical_edges
from graphkit.networks.realization.demand_order import join_to_largest, lower, ordered_by_demand
from graphkit.networks.realization.mapping import DemandMap

_LOOKS = 5_000_000
"""Vertices and edges that local exchange looks at before it gives up: many conflicts mean that partners are missing."""


def realize_at_random(demand_map: DemandMap, rng: Rng) -> tuple[Ints, Ints]:
    """Return new edges from random insertion and local exchange, and the demand that is left.

    Parameters
    ----------
    demand_map : DemandMap
        Vertices, demands, and the edges among them that exist already.
    rng : numpy.random.Generator
        Source of all randomness.

    Returns
    -------
    edges : ndarray of int64, shape (s, 2)
        New edges as vertex indices of the graph, canonical.
    leftover : ndarray of int64, shape (len(vertices),)
        Demand that could not be met.

    Notes
    -----
    Units of demand, in random order, are paired with the next one that is insertable. When no pair is, a new edge uw
    gives way to v₁u and v₂w, where v₁ and v₂ still have demand (one vertex may be both). O(D²) with D the sum of
    demands in the worst case, near O(D) where few pairs are in conflict.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, appendix A, phase 2.2.
    """
    units = rng.permutation(np.repeat(np.arange(demand_map.vertices.size), demand_map.demands))
    return _realize(demand_map, units, False, rng)


def realize_supergraph(demand_map: DemandMap, rng: Rng) -> tuple[Ints, Ints]:
    """Return new edges from Supergraph with local exchange, and the demand that is left.

    Parameters and result as for :func:`realize_at_random`.

    Notes
    -----
    A random vertex with demand is joined to the vertices of largest demand it is not adjacent to, until none has
    demand. O(D + E) with D the sum of demands and E the edges among the vertices, and the exchange.

    References
    ----------
    Liu, Terzi, SIGMOD 2008, section 6, algorithm Supergraph.
    """
    return _realize(demand_map, rng.permutation(demand_map.vertices.size), True, rng)


def _realize(demand_map: DemandMap, turns: Ints, is_supergraph: bool, rng: Rng) -> tuple[Ints, Ints]:
    """Insert in the order of `turns`, then exchange."""
    number = demand_map.vertices.size
    remaining = demand_map.demands.copy()
    if number == 0:
        return np.empty((0, 2), dtype=np.int64), remaining
    offsets, neighbours = adjacency_lists(demand_map.adjacency, number)
    joined = np.empty((int(remaining.sum()) // 2 + 1, 2), dtype=np.int64)
    if is_supergraph:
        order = np.argsort(remaining, kind="stable")
        count = _join_to_largest(offsets, neighbours, turns, order, remaining, joined)
    else:
        count = _join_in_order(offsets, neighbours, turns, remaining, joined)
    if remaining.any():
        count = _exchange(offsets, neighbours, remaining, joined, count, int(rng.integers(1 << 62)))
    return canonical_edges(demand_map.vertices[joined[:count]]), remaining


@compiled
def _join_in_order(offsets: Ints, neighbours: Ints, units: Ints, remaining: Ints, joined: Ints) -> int:
    """Pair units of demand with the next insertable one; return the number of edges."""
    n = remaining.size
    stamp = np.full(n, -1, np.int64)
    first = np.full(n, -1, np.int64)  # new edges at a vertex, as a linked list of half edges
    following = np.empty(2 * joined.shape[0], np.int64)
    open_units = units.copy()
    size = open_units.size
    count = 0
    for i in range(size):
        u = open_units[i]
        if u < 0:
            continue
        for j in range(offsets[u], offsets[u + 1]):
            stamp[neighbours[j]] = i
        half = first[u]
        while half >= 0:
            stamp[joined[half // 2, 1 - half % 2]] = i
            half = following[half]
        stamp[u] = i
        for j in range(i + 1, size):
            v = open_units[j]
            if v >= 0 and stamp[v] != i:
                joined[count, 0], joined[count, 1] = u, v
                following[2 * count], first[u] = first[u], 2 * count
                following[2 * count + 1], first[v] = first[v], 2 * count + 1
                count += 1
                remaining[u] -= 1
                remaining[v] -= 1
                open_units[j] = -1
                break
    return count


@compiled
def _join_to_largest(offsets: Ints, neighbours: Ints, turns: Ints, order: Ints, remaining: Ints, joined: Ints) -> int:
    """Join each vertex, in turn, to those of largest remaining demand; return the number of edges.

    `order` ascends by remaining demand. What a vertex misses is put back at the end.
    """
    by_demand = ordered_by_demand(order, remaining)
    n = order.size
    stamp = np.full(n, -1, np.int64)
    missed = np.zeros(n, np.int64)
    count = 0
    for u in turns:
        wanted, before = remaining[u], count
        count = join_to_largest(by_demand, offsets, neighbours, u, n - 1, stamp, joined, count)
        missed[u] = wanted - (count - before)
        for _ in range(wanted):
            lower(by_demand, u)
    remaining[:] = missed
    return count


@compiled
def _exchange(offsets: Ints, neighbours: Ints, remaining: Ints, joined: Ints, count: int, start: int) -> int:
    """Insert and exchange until nothing fits or enough was looked at; return the number of edges."""
    n = remaining.size
    taken_a = np.zeros(n, np.bool_)
    taken_b = np.zeros(n, np.bool_)
    looked = 0
    a, since = 0, 0  # vertices passed since the last success: after n of them nothing fits
    while since < n and looked < _LOOKS:
        found = False
        if remaining[a] > 0:
            _mark(a, offsets, neighbours, joined, count, taken_a)
            for b in range(n):
                if remaining[b] == 0 or (a == b and remaining[a] < 2):
                    continue
                if not taken_a[b]:
                    joined[count, 0], joined[count, 1] = a, b
                    found = True
                else:
                    _mark(b, offsets, neighbours, joined, count, taken_b)
                    looked += n + count
                    for shift in range(count):
                        i = (start + shift) % count
                        u, w = joined[i, 0], joined[i, 1]
                        if taken_a[u] or taken_b[w]:
                            u, w = w, u
                        if taken_a[u] or taken_b[w]:
                            continue
                        joined[i, 0], joined[i, 1] = a, u
                        joined[count, 0], joined[count, 1] = b, w
                        start = i + 1
                        looked -= count - shift
                        found = True
                        break
                if found:
                    count += 1
                    remaining[a] -= 1
                    remaining[b] -= 1
                    break
                if looked >= _LOOKS:
                    break
        if found:
            since = 0
        else:
            a, since = (a + 1) % n, since + 1
    return count


@compiled
def _mark(v: int, offsets: Ints, neighbours: Ints, joined: Ints, count: int, taken: Bools) -> None:
    """Mark v and everything that an edge from v must not go to."""
    taken[:] = False
    taken[v] = True
    for i in range(offsets[v], offsets[v + 1]):
        taken[neighbours[i]] = True
    for i in range(count):
        if joined[i, 0] == v:
            taken[joined[i, 1]] = True
        elif joined[i, 1] == v:
            taken[joined[i, 0]] = True
