"""Sets of hubs that cannot get what they ask, and those that take in whoever ends high."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Words
from graphkit.kernels import compiled
from graphkit.networks.bounds._excess import exceeding, keys_beside, least_exceeding
from graphkit.networks.bounds.top_sets.unused import least_sums
from graphkit.networks.core.fractional_sets import violated_sets
from graphkit.networks.core.high_degree_core import HighDegreeCore

# what a solution violates by less is rounding, or not worth a row
LEAST_EXCESS = 0.05
# a share of a vertex that is none, or all of it
_NONE = 1e-6
_MULTIPLIERS = (1, 2)


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


class Columns(NamedTuple):
    """Who may be on which level, column by column, and what is known of all others."""

    vertex: Ints
    """Position of each column, ascending, shape (m,)."""
    level: Ints
    """Index of its level."""
    demand: Ints
    """What the position demands there."""
    levels: Ints
    """Degrees of the levels, descending, shape (j,)."""
    most: Ints
    """The highest degree that a group on each level may end on in truth, before it was lowered, shape (j,)."""
    places: Ints
    """How many places each has."""
    border: int
    """Number of positions."""
    hubs: int
    """The first of them, which are concrete vertices; those behind stand for any others of no higher degree."""
    core: HighDegreeCore
    """Which hubs can be joined."""
    gifts_behind: Ints
    """What the positions behind the border give to so many vertices at most, shape (border+1,)."""
    others: Others


class HubSet(NamedTuple):
    """A set R of hubs, or a set with those that end high: whoever they are."""

    members: Bools
    """Who is in R in any case, shape (h,)."""
    high: int = 0
    """Those that end on this degree or a higher one are in R as well, but for whom is expected there; 0 for nobody."""
    expected: Bools = np.zeros(0, dtype=np.bool_)
    """Hubs that are expected to end so high, shape (h,); empty where nobody is."""
    unused: int = 0
    """Multiplier of partners in R that others leave unused; 0 with those that end high."""

    @property
    def key(self) -> tuple[bytes, int, bytes, int]:
        """Equal for equal sets."""
        return self.members.tobytes(), self.high, self.expected.tobytes(), self.unused

    @property
    def shortest(self) -> "HubSet":
        """The same set of as few first hubs as have all of it."""
        together = self.members | self.expected if self.high else self.members
        return self.among(int(np.flatnonzero(together)[-1]) + 1 if together.any() else 0) or self

    def among(self, hubs: int) -> "HubSet | None":
        """Return the same set of so many hubs, None where others are in it."""
        if self.members[hubs:].any() or self.expected[hubs:].any():
            return None
        expected = _of_length(self.expected, hubs) if self.high else self.expected
        return HubSet(_of_length(self.members, hubs), self.high, expected, self.unused)


def _of_length(members: Bools, length: int) -> Bools:
    resized = np.zeros(length, dtype=np.bool_)
    known = min(length, members.size)
    resized[:known] = members[:known]
    return resized


def inequality_of(columns: Columns, asking: HubSet) -> tuple[Ints, int]:
    """Return the row a and the number b of ``Σ a_x x ≤ b + s``, which all whole solutions satisfy.

    Parameters
    ----------
    columns : Columns
        The x: who is on which level.
    asking : HubSet
        The set R.

    Returns
    -------
    tuple of ndarray of int64, shape (m,), and int

    Notes
    -----
    With nobody that ends high it is the inequality of R in :mod:`graphkit.networks.bounds.group_tree`.

    *Those that end high.* E are those expected on the high levels, which have P places, and T all others on them but R:
    |T| ≤ P − |E| + u, if u of E are not there. Where u = 0 the inequality of R ∪ T holds; with ``m = P − |E|`` it is
    satisfied if v in T counts as ``d_v − 2a_v − (m − 1)``, as it is not adjacent to a_v of R and at most m − 1 of T,
    and all others give to m more. A position behind the hubs stands for a vertex that demands no less, and is not
    adjacent to all of R at most, so it counts as well. That some of T are no hubs and may have low keys does not
    matter: with the keys K of the positions, which are the highest, the others exceed ``Σ_T (K − key)`` more than in
    truth at most; and as ``K ≤ D + r + m`` in order, ``key = D_v + a_v + m``, that is no more than what T demands
    beyond the positions, plus ``Σ_T (r − a_v)``, both of which are counted twice. Where u > 0 there may be u more in T
    than the inequality can bear; if those gave instead, it would hold. So the most that this makes of a difference is
    taken off for each of E that is not high.

    *Partners that are left unused.* With a multiplier λ, what others give to R is less by λ times the partners in R
    that they leave unused, and more by λ times those that R can leave, ``Σ_R (n − 1 − l)``
    (:class:`~graphkit.networks.bounds.top_sets.unused.Unused`); a group that was lowered to l leaves as many as if it
    ended on the highest degree that it may have had. All vertices must be known one by one.

    Whole solutions lose nothing to this; a fractional one, in which many share the last place of a level, so that no
    concrete set asks for much, violates it.
    """
    vertex, level, demand, levels, most, places, border, _, core, gifts, others = columns
    if asking.unused:
        of_columns = vertex, demand, levels[level], most[level]
        return _with_unused(*of_columns, border, core.joinable, others, asking.members, asking.unused)
    given = vertex, level, demand, levels, places, border, core.joinable, gifts, others
    return _inequality(*given, asking.members, asking.high, asking.expected)


@compiled
def _partners_of_hubs(joinable: Bools, members: Bools) -> tuple[Ints, int]:
    """Return how many of a set each hub can be joined to, and the sum of that over the set, twice its pairs."""
    partners, pairs = np.zeros(members.size, np.int64), 0
    for v in range(members.size):
        for u in range(members.size):
            partners[v] += members[u] and joinable[v, u]
        pairs += partners[v] * members[v]
    return partners, pairs


@compiled
def _inequality(
    vertex: Ints,
    level: Ints,
    demand: Ints,
    levels: Ints,
    places: Ints,
    border: int,
    joinable: Bools,
    gifts: Ints,
    others: Others,
    members: Bools,
    high: int,
    expected: Bools,
) -> tuple[Ints, int]:
    """Return the row and the number of :func:`inequality_of`, whose parameters these are."""
    # partners in R of every position: those behind the hubs stand for any, which may be joined to all of R
    partners, joining = np.full(border, members.sum()), np.ones(border, np.bool_)
    partners[: members.size], pairs = _partners_of_hubs(joinable, members)
    for v in range(members.size):
        joining[v] = not members[v] and not (high > 0 and expected[v])
    most_high = 0
    if high > 0:
        most_high = max(0, min(places[levels >= high].sum() - expected.sum(), joining.sum()))
    keys = keys_beside(others.joinable, others.degrees, others.outside, members, most_high)
    row, most = np.empty(vertex.size, np.int64), 0
    for x in range(vertex.size):
        v, asked = vertex[x], demand[x]
        gives = -min(asked, partners[v] + most_high)
        if v >= members.size:
            gives = -min(-gives, asked - max(levels[level[x]] - keys[v - members.size], 0))
        row[x] = asked if v < members.size and members[v] else gives
        if high > 0 and joining[v] and levels[level[x]] >= high:
            row[x] = asked - 2 * partners[v] - (most_high - 1)
            most = max(most, row[x] - gives)
    if most > 0:
        for x in range(vertex.size):
            v = vertex[x]
            if v < members.size and expected[v] and levels[level[x]] < high:
                row[x] -= most
    most_behind = gifts[members.sum() + most_high]
    if others.behind.size > 0:
        own = keys[border - members.size :]
        is_cut = others.outside >= 0
        after = exceeding(others.behind, own, others.k, is_cut)
        least = least_exceeding(own, after, others.k, 0, others.goal, is_cut or after.size <= others.behind.size)
        most_behind = min(most_behind, others.demand - least)
    return row, pairs + most_behind


@compiled
def _with_unused(
    vertex: Ints,
    demand: Ints,
    level: Ints,
    most: Ints,
    border: int,
    joinable: Bools,
    others: Others,
    members: Bools,
    unused: int,
) -> tuple[Ints, int]:
    """Return the row and the number of :func:`inequality_of` for a set alone, with what is left unused of it.

    `level` and `most` are the degrees of each column: its level, and the highest one that this may have been.
    """
    number, size = members.size + others.degrees.size, members.sum()
    partners, pairs = _partners_of_hubs(joinable, members)
    # who is no hub is not adjacent to so many of R exactly
    keys = keys_beside(others.joinable, others.degrees, others.outside, members, 0)
    row = np.empty(vertex.size, np.int64)
    for x in range(vertex.size):
        v, asked = vertex[x], demand[x]
        if v >= members.size:
            key = keys[v - members.size]
            row[x] = max(level[x] - key, 0) + unused * max(key - most[x], 0) - asked
        elif members[v]:
            # and it leaves fewer the higher it ends
            row[x] = asked + unused * level[x]
        else:
            left = partners[v] - asked - (most[x] - level[x])
            row[x] = unused * max(left, 0) - min(asked, partners[v])
    right = pairs + others.demand + unused * size * (number - 1)
    behind = others.behind
    if behind.size > 0:
        own = keys[border - members.size :]
        goal = max(others.goal, behind[0])
        levels = np.arange(behind[-1], max(goal, own[0]) + 1)
        right -= least_sums(behind, own, own, levels, others.k, 1, unused)[goal - behind[-1]]
    return row, right


def excess_of(columns: Columns, asking: HubSet, values: Floats, slack: float) -> float:
    """Return by how much a fractional solution violates the inequality of a set; parameters as below."""
    row, right = inequality_of(columns, asking)
    return float(row @ values) - right - slack


def violated_hub_sets(columns: Columns, values: Floats, slack: float, serving: Iterable[HubSet]) -> list[HubSet]:
    """Return sets whose inequality a fractional solution violates, as far as a search finds them.

    Parameters
    ----------
    columns : Columns
    values : ndarray of float, shape (m,)
        The share of each position on each level.
    slack : float
    serving : iterable of HubSet
        Sets whose inequality holds with equality.

    Notes
    -----
    First those of :func:`~graphkit.networks.core.fractional_sets.violated_sets`, where all vertices are known also with
    what others leave of these unused, and of those that serve; then, for the levels from each one up that hubs are on
    in part, all these sets and those that serve, with whoever is so high in part.
    """
    found = violated_sets(columns.core.joinable, *_demanded(columns, values, slack))
    starts = [*(asking.members for asking in serving), *found]
    sets = [HubSet(members) for members in found]
    if columns.others.outside < 0:
        for members in {one.tobytes(): one for one in starts if one.any()}.values():
            sets += _with_multiplier(columns, values, slack, members)
    return [*sets, *_with_those_high(columns, values, slack, starts)]


def _with_multiplier(columns: Columns, values: Floats, slack: float, members: Bools) -> list[HubSet]:
    """Return a set with the multiplier that makes it violated most, if one does more than none."""
    best, most = HubSet(members), excess_of(columns, HubSet(members), values, slack)
    for unused in _MULTIPLIERS:
        asking = HubSet(members, unused=unused)
        excess = excess_of(columns, asking, values, slack)
        if excess <= most:
            break
        best, most = asking, excess
    return [best] if best.unused and most > LEAST_EXCESS else []


def _with_those_high(columns: Columns, values: Floats, slack: float, starts: Sequence[Bools]) -> list[HubSet]:
    """Return the most violated set for the levels from each one up."""
    of_hubs = int(np.searchsorted(columns.vertex, columns.hubs))
    shares = np.zeros((columns.hubs, columns.levels.size))
    shares[columns.vertex[:of_hubs], columns.level[:of_hubs]] = values[:of_hubs]
    found = []
    for degree, share in zip(columns.levels[:-1].tolist(), np.cumsum(shares, axis=1).T, strict=False):
        high, low = share > 1 - _NONE, share < _NONE
        if (high | low).all():
            continue
        best, most = None, LEAST_EXCESS
        certain = (members & (high | low) for members in (*starts, high))
        for members in {one.tobytes(): one for one in certain}.values():
            asking = HubSet(members, degree, high)
            excess = excess_of(columns, asking, values, slack)
            if excess > most:
                best, most = asking, excess
        if best is not None:
            found.append(best)
    return found


def _demanded(columns: Columns, values: Floats, slack: float) -> tuple[Floats, Floats, Floats]:
    """Return what a solution demands of every hub, what each gives, and what all others do.

    Shapes (h,), (h, h+1) and (h+1,), the last two by the number of those that it is given to.
    """
    hubs = columns.hubs
    used = np.flatnonzero(values > 1e-7)
    vertex, demand, share = columns.vertex[used], columns.demand[used], values[used]
    gifts = share[:, None] * np.minimum(demand[:, None], np.arange(hubs + 1)[None, :])
    # every position is on some level
    given = np.add.reduceat(gifts, np.searchsorted(vertex, np.arange(columns.border)))
    asked = np.bincount(vertex, weights=share * demand, minlength=columns.border).astype(np.float64)
    others: Floats = given[hubs:].sum(axis=0) + columns.gifts_behind[: hubs + 1] + slack
    return asked[:hubs], given[:hubs], others
