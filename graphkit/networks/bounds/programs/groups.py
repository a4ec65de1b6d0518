"""Groups and vertices that a sum of demands leaves possible; see :mod:`graphkit.networks.bounds.hub_program`."""

import math
from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.kernels import compiled
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.sequences.group_costs import least_before, least_behind, least_from

# at most so many hubs: the fewer, the fewer groups can hold one of them
_HUBS = (320, 224, 160, 112, 80, 56, 40, 28)
_GROUPS = 25_000
_STEPS = 10_000_000


def numbers_of_hubs(positions: Positions, limits: Sequence[int] | None = None) -> list[int]:
    """Return numbers of hubs up to each limit, where the degrees fall most, as they do behind a near-clique."""
    degrees = positions.degrees
    found: dict[int, None] = {}
    for most in limits or _HUBS:
        most = min(most, positions.core.size)
        candidates = np.arange(max(1, math.ceil(most / math.sqrt(2))), most + 1)
        next_degrees = np.append(degrees, 0)[candidates]
        falls = (degrees[candidates - 1] - next_degrees) / np.maximum(degrees[candidates - 1], 1)
        # of equal ones the last: more hubs
        found[int(candidates[falls.size - 1 - np.argmax(falls[::-1])])] = None
    return list(found)


def choices_of(
    positions: Positions, hubs: int, most: int, followed: tuple[Bools, int] | None = None, limit: int = _GROUPS
) -> tuple[Ints, Ints, Bools] | None:
    """Return levels, groups and places that so many hubs have for sums of demands up to `most`; None for too many.

    Groups that begin early must be among those that the diagram followed.
    """
    core, degrees, k = positions.core, positions.degrees, positions.k
    levels = np.unique(degrees)[::-1]
    groups, complete = followed or (np.zeros((0, 2 * k, levels.size), dtype=np.bool_), 0)
    upper_levels = int(np.searchsorted(-levels, -degrees[hubs - 1], side="right"))
    upper = upper_groups(degrees, levels, k, upper_levels, most, groups, min(complete, hubs), limit)
    # in order of their places
    upper = upper[np.lexsort((upper[:, 1], -upper[:, 2], upper[:, 0]))]
    last = int(upper[:, 1].max(initial=0))
    if not (upper.shape[0] < limit and hubs <= last <= core.size and last * degrees.size * k <= _STEPS):
        return None
    possible = possible_levels(degrees, levels, k, upper_levels, hubs, last, most)
    return levels, upper, possible


@compiled
def upper_groups(
    degrees: Ints, levels: Ints, k: int, number: int, most: int, followed: Bools, complete: int, limit: int
) -> Ints:
    """Return (begin, end, level index) of every group on the first `number` levels that leaves a sum of at most `most`.

    All before a group end no lower than it, which costs the more, the more of them began lower. Groups that begin
    before `complete` must be among those that were `followed`. No more than `limit` are returned.
    """
    after = least_from(degrees, k, 1, 0, 0)
    found = np.empty((limit, 3), np.int64)
    count = 0
    for level in range(number):
        goal = levels[level]
        lifted = np.maximum(degrees, goal)
        lifts = np.cumsum(lifted - degrees)
        size = int(np.searchsorted(lifts, most, side="right"))
        before = least_before(lifted[:size], k)
        for begin in range(size - k + 1):
            if goal >= degrees[begin]:
                cost = before[begin] + (lifts[begin - 1] if begin else 0)
                for end in range(begin + 1, min(degrees.size, begin + 2 * k - 1) + 1):
                    cost += goal - degrees[end - 1]
                    if end - begin < k or cost + after[end] > most:
                        continue
                    if begin < complete and not followed[begin, end - begin, level]:
                        continue
                    if count == limit:
                        return found
                    found[count] = (begin, end, level)
                    count += 1
    return found[:count]


@compiled
def possible_levels(degrees: Ints, levels: Ints, k: int, number: int, hubs: int, last: int, most: int) -> Bools:
    """Return on which of the first `number` levels each of the first `last` positions can end, shape (last, number).

    A vertex that ends on a level costs what it rises, and the others no less than if it had begun there. Behind the
    hubs, who are the only ones that are told apart, all end in order.
    """
    possible = np.zeros((last, number), np.bool_)
    before, after = least_before(degrees, k), least_from(degrees, k, 1, 0, 0)
    for v in range(last):
        if 0 < v < hubs and degrees[v] == degrees[v - 1]:
            possible[v] = possible[v - 1]
            continue
        first = min(v, hubs)
        for level in range(number - 1, -1, -1):
            if levels[level] < degrees[v]:
                continue
            # who began lower takes the next places
            moved = degrees[: v + 2 * k].copy()
            place = first
            while place > 0 and degrees[place - 1] < levels[level]:
                place -= 1
            lifted = np.maximum(degrees[first : v + 1], levels[level])
            rise = (lifted - degrees[first : v + 1]).sum()
            moved[place : place + lifted.size] = lifted
            moved[place + lifted.size : v + 1] = degrees[place:first]
            if rise + _least_moved(moved, k, before, after[: moved.size + 1], place, v) > most:
                break
            possible[v, level] = True
    return possible


@compiled
def _least_moved(degrees: Ints, k: int, before: Ints, after: Ints, first: int, last: int) -> int:
    """Return the least sum of demands where only the positions from `first` to `last` are others than those told of.

    Of any 2k − 1 borders a sequence has one: so of the last ones that are told of before. What no group that begins by
    `last` reaches may be left off the end. O((last − first + k)·k).
    """
    behind, begin = after.copy(), max(0, first - 2 * k + 2)
    for border in range(min(last, degrees.size - k), begin - 1, -1):
        behind[border] = least_behind(degrees, behind, k, border, degrees[border], 1, 0, 0)
    return int((before[begin : first + 1] + behind[begin : first + 1]).min())
