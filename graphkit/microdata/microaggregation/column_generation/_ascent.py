"""Feasible duals without a solver: of each record what its nearest must cost it, then as much as groups allow."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.column_generation._prices import Prices, Room, new_room, prices_of
from graphkit.microdata.microaggregation.column_generation._pricing import Surroundings, fair_share, searched


def ascended(around: Surroundings, k: int, effort: int) -> tuple[Floats, int]:
    """Return duals of which no group has more than its SSE, and how many scores were computed.

    Parameters
    ----------
    around : Surroundings
    k : int
    effort : int
        Scores that may be computed; records that are not reached keep a smaller dual.

    Notes
    -----
    The SSE of a group of size s is, for each member, half of the mean of s numbers: its squared distances to the
    members, itself included. They are no less than its smallest distances, so halves of these means are feasible. Then
    the records, those of the largest dual first, are raised by the least that a group with them costs beyond its duals.
    """
    duals = around.near_sums[:, k - 1] / (2 * k)
    prices = prices_of(duals)
    order = np.argsort(-duals, kind="stable")
    n = duals.size
    groups, costs = np.full((n, 2 * k - 1), -1, np.int64), np.zeros(n)
    evaluated = _ascend(around, prices, k, min(2 * k - 1, n), order, effort, new_room(n, k), groups, costs)
    return prices.records, evaluated


@kernel
def _ascend(
    around: Surroundings,
    prices: Prices,
    k: int,
    largest: int,
    order: Ints,
    effort: int,
    room: Room,
    groups: Ints,
    costs: Floats,
) -> int:
    n = order.size
    others = np.empty(n - 1, np.int64)
    # where it does not suffice, a dual is raised by what is proven
    share = fair_share(effort, n, k)
    evaluated = 0
    for root in order:
        if evaluated >= effort:
            break
        count = 0
        for record in range(n):
            if record != root:
                others[count] = record
                count += 1
        bar = _cost_of_nearest(around, prices, root, k)
        for size in range(k, largest + 1):
            _, computed, bound, _ = searched(
                around, prices, root, size, bar, others, False, share, room, groups, costs, 0, 0
            )
            evaluated += computed
            bar = min(bar, bound)
        prices.records[root] += max(0.0, bar)
    return evaluated


@kernel
def _cost_of_nearest(around: Surroundings, prices: Prices, root: int, k: int) -> float:
    """Return the reduced cost of a record with its k − 1 nearest."""
    total, duals = 0.0, float(prices.records[root])
    for i in range(k - 1):
        one = around.near[root, i]
        duals += prices.records[one]
        total += around.squares[root, i]
        for j in range(i):
            total += around.distances[one, around.near[root, j]]
    return total / k - duals
