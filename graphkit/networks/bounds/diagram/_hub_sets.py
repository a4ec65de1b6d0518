"""Sets of hubs that cannot get what they ask, and those that take in whoever ends high."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import compiled
from graphkit.networks.bounds._excess import exceeding, keys_beside, least_exceeding
from graphkit.networks.bounds.diagram._unused_rows import Asked, Ends, Others, best_tilts, partners_of_hubs, unused_row
from graphkit.networks.core.fractional_sets import violated_sets
from graphkit.networks.core.high_degree_core import HighDegreeCore

# what a solution violates by less is rounding, or not worth a row
LEAST_EXCESS = 0.05
# a share of a vertex that is none, or all of it
_NONE = 1e-6
_MULTIPLIERS = (1, 2, 3, 4, 6)


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


SetKey = tuple[bytes, int, bytes, int, bytes]
"""Equal for equal sets."""


class HubSet(NamedTuple):
    """A set R of hubs, or a set with those that end high: whoever they are."""

    members: Bools
    """Who is in R in any case, shape (h,)."""
    high: int = 0
    """Those that end on this degree or a higher one are in R as well, but for whom is expected there; 0 for nobody."""
    expected: Bools = np.zeros(0, dtype=np.bool_)
    """Hubs that are expected to end so high, shape (h,); empty where nobody is."""
    unused: int = 0
    """Multiplier of partners in R that others leave unused."""
    tilts: Ints = np.zeros(0, dtype=np.int64)
    """What hubs, and last all others, are thought to give more for one more partner that ends high, shape (h+1,);
    empty where nobody ends high, or nothing is known of that."""

    @property
    def key(self) -> SetKey:
        """Equal for equal sets."""
        return self.members.tobytes(), self.high, self.expected.tobytes(), self.unused, self.tilts.tobytes()

    @property
    def shortest(self) -> "HubSet":
        """The same set of as few first hubs as have all of it."""
        if self.tilts.size:
            return self
        together = self.members | self.expected if self.high else self.members
        return self.among(int(np.flatnonzero(together)[-1]) + 1 if together.any() else 0) or self

    def among(self, hubs: int) -> "HubSet | None":
        """Return the same set of so many hubs, None where others are in it."""
        if self.members[hubs:].any() or self.expected[hubs:].any():
            return None
        expected = _of_length(self.expected, hubs) if self.high else self.expected
        tilts = self.tilts
        if tilts.size:
            # who is no hub any more is one of the others, and who is a new one was
            own = np.full(hubs + 1, tilts[-1])
            known = min(hubs, tilts.size - 1)
            own[:known] = tilts[:known]
            tilts = own
        return HubSet(_of_length(self.members, hubs), self.high, expected, self.unused, tilts)


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

    *Partners that are left unused.* What others give to R is less by λ times the partners in R that they leave unused,
    and more by λ times those that R can leave; see :func:`~graphkit.networks.bounds.diagram._unused_rows.unused_row`,
    also for R with those that end high. All vertices must be known one by one.

    Whole solutions lose nothing to this; a fractional one, in which many share the last place of a level, so that no
    concrete set asks for much, violates it.
    """
    vertex, level, demand, levels, _, places, border, _, core, gifts, others = columns
    if asking.unused or asking.tilts.size:
        return unused_row(_ends(columns), core.joinable, others, _asked(columns, asking))
    given = vertex, level, demand, levels, places, border, core.joinable, gifts, others
    return _inequality(*given, asking.members, asking.high, asking.expected)


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
    partners[: members.size], pairs = partners_of_hubs(joinable, members)
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


def _ends(columns: Columns) -> Ends:
    return Ends(
        columns.vertex,
        columns.demand,
        columns.levels[columns.level],
        columns.most[columns.level],
        columns.border,
    )


def _asked(columns: Columns, asking: HubSet) -> Asked:
    hubs, room = columns.hubs, 0
    expected, tilts = asking.expected, asking.tilts
    if asking.high:
        joining = hubs - int((asking.members | expected).sum())
        room = max(0, min(int(columns.places[columns.levels >= asking.high].sum() - expected.sum()), joining))
    else:
        expected = np.zeros(hubs, dtype=np.bool_)
    if not tilts.size:
        tilts = np.zeros(hubs + 1, dtype=np.int64)
    return Asked(asking.members, asking.unused, asking.high, expected, room, tilts)


