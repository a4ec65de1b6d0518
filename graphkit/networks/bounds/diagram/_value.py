"""What a label proves: the best of the sets R above its border; see :mod:`graphkit.networks.bounds.group_diagram`."""

from typing import Any, NamedTuple

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.kernels import compiled
from graphkit.networks.bounds.diagram._bits import WORDS, common
from graphkit.networks.bounds.diagram._rest import PARTS
from graphkit.words import has, put

_LOOSE_TRIALS = 12
_LOOKED_AT = 80
# near the top more is tried
_ANEW = 48


class Cut(NamedTuple):
    """A border, the degree behind it, and what that says of the positions."""

    border: int
    """Number of places above it."""
    forced: int
    """Positions that are above it for certain."""
    top: int
    """Highest degree that one of the other positions above it can end at."""
    degrees: Ints
    """Degrees of all positions, descending, shape (p,)."""
    rows: Words
    """Positions that a core position can be joined to, as sets, shape (c, 2)."""
    rest: Ints
    """What the positions behind it cost at least, by multiplier and size of R."""


@compiled
def best_value(label: Any, cut: Cut, enough: int) -> int:
    """Return four times the best lower bound on all demands that was found, and keep the set in the label.

    The search begins at the set that served the parent and, near the top and where that is not `enough`, at all with a
    demand.
    """
    members = np.zeros(WORDS, np.uint64)
    for v in range(cut.forced):
        put(members, v, has(label.members, v))
    best = _local_search(label, cut, members, enough)
    if best < enough and cut.border <= _ANEW:
        asking = np.zeros(WORDS, np.uint64)
        for v in range(cut.forced):
            put(asking, v, label.most[v] > 0)
        other = _local_search(label, cut, asking, enough)
        if other > best:
            best = other
            members[:] = asking
    label.members[:] = members
    return best


@compiled
def _local_search(label: Any, cut: Cut, members: Words, enough: int) -> int:
    """Change R by single vertices as long as that helps and the value is not `enough`; return the value."""
    border, forced, rows = cut.border, cut.forced, cut.rows
    near = np.zeros(border, np.int64)
    size = common(members, members)
    best = _value(label, cut, members, near, size)
    for _ in range(2 * forced):
        if best >= enough:
            return best
        change = _best_change(label, cut, members, near, size)
        if change < 0:
            break
        step = -1 if has(members, change) else 1
        size += step
        put(members, change, step > 0)
        for v in range(border):
            if has(rows[v], change):
                near[v] += step
        if border <= _ANEW:
            best = max(best, _value(label, cut, members, near, size))
    if border > _ANEW:
        best = max(best, _value(label, cut, members, near, size))
    # what vertices that can rise cost is not in the gain: those few are tried one by one
    trials = 0
    for u in range(forced):
        if best >= enough:
            return best
        entry = 2 * near[u] - label.least[u] - min(label.most[u], near[u])
        if has(members, u) or entry >= 2 * label.rise[u]:
            continue
        put(members, u, True)
        value = _value(label, cut, members, near, size + 1)
        if value >= best:
            best, size = value, size + 1
        else:
            put(members, u, False)
        trials += 1
        if trials == _LOOSE_TRIALS:
            break
    return best


@compiled
def _best_change(label: Any, cut: Cut, members: Words, near: Ints, size: int) -> int:
    """Return the vertex whose change raises the value most, as far as that is linear, or −1."""
    forced, rows, rest = cut.forced, cut.rows, cut.rest
    places = cut.border - forced
    # others whose demand one member less would cut, or one more would serve
    bound = np.zeros(WORDS, np.uint64)
    served = np.zeros(WORDS, np.uint64)
    for v in range(forced):
        if not has(members, v):
            put(bound, v, label.most[v] >= near[v] + places)
            put(served, v, label.most[v] > near[v] + places)
    best, change = 0, -1
    last = rest.shape[1] - 1
    for u in range(forced):
        gain = 2 * near[u] - label.least[u] - min(label.most[u], near[u] + places)
        if has(members, u):
            step = -1
            gain += common(rows[u], bound)
        else:
            step = 1
            gain = -gain - common(rows[u], served)
        value = PARTS * gain
        if size <= last and size + step <= last:
            value += rest[PARTS, size + step] - rest[PARTS, size]
        if value > best:
            best, change = value, u
    return change


