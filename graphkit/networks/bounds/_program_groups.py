"""Groups and vertices that a sum of demands leaves possible; see :mod:`graphkit.networks.bounds.hub_program`."""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.kernels import compiled
from graphkit.networks.bounds._group_costs import UNREACHABLE, group_costs


@compiled
def upper_groups(
    degrees: Ints, levels: Ints, k: int, number: int, most: int, followed: Bools, complete: int, limit: int
) -> Ints:
    """Return (begin, end, level index) of every group on the first `number` levels that leaves a sum of at most `most`.

    Groups that begin before `complete` must be among those that were `followed`. No more than `limit` are returned.
    """
    before, after, prefix = group_costs(degrees, k)
    found = np.empty((limit, 3), np.int64)
    count = 0
    for begin in range(degrees.size - k + 1):
        for level in range(number - 1, -1, -1):
            goal = levels[level]
            if goal < degrees[begin]:
                continue
            possible = False
            for end in range(begin + k, min(degrees.size, begin + 2 * k - 1) + 1):
                cost = (end - begin) * goal - prefix[end] + prefix[begin]
                if before[begin] + cost + after[end] > most:
                    continue
                possible = True
                if begin < complete and not followed[begin, end - begin, level]:
                    continue
                if count == limit:
                    return found
                found[count] = (begin, end, level)
                count += 1
            if not possible:
                # the higher, the dearer
                break
    return found[:count]


@compiled
def least_from(degrees: Ints, k: int, size: int, last: int) -> Ints:
    """Return the least ``Σ max(d − size, 0)`` of the positions from every border on, up to the border `last`.

    With a size of 0 that is the least sum of demands. O(p·k).
    """
    after = np.full(degrees.size + 1, UNREACHABLE, np.int64)
    after[degrees.size] = 0
    for begin in range(degrees.size - k, -1, -1):
        cost = 0
        for end in range(begin + 1, min(degrees.size, begin + 2 * k - 1) + 1):
            cost += max(degrees[begin] - degrees[end - 1] - size, 0)
            if end - begin >= k:
                after[begin] = min(after[begin], after[end] + cost)
    return after[: last + 1]


@compiled
def possible_levels(degrees: Ints, levels: Ints, k: int, number: int, last: int, most: int) -> Bools:
    """Return on which of the first `number` levels each of the first `last` positions can end, shape (last, number).

    A vertex that ends on a level costs what it rises, and the others no less than if it had begun there.
    """
    possible = np.zeros((last, number), np.bool_)
    for v in range(last):
        if v > 0 and degrees[v] == degrees[v - 1]:
            possible[v] = possible[v - 1]
            continue
        for level in range(number - 1, -1, -1):
            rise = levels[level] - degrees[v]
            if rise < 0:
                continue
            moved = degrees.copy()
            place = v
            while place > 0 and moved[place - 1] < levels[level]:
                moved[place] = moved[place - 1]
                place -= 1
            moved[place] = levels[level]
            if rise + group_costs(moved, k)[0][degrees.size] > most:
                break
            possible[v, level] = True
    return possible