def excess_of(columns: Columns, asking: HubSet, values: Floats, slack: float) -> float:
    """Return by how much a fractional solution violates the inequality of a set; parameters as below."""
    row, right = inequality_of(columns, asking)
    return float(row @ values) - right - slack


def violated_hub_sets(
    columns: Columns, values: Floats, slack: float, serving: Iterable[HubSet]
) -> tuple[list[HubSet], int]:
    """Return sets whose inequality a fractional solution violates, as far as a search finds them, and how many looks at
    partners that are left unused it took.

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
    in part, all these sets and those that serve, with whoever is so high in part; and where all are known, those that
    are so high for certain and whoever else is, with what others leave of them unused.
    """
    found = violated_sets(columns.core.joinable, *_demanded(columns, values, slack))
    starts = [*(asking.members for asking in serving), *found]
    sets, looks = [HubSet(members) for members in found], 0
    if columns.others.outside < 0:
        for members in {one.tobytes(): one for one in starts if one.any()}.values():
            asking, took = _with_multiplier(columns, values, slack, HubSet(members))
            sets, looks = sets + asking, looks + took
    for degree, high, low in _partly_high(columns, values):
        sets += _with_those_high(columns, values, slack, starts, degree, high, low)
        if columns.others.outside < 0:
            others = np.append(np.zeros(columns.hubs, dtype=np.int64), 1)
            asking, took = _with_multiplier(columns, values, slack, HubSet(high, degree, high, tilts=others))
            sets, looks = sets + asking, looks + took
    return sets, looks


def _with_multiplier(columns: Columns, values: Floats, slack: float, asking: HubSet) -> tuple[list[HubSet], int]:
    """Return a set with the multiplier that makes it violated most, if one does, and the number of looks.

    With those that end high tilts are chosen for each multiplier. A set alone is better off without one where none
    makes it violated more.
    """
    best, most, looks = asking, 0.0 if asking.high else excess_of(columns, asking, values, slack), 0
    ends = _ends(columns)
    for unused in _MULTIPLIERS:
        one = asking._replace(unused=unused)
        if one.high:
            one = one._replace(tilts=best_tilts(ends, columns.core.joinable, values, _asked(columns, one)))
        # entries are larger with a larger one, so what they are violated by counts for less
        excess = excess_of(columns, one, values, slack) / float(np.sqrt(1 + unused))
        looks += 1
        if excess <= most:
            break
        best, most = one, excess
    return [best] if best.unused and most > LEAST_EXCESS else [], looks


def _partly_high(columns: Columns, values: Floats) -> Iterator[tuple[int, Bools, Bools]]:
    """Yield degrees that some hubs end on, or above, in part only; who ends so high for certain, and who does not."""
    of_hubs = int(np.searchsorted(columns.vertex, columns.hubs))
    shares = np.zeros((columns.hubs, columns.levels.size))
    shares[columns.vertex[:of_hubs], columns.level[:of_hubs]] = values[:of_hubs]
    for degree, share in zip(columns.levels[:-1].tolist(), np.cumsum(shares, axis=1).T, strict=False):
        high, low = share > 1 - _NONE, share < _NONE
        if not (high | low).all():
            yield degree, high, low


def _with_those_high(
    columns: Columns, values: Floats, slack: float, starts: Sequence[Bools], degree: int, high: Bools, low: Bools
) -> list[HubSet]:
    """Return the most violated set with all that end on a degree or above, if there is one."""
    best, most = None, LEAST_EXCESS
    certain = (members & (high | low) for members in (*starts, high))
    for members in {one.tobytes(): one for one in certain}.values():
        asking = HubSet(members, degree, high)
        excess = excess_of(columns, asking, values, slack)
        if excess > most:
            best, most = asking, excess
    return [] if best is None else [best]


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
