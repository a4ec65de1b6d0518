"""The least sums of demands of positions in groups, before and from every border."""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.sequences.position_dp import UNREACHABLE, best_groups


@compiled
def least_before(degrees: Ints, k: int) -> Ints:
    """Return the least sum of demands before every border, shape (p+1,). O(p·k)."""
    return best_groups(degrees, k, 1, 0, 0, 0, degrees)[0]


@compiled
def least_from(degrees: Ints, k: int, plain: int, over: int, knee: int) -> Ints:
    """Return the least weighed sum of the positions in groups from every border on, shape (p+1,).

    A demand d weighs ``plain·d + over·max(d − knee, 0)``, which is convex, so sorted to sorted is cheapest. O(p·k).
    """
    after = np.full(degrees.size + 1, UNREACHABLE, np.int64)
    after[degrees.size] = 0
    for begin in range(degrees.size - k, -1, -1):
        after[begin] = least_behind(degrees, after, k, begin, degrees[begin], plain, over, knee)
    return after


@compiled
def least_behind(degrees: Ints, after: Ints, k: int, border: int, goal: int, plain: int, over: int, knee: int) -> int:
    """Return the least weighed sum of the positions from a border on, the first group raised to `goal`.

    `after` has the sums from the borders behind it, as :func:`least_from` returns them for the same weights.
    """
    least, cost = UNREACHABLE, 0
    for end in range(border + 1, min(degrees.size, border + 2 * k - 1) + 1):
        demand = goal - degrees[end - 1]
        cost += plain * demand + over * max(demand - knee, 0)
        if end - border >= k:
            least = min(least, after[end] + cost)
    return int(least)
