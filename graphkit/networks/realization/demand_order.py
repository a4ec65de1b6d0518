"""Vertices in the order of what they still want, kept while demands are met one by one: compiled loops."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled


class DemandOrder(NamedTuple):
    """Vertices by remaining demand, in buckets: lowering one by one is a swap with the first of its demand."""

    order: Ints
    """The vertices, ascending by remaining demand."""
    place: Ints
    """Where each vertex is in `order`."""
    first: Ints
    """Where each demand begins in `order`."""
    remaining: Ints
    """Demand that is not met."""


@compiled
def ordered_by_demand(order: Ints, remaining: Ints) -> DemandOrder:
    """Return the buckets of vertices that ascend by remaining demand; both arrays change with them."""
    n = order.size
    place = np.empty(n, np.int64)
    first = np.zeros(remaining[order[n - 1]] + 2, np.int64)
    for i in range(n):
        place[order[i]] = i
        first[remaining[i] + 1] += 1
    for x in range(first.size - 1):
        first[x + 1] += first[x]
    return DemandOrder(order, place, first, remaining)


@compiled
def join_to_largest(
    by_demand: DemandOrder, offsets: Ints, neighbours: Ints, u: int, last: int, stamp: Ints, edges: Ints, count: int
) -> int:
    """Join u to vertices of largest demand, from place `last` down, as far as it wants; return the number of edges.

    It is joined to no neighbour: these get its stamp. The demand of u itself is left as it is.
    """
    for i in range(offsets[u], offsets[u + 1]):
        stamp[neighbours[i]] = u
    stamp[u] = u
    first, most, place = count, count + by_demand.remaining[u], last
    while place >= 0 and count < most and by_demand.remaining[by_demand.order[place]] > 0:
        if stamp[by_demand.order[place]] != u:
            edges[count, 0], edges[count, 1] = u, by_demand.order[place]
            count += 1
        place -= 1
    for i in range(first, count):
        lower(by_demand, edges[i, 1])
    return count


@compiled
def lower(by_demand: DemandOrder, v: int) -> None:
    """Lower the remaining demand of a vertex by one."""
    order, place, first, remaining = by_demand
    start = first[remaining[v]]
    other = order[start]
    order[place[v]], order[start] = other, v
    place[other], place[v] = place[v], start
    first[remaining[v]] += 1
    remaining[v] -= 1
