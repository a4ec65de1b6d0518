"""Final degrees of the highest vertices, changed one by one, and what many violated sets are violated by then.

There are hundreds of sets, and most changes are taken back: so the sets are looked at where a trial is complete.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.kernels import in_place
from graphkit.networks.core.violated_sets import ViolatedSet
from graphkit.words import next_in, previous_in, put, words_of

_HEADROOM = 64
"""Levels above the highest one that groups may be raised to."""


class Levels(NamedTuple):
    """Which position ends at which degree; a level is a degree that positions end at."""

    degrees: Ints
    """Degrees of all positions, descending, shape (p,)."""
    levels: Ints
    """Final degree of every position, shape (p,). Only those of the first w positions change."""
    sizes: Ints
    """Positions of each level."""
    occupied: Words
    """Which levels positions end at, a bit each."""
    inside: Ints
    """Those of them that are among the first w."""
    members: Ints
    """The first `inside` entries of a row are those positions; one row a level, shape (levels, w)."""
    place: Ints
    """Where a position stands in its row, shape (w,)."""
    caps: Ints
    """What a position gives each violated set at most, −1 for a member, shape (p, number of violated sets)."""
    excess: Ints
    """By how much each violated set is violated, apart from what is logged."""
    tried: Ints
    """The same with all that is logged, after :func:`try_out`."""
    kept: Ints
    """How many violated sets there are, the first of those that there is room for; one element."""
    total: Ints
    """Sum of all demands; one element."""
    order: Ints
    """Room for positions, shape (w,)."""
    costs: Ints
    """Room for what the groups from each place of `order` on cost, shape (w + 1,)."""
    ends: Ints
    """Room for where the group that begins at a place of `order` ends, shape (w + 1,)."""
    log: Ints
    """Positions, and the levels that they left and came to, of the changes that can be taken back."""
    logged: Ints
    """How many of those; one element."""


def new_levels(
    degrees: Ints, demands: Ints, window: int, violated_sets: Sequence[ViolatedSet], room: int | None = None
) -> Levels:
    """Return the state in which the first `window` positions may change, with room for so many violated sets."""
    levels = degrees + demands
    size = int(levels.max()) + _HEADROOM
    inside = np.bincount(levels[:window], minlength=size)
    members = np.zeros((size, window), dtype=np.int64)
    place = np.empty(window, dtype=np.int64)
    order = np.argsort(levels[:window], kind="stable")
    place[order] = np.arange(window) - np.repeat(np.cumsum(inside) - inside, inside)
    members[levels[:window], place] = np.arange(window)
    columns = len(violated_sets) if room is None else room
    state = Levels(
        degrees=degrees,
        levels=levels,
        sizes=np.bincount(levels, minlength=size),
        occupied=words_of(levels, size),
        inside=inside,
        members=members,
        place=place,
        caps=np.zeros((degrees.size, columns), dtype=np.int64),
        excess=np.zeros(columns, dtype=np.int64),
        tried=np.zeros(columns, dtype=np.int64),
        kept=np.zeros(1, dtype=np.int64),
        total=np.array([demands.sum()]),
        order=np.empty(window, dtype=np.int64),
        costs=np.empty(window + 1, dtype=np.int64),
        ends=np.empty(window + 1, dtype=np.int64),
        # a trial changes no position more than twice, apart from the few of a chain
        log=np.empty((2 * window + _HEADROOM, 3), dtype=np.int64),
        logged=np.zeros(1, dtype=np.int64),
    )
    for i, violated_set in enumerate(violated_sets):
        put_violated_set(state, i, violated_set)
    return state


def put_violated_set(state: Levels, i: int, violated_set: ViolatedSet) -> None:
    """Keep a violated set in a place, instead of what was there, or after all others."""
    state.kept[0] = max(state.kept[0], i + 1)
    state.caps[:, i] = violated_set.caps(state.degrees.size)
    state.excess[i] = violated_set.excess_with(state.levels - state.degrees)


@in_place
def set_level(state: Levels, v: int, level: int) -> None:
    """Let a position end at another level."""
    old = state.levels[v]
    if old == level:
        return
    state.log[state.logged[0], 0] = v
    state.log[state.logged[0], 1] = old
    state.log[state.logged[0], 2] = level
    state.logged[0] += 1
    _move(state, v, level)


@in_place
def take_back(state: Levels) -> None:
    """Undo all that is logged."""
    for i in range(state.logged[0] - 1, -1, -1):
        _move(state, state.log[i, 0], state.log[i, 1])
    state.logged[0] = 0


@in_place
def try_out(state: Levels) -> None:
    """Find out by how much each violated set is violated with all that is logged."""
    kept, excess, tried = state.kept[0], state.excess, state.tried
    for i in range(kept):
        tried[i] = excess[i]
    for change in range(state.logged[0]):
        v = state.log[change, 0]
        before, after = state.log[change, 1] - state.degrees[v], state.log[change, 2] - state.degrees[v]
        caps = state.caps[v]
        for i in range(kept):
            cap = caps[i]
            tried[i] += after - before if cap < 0 else min(before, cap) - min(after, cap)


@in_place
def keep(state: Levels) -> None:
    """Let what was tried out stand."""
    excess, tried = state.excess, state.tried
    for i in range(state.kept[0]):
        excess[i] = tried[i]
    state.logged[0] = 0


@in_place
def _move(state: Levels, v: int, level: int) -> None:
    old = state.levels[v]
    state.total[0] += level - old
    state.inside[old] -= 1
    last = state.members[old, state.inside[old]]
    state.members[old, state.place[v]] = last
    state.place[last] = state.place[v]
    state.members[level, state.inside[level]] = v
    state.place[v] = state.inside[level]
    state.inside[level] += 1
    state.sizes[old] -= 1
    state.sizes[level] += 1
    put(state.occupied, old, state.sizes[old] > 0)
    put(state.occupied, level, True)
    state.levels[v] = level


@in_place
def worst_of(excess: Ints, kept: int) -> int:
    """Return the largest excess of the first sets, 0 where none is violated."""
    worst = np.int64(0)
    for i in range(kept):
        worst = max(worst, excess[i])
    return int(worst)


@in_place
def next_level(state: Levels, level: int, step: int) -> int:
    """Return the next level above (a step of 1) or below (−1), −1 where there is none."""
    return next_in(state.occupied, level) if step > 0 else previous_in(state.occupied, level)


@in_place
def top_degree(state: Levels, level: int) -> int:
    """Return the highest degree of the positions of a level that may change."""
    first = state.degrees.size
    for i in range(state.inside[level]):
        first = min(first, state.members[level, i])
    return int(state.degrees[first])
