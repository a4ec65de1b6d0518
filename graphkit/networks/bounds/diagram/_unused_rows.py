"""Rows that know what others leave unused of a set of hubs, and of those that end high: whoever they are."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Words
from graphkit.kernels import compiled
from graphkit.networks.bounds._excess import keys_beside
from graphkit.networks.bounds.top_sets.unused import least_sums
from graphkit.words import has


class Others(NamedTuple):
    """Vertices that are not hubs, and the degrees behind the border, as far as they are in the core."""

    joinable: Words
    """Which hubs each can be joined to, as bits, shape (c−h, w)."""
    degrees: Ints
    """Descending, shape (c−h,)."""
    outside: int
    """The highest degree outside the core, −1 where nobody is."""
    behind: Ints
    """Degrees of the positions behind the border, descending, shape (c−b,)."""
    goal: int
    """What the first group there ends on at least."""
    demand: int
    """What all positions there demand at least."""
    k: int


class Ends(NamedTuple):
    """Who may end on which degree, column by column."""

    vertex: Ints
    """Position of each column, ascending, shape (m,)."""
    demand: Ints
    level: Ints
    """The degree."""
    most: Ints
    """The highest one that this may have been before it was lowered."""
    border: int
    """Number of positions."""


class Asked(NamedTuple):
    """A set, and what is expected of others."""

    members: Bools
    """Who is in it in any case, shape (h,)."""
    unused: int
    """Multiplier of partners that are left unused."""
    high: int
    """Hubs that end on this degree or a higher one are in the set as well; 0 for none."""
    expected: Bools
    """But for those, shape (h,)."""
    room: int
    """How many others end so high at most, if all do that are expected to."""
    tilts: Ints
    """What each hub, and last all others, are thought to give more for one more partner: 1 one, −1 what is unused of
    it, 0 nothing for certain; shape (h+1,)."""


@compiled
def partners_of_hubs(joinable: Bools, members: Bools) -> tuple[Ints, int]:
    """Return how many of a set each hub can be joined to, and the sum of that over the set, twice its pairs."""
    partners, pairs = np.zeros(members.size, np.int64), 0
    for v in range(members.size):
        for u in range(members.size):
            partners[v] += members[u] and joinable[v, u]
        pairs += partners[v] * members[v]
    return partners, pairs


@compiled
def _kept(key: int, lowest: int, highest: int, tilt: int, asked: Asked) -> int:
    """Return K of who ends from `lowest` to `highest`, and has `key` for ``D + a``."""
    room, unused = asked.room, asked.unused
    most = key if tilt > 0 else key + room
    least = key + room if tilt < 0 else key
    kept = max(lowest - most, 0) + unused * max(least - highest, 0)
    return kept - unused * room if tilt < 0 else kept


@compiled
def unused_row(ends: Ends, joinable: Bools, others: Others, asked: Asked) -> tuple[Ints, int]:
    """Return the row and the number of a set with what is left unused of it.

    Notes
    -----
    *Statement.* R are the members, and T the hubs outside R and E, those expected, that end on `high` or above. If all
    of E do, T has ``m`` (`room`) at most. Of v, a_v is how many of R it is not adjacent to, x_v how many of T, l_v to
    h_v where it may end; λ the multiplier. σ_v is 1, 0 or −λ where its tilt is 1, 0 or −1, and S_t the sum of σ_v of
    all v outside R that t is not adjacent to. Then

    ``Σ_R (d + λl) + Σ_T (d + λ(l − (n − 1)) − 2a − (1 + max(−σ, 0))(m − 1) − S)
    ≤ 2na(R) + λ·|R|·(n − 1) + Σ_{v not in R, T} (d_v − K_v)``,
    ``K_v`` the least ``φ_v(x) + σ_v·x`` for 0 ≤ x ≤ m, ``φ_v(x) = max(l − D − a − x, 0) + λ·max(D + a + x − h, 0)``.

    *Proof.* R ∪ T is a set as in :class:`~graphkit.networks.bounds.top_sets.unused.Unused`: of what v outside it gives,
    less λ times what v leaves unused of it, no more is left than ``d_v − φ_v(x_v) ≤ d_v − K_v + σ_v·x_v``, and what can
    be left unused is ``Σ_{R ∪ T} (n − 1 − l)``. The σ_v·x_v outside T are Σ_T S less those in T, where x is m − 1 at
    most. New edges inside are no more than ``na(R) + Σ_T a + |T|(m − 1)/2``. ∎

    φ falls by 1 at most for one more, and rises by λ at most; so K is φ(0) with σ = 1, ``φ(m) − λm`` with σ = −λ, and
    with σ = 0 no less than either part of φ at its best x. All are convex in where v ends, so those who are no hubs,
    one tilt for all, cost least in order. If u of E do not end high, u more may be in T than that can bear; it would
    hold if those gave instead, so the most that this makes of a difference is taken off for each of E that is not high.

    Every v outside gives as if it knew who is in T where its tilt is right: 1 where it has more to give than R and T
    can take, −1 where less. That is linear in T, so a fractional one is asked for what it can hardly be given.
    """
    vertex, demand, level, most, border = ends
    members, unused, high, expected, room, tilts = asked
    hubs, number, size = members.size, members.size + others.degrees.size, members.sum()
    partners, pairs = partners_of_hubs(joinable, members)
    # who is no hub is not adjacent to so many of the set exactly
    keys = keys_beside(others.joinable, others.degrees, others.outside, members, 0)
    joining = np.zeros(hubs, np.bool_)
    if high > 0:
        for v in range(hubs):
            joining[v] = not members[v] and not expected[v]
    last = tilts[hubs]
    row, dearest = np.empty(vertex.size, np.int64), 0
    known, tilted = -1, 0
    for x in range(vertex.size):
        v, asks = vertex[x], demand[x]
        if v >= hubs:
            row[x] = _kept(keys[v - hubs], level[x], most[x], last, asked) - asks
        elif members[v]:
            # it leaves fewer the higher it ends
            row[x] = asks + unused * level[x]
        else:
            key = level[x] - asks + partners[v]
            row[x] = _kept(key, level[x], most[x], tilts[v], asked) - asks
            if joining[v] and level[x] >= high:
                if known != v:
                    known, tilted = v, _tilted(v, joinable, others, members, tilts, unused)
                gives = row[x]
                beside = (1 + max(-_slope(tilts[v], unused), 0)) * (room - 1)
                row[x] = asks + unused * (level[x] - number + 1) - 2 * partners[v] - beside - tilted
                dearest = max(dearest, row[x] - gives)
    if dearest > 0:
        for x in range(vertex.size):
            v = vertex[x]
            if v < hubs and expected[v] and level[x] < high:
                row[x] -= dearest
    right = pairs + others.demand + unused * size * (number - 1)
    behind = others.behind
    if behind.size > 0:
        own = keys[border - hubs :]
        goal = max(others.goal, behind[0])
        highest, lowest = own + (room if last <= 0 else 0), own + (room if last < 0 else 0)
        levels = np.arange(behind[-1], max(goal, highest[0]) + 1)
        right -= least_sums(behind, highest, lowest, levels, others.k, 1, unused)[goal - behind[-1]]
        if last < 0:
            right += unused * room * behind.size
    return row, right


@compiled
def _slope(tilt: int, unused: int) -> int:
    """Return σ of a tilt."""
    if tilt == 0:
        return 0
    return 1 if tilt > 0 else -unused


@compiled
def _tilted(v: int, joinable: Bools, others: Others, members: Bools, tilts: Ints, unused: int) -> int:
    """Return S of a hub."""
    total, hubs = 0, members.size
    for u in range(hubs):
        if joinable[v, u] and not members[u]:
            total += _slope(tilts[u], unused)
    last = _slope(tilts[hubs], unused)
    if last != 0:
        for i in range(others.degrees.size):
            total += last * has(others.joinable[i], v)
    return total


@compiled
def best_tilts(ends: Ends, joinable: Bools, values: Floats, asked: Asked) -> Ints:
    """Return the tilts with which a fractional solution violates the row most, hub by hub; those of others as asked."""
    vertex, demand, level, most, _ = ends
    members, _, high, expected, _, _ = asked
    hubs = members.size
    partners, _ = partners_of_hubs(joinable, members)
    # the share of each hub that is high, and how many of these each can be joined to
    share, near = np.zeros(hubs), np.zeros(hubs)
    for x in range(vertex.size):
        v = vertex[x]
        if v < hubs and not members[v] and not expected[v] and level[x] >= high:
            share[v] += values[x]
    for v in range(hubs):
        if share[v] > 1e-7:
            for u in range(hubs):
                if joinable[v, u]:
                    near[u] += share[v]
    sums = np.zeros((3, hubs))
    for x in range(vertex.size):
        v = vertex[x]
        if v < hubs and values[x] > 1e-9:
            key = level[x] - demand[x] + partners[v]
            for tilt in range(-1, 2):
                sums[tilt + 1, v] += values[x] * _kept(key, level[x], most[x], tilt, asked)
    tilts = asked.tilts.copy()
    for v in range(hubs):
        worth = (sums[0, v] + asked.unused * near[v], sums[1, v], sums[2, v] - near[v])
        tilts[v] = 0 if worth[1] >= max(worth[0], worth[2]) else (-1 if worth[0] > worth[2] else 1)
    return tilts