@compiled
def _value(label: Any, cut: Cut, members: Words, near: Ints, size: int) -> int:
    """Return four times the lower bound that R proves; write how many of R every position can be joined to."""
    border, forced, rows, rest = cut.border, cut.forced, cut.rows, cut.rest
    places = border - forced
    taken = 0
    risers = np.zeros(WORDS, np.uint64)
    for v in range(border):
        near[v] = common(rows[v], members)
        taken += label.open[v]
        if v < forced and label.rise[v] > 0 and not has(members, v):
            put(risers, v, True)
    rising = min(taken, common(risers, risers))
    partners = np.empty(border, np.int64)
    inside, given, asked_out, asked_in = 0, 0, 0, 0
    for v in range(border):
        partners[v] = near[v] + places
        if rising > 0:
            partners[v] += min(rising, common(rows[v], risers))
        if v >= forced:
            asked_in += label.least[v]
        elif has(members, v):
            asked_in += label.least[v]
            inside += near[v]
        else:
            asked_out += label.most[v]
            given += min(label.most[v], partners[v])
    base = max(label.cost - asked_out, asked_in) - inside - given
    best = PARTS * label.cost + rest[0, 0]
    bounded = size + places + rising
    # each vertex that ends above its group by itself, or all of them by the places that they cross
    single, all_steps = 0, 0
    if taken > 0:
        single, all_steps = _rising(label, cut, members, partners)
    last = cut.degrees[border - 1] + label.most[border - 1]
    for jointly in (False, True):
        if jointly and taken == 0:
            break
        reached = last if jointly else cut.top
        twice, once = _open_places(cut, reached, members, size, rising)
        lost = base - (all_steps if jointly else single)
        best = max(best, PARTS * (label.cost + lost - twice))
        if bounded < rest.shape[1]:
            for part in range(1, PARTS + 1):
                best = max(best, PARTS * label.cost + part * (lost - once) + rest[part, bounded])
    return int(best)


@compiled
def _rising(label: Any, cut: Cut, members: Words, partners: Ints) -> tuple[int, int]:
    """Return what vertices outside R can cost by ending above their groups: one by one, and all by the places."""
    border, forced = cut.border, cut.forced
    total, all_steps = 0, 0
    costs = np.empty(border, np.int64)
    begin = 0
    while begin < border:
        end = begin + 1
        while end < border and label.start[end] == begin:
            end += 1
        if label.open[begin] > 0:
            # who comes down is outside R as well: the demands outside R do not grow
            balanced = label.tied[begin] >= 0
            if balanced:
                for v in range(label.tied[begin], begin):
                    if v >= forced or has(members, v):
                        balanced = False
            all_steps += label.open[begin] * label.step[begin] * (1 if balanced else 2)
            number = 0
            for v in range(begin, min(end, forced)):
                if not has(members, v):
                    more = min(label.most[v] + label.rise[v], partners[v]) - min(label.most[v], partners[v])
                    costs[number] = min(2 * partners[v], more + (0 if balanced else label.rise[v]))
                    number += 1
            if number > 0:
                worst = np.sort(costs[:number])
                for i in range(min(label.open[begin], number)):
                    total += worst[number - 1 - i]
        begin = end
    return int(total), int(all_steps)


@compiled
def _open_places(cut: Cut, top: int, members: Words, size: int, rising: int) -> tuple[int, int]:
    """Return what the vertices at the open places can cost at most, with their degrees counted twice and once."""
    border, forced, degrees, rows = cut.border, cut.forced, cut.degrees, cut.rows
    places = border - forced
    if places == 0:
        return 0, 0
    number = min(rows.shape[0], border + _LOOKED_AT)
    twice = np.empty(number - forced + places, np.int64)
    once = np.empty(number - forced + places, np.int64)
    for v in range(forced, number):
        cost = _place(common(rows[v], members), top - degrees[v], places, rising)
        once[v - forced] = cost + degrees[v]
        twice[v - forced] = cost + 2 * degrees[v]
    # those that are not looked at one by one may be joined to all of R
    beyond = degrees[number] if number < degrees.size else -(1 << 40)
    cost = _place(size, top - beyond, places, rising) if number < degrees.size else 0
    for i in range(places):
        once[number - forced + i] = cost + beyond
        twice[number - forced + i] = cost + 2 * beyond
    once.sort()
    twice.sort()
    sum_once, sum_twice = 0, 0
    for i in range(places):
        sum_once += once[once.size - 1 - i] - degrees[forced + i]
        sum_twice += twice[twice.size - 1 - i] - 2 * degrees[forced + i]
    return int(sum_twice), int(sum_once)


@compiled
def _place(met: int, demand: int, places: int, rising: int) -> int:
    """Return what a vertex at an open place costs: as one of R, or as another one, whichever is less."""
    return int(min(2 * met + places - 1, demand + min(demand, met + places - 1 + rising)))
