"""Groups of positions of least cost: before every border, and from every border on.

Positions descend by degree; groups have k to 2k − 1 of them and are raised to the degree of their first. All costs are
convex in the demand, so sorted to sorted is cheapest.
"""

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled

UNREACHABLE = np.int64(1) << 60
"""The cost at borders that no groups end at."""


def borders_of(previous: Ints) -> Ints:
    """Return the borders of the cheapest groups, from 0 to p, following each back to the `previous` one."""
    borders = [previous.size - 1]
    while borders[-1] > 0:
        borders.append(int(previous[borders[-1]]))
    return np.array(borders[::-1], dtype=np.int64)


@compiled
def best_groups(degrees: Ints, k: int, base: int, over: int, knee: int, weight: int, caps: Ints) -> tuple[Ints, Ints]:
    """Return the least cost of the positions before every border, and the border before that in the cheapest groups.

    Groups have k to 2k − 1 positions and are raised to the degree of their first; `degrees` descend. A demand d of
    position v costs ``base·d + over·max(d − knee, 0) − weight·min(d, caps_v)``, and ``(base + weight)·d`` instead where
    the cap is −1.
    """
    size = degrees.size
    best = np.full(size + 1, UNREACHABLE, np.int64)
    previous = np.full(size + 1, -1, np.int64)
    best[0] = 0
    for begin in range(size - k + 1):
        cost = best[begin]
        if cost >= UNREACHABLE:
            continue
        for end in range(begin + 1, min(size, begin + 2 * k - 1) + 1):
            demand = degrees[begin] - degrees[end - 1]
            cap = caps[end - 1]
            cost += base * demand + over * max(demand - knee, 0) - weight * (-demand if cap < 0 else min(demand, cap))
            if end - begin >= k and cost < best[end]:
                best[end] = cost
                previous[end] = begin
    return best, previous


@compiled
def least_before(degrees: Ints, k: int) -> Ints:
    """Return the least sum of demands before every border, shape (p+1,). O(p·k)."""
    return best_groups(degrees, k, 1, 0, 0, 0, degrees)[0]


@compiled
def least_even(degrees: Ints, k: int) -> int:
    """Return the least even sum of demands of groups, each raised to the degree of its first or one more; O(p·k).

    More than one more is of no use to a sum of demands that has to be even.
    """
    best = np.full((degrees.size + 1, 2), UNREACHABLE, np.int64)
    best[0, 0] = 0
    for begin in range(degrees.size - k + 1):
        total = 0
        for end in range(begin + 1, min(degrees.size, begin + 2 * k - 1) + 1):
            total += degrees[begin] - degrees[end - 1]
            if end - begin < k:
                continue
            for odd in range(2):
                for raised in (total, total + end - begin):
                    parity = (odd + raised) % 2
                    best[end, parity] = min(best[end, parity], best[begin, odd] + raised)
    return int(best[degrees.size, 0])


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
