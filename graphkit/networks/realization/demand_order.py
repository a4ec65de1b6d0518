"""Vertices in the order of what they still want, kept while demands are met one by one: compiled loops."""

from __future__ import annotations

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
def pick_largest(by_demand: DemandOrder, last: int, wanted: int, stamp: Ints, excluded: int, picks: Ints) -> int:
    """Write up to `wanted` vertices of largest demand, from place `last` down, and return how many were found.

    Vertices with the stamp `excluded` are passed over, and those without demand are not reached.
    """
    found = 0
    i = last
    while i >= 0 and found < wanted and by_demand.remaining[by_demand.order[i]] > 0:
        if stamp[by_demand.order[i]] != excluded:
            picks[found] = by_demand.order[i]
            found += 1
        i -= 1
    return found


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
