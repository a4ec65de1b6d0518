"""Changes at random of which vertices end at which degree: one vertex, or one level."""

import numpy as np

from graphkit.arrays import Words
from graphkit.kernels import in_place
from graphkit.networks.methods._levels import Levels, next_level, set_level, top_degree

_CHAIN = 8


@in_place
def draw(random: Words, n: int) -> int:
    """Return a random number from 0 to n − 1 < 2³² and advance the state (splitmix64)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return int(np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)))


@in_place
def reassign(state: Levels, k: int, random: Words, v: int) -> bool:
    """Let v end at another level, and others fill up what it leaves; return whether every level has k then."""
    left = state.levels[v]
    level = _other_level(state, random, v)
    if level == left:
        return False
    if level < state.degrees[v]:
        if state.degrees[v] >= left or state.sizes[level] != state.inside[level]:
            return False
        level = _raised(state, level, state.degrees[v])
    set_level(state, v, level)
    if not _filled(state, k, random, v, left):
        return False
    # a group whose highest vertex has left may end lower
    if state.sizes[left] > 0 and state.sizes[left] == state.inside[left] and draw(random, 2) == 0:
        _raised(state, left, top_degree(state, left))
    return True


@in_place
def shift(state: Levels, k: int, random: Words, v: int) -> bool:
    """Raise or lower the level of v by a few degrees, or as far down as its vertices let it."""
    level = state.levels[v]
    if state.sizes[level] != state.inside[level]:
        return False
    least = top_degree(state, level)
    kind = draw(random, 5)
    step = 1 + (draw(random, 4) if kind >= 3 else 0)
    goal = least if kind == 0 else level + (step if kind % 2 else -step)
    if goal < least or goal == level or goal >= state.sizes.size:
        return False
    _raised(state, level, goal)
    return True


@in_place
def _other_level(state: Levels, random: Words, v: int) -> int:
    """Return a level up to three above or below that of v, or that of any vertex."""
    level = state.levels[v]
    if draw(random, 8) >= 5:
        return int(state.levels[draw(random, state.place.size)])
    steps, upwards = 1 + draw(random, 3), draw(random, 2) == 0
    for _ in range(steps):
        other = next_level(state, level, 1 if upwards else -1)
        if other < 0:
            break
        level = other
    return int(level)


@in_place
def _raised(state: Levels, level: int, goal: int) -> int:
    """Let all vertices of a level end at another one; return that."""
    if goal != level:
        while state.inside[level] > 0:
            set_level(state, state.members[level, state.inside[level] - 1], goal)
    return goal


@in_place
def _filled(state: Levels, k: int, random: Words, v: int, left: int) -> bool:
    """Let others take the place of v in the level that it left, and so on; return whether every level has k then."""
    hole, came = left, state.levels[v]
    for _ in range(_CHAIN):
        if state.sizes[hole] == 0 or state.sizes[hole] >= k:
            return True
        kind = draw(random, 4)
        if kind == 0:
            source = came
        elif kind == 1:
            source = came if state.sizes[came] > k else state.levels[draw(random, state.place.size)]
        else:
            source = next_level(state, hole, -1 if kind == 2 else 1)
        if source < 0 or source == hole or state.inside[source] == 0:
            continue
        for _ in range(4):
            u = state.members[source, draw(random, state.inside[source])]
            if u != v and state.degrees[u] <= hole:
                set_level(state, u, hole)
                hole = source
                break
    return bool(state.sizes[hole] == 0 or state.sizes[hole] >= k)
