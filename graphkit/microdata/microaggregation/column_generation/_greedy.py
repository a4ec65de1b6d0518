"""Heuristic pricing: from every record a group grows by whoever adds least."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.column_generation._prices import Prices
from graphkit.microdata.microaggregation.column_generation._pricing import Surroundings

_LEAST = 1e-9


def greedy_groups(around: Surroundings, prices: Prices, k: int) -> Ints:
    """Return groups of negative reduced cost, at most one of each record; shape (g, 2k − 1), −1 behind the last member.

    Notes
    -----
    The paper's SolveHeuristicPricing grows disjoint groups of one size; here each record begins one, which may share
    records with others, and is of the size that is best. Bundles are not looked at where there are any: no group then.

    References
    ----------
    Gentile, Spagnolo-Arrizabalaga, Castro, An algorithm for the microaggregation problem using column generation, IASI
    R. 20-02, 2020, section 5.1.
    """
    n = prices.records.size
    groups = np.full((n, 2 * k - 1), -1, np.int64)
    if (prices.bundle_size > 1).any():
        return groups[:0]
    costs = np.zeros(n)
    _grow_all(around.distances, around.near, prices, k, groups, costs)
    return groups[costs < -_LEAST]


@kernel
def _grow_all(distances: Floats, near: Ints, prices: Prices, k: int, groups: Ints, costs: Floats) -> None:
    n, width = near.shape
    sums = np.zeros(width)
    inside = np.zeros(n, np.int64)
    members = np.zeros(2 * k - 1, np.int64)
    for root in range(n):
        members[0] = root
        inside[root] = 1
        sums[:] = 0.0
        taken = np.zeros(width, np.bool_)
        pairs, duals, charged = 0.0, prices.records[root], prices.group
        count = 1
        last = root
        while count < min(2 * k - 1, width + 1):
            best, least = -1, np.inf
            goal = max(k, count + 1)
            for at in range(width):
                if not taken[at]:
                    sums[at] += distances[near[root, at], last]
                    score = sums[at] / goal - prices.records[near[root, at]]
                    if score < least:
                        best, least = at, score
            taken[best] = True
            last = near[root, best]
            members[count] = last
            pairs += sums[best]
            duals += prices.records[last]
            count += 1
            for at in range(prices.starts[last], prices.starts[last + 1]):
                cut = prices.cuts_of[at]
                met = 0
                for t in range(3):
                    met += inside[prices.triples[cut, t]]
                charged += prices.cuts[cut] if met == 1 else 0.0
            inside[last] = 1
            if count >= k:
                cost = pairs / count - duals + charged
                if cost < costs[root]:
                    costs[root] = cost
                    groups[root] = -1
                    groups[root, :count] = members[:count]
        for at in range(count):
            inside[members[at]] = 0
