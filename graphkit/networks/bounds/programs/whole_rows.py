"""Inequalities that whole solutions of a program of groups meet, and fractional ones violate."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints

_VIOLATED = 0.01
# the worst come first, and what they leave is found in the next round
_MOST_PAIRS = 400


class Row(NamedTuple):
    """Coefficients of some columns whose sum with their values is at most a number."""

    columns: Ints
    coefficients: Floats
    most: float


class Groups(NamedTuple):
    """Columns of groups: (u,) each."""

    begin: Ints
    end: Ints
    level: Ints
    """Index among the levels that groups can have."""
    number: int
    """Of such levels."""
    k: int


class Places(NamedTuple):
    """Columns of vertices on levels: (p,) each."""

    vertex: Ints
    demand: Ints
    level: Ints
    """Index among the levels that groups can have."""
    first: int
    """The first of these columns; those of groups come first of all."""


class LevelRows:
    """Finds who is on a level although there are hardly groups on it.

    Parameters
    ----------
    groups, places
        The columns of the program.

    Notes
    -----
    *Statement.* Of any vertices R, no more are on a level than ``Σ min(|R|, size)`` over the groups on it.

    *Proof.* They are at most |R|, and at most as many as all groups on it together have places; the least of a number
    and of a sum is at most the sum of the least of the number and each. ∎

    The program itself demands it of all vertices together: then a group that is taken by a tenth has places for a whole
    vertex, which so gets a level for a tenth of what it costs. Which R is violated most is told exactly: those who are
    on the level most. O(places · log places) time a search.
    """

    def __init__(self, groups: Groups, places: Places) -> None:
        self._groups, self._places = groups, places
        sizes = groups.end - groups.begin
        self._sizes = sizes
        largest = int(sizes.max(initial=0))
        self._counts = np.arange(1, largest + 1)
        # what a group of each size has for so many vertices
        self._room = np.minimum(np.arange(largest + 1)[:, None], self._counts)
        # groups and places by level, and where each level begins
        self._of_level = np.argsort(groups.level, kind="stable")
        levels = np.arange(groups.number + 1)
        self._group_starts = np.searchsorted(groups.level[self._of_level], levels)
        self._level = np.sort(places.level)
        self._starts = np.searchsorted(self._level, levels)
        self._rank = np.arange(self._level.size) - self._starts[self._level]

    def violated(self, values: Floats) -> list[Row]:
        """Return the row of each level that a solution violates most."""
        groups, places, level = self._groups, self._places, self._level
        taken = values[: groups.level.size]
        used = np.zeros((groups.number, self._room.shape[0]))
        np.add.at(used, (groups.level, self._sizes), taken)
        room = used @ self._room
        shares = values[places.first : places.first + places.vertex.size]
        order = np.lexsort((-shares, places.level))
        sums = np.cumsum(shares[order])
        sums -= (sums - shares[order])[self._starts[level]]
        is_few = self._rank < self._counts.size
        over = np.full(order.size, -np.inf)
        over[is_few] = sums[is_few] - room[level[is_few], self._rank[is_few]]
        found = []
        for one, (start, end) in enumerate(pairwise(self._starts.tolist())):
            if start < end:
                last = start + int(np.argmax(over[start:end]))
                if over[last] > _VIOLATED:
                    found.append(self._row(one, np.sort(order[start : last + 1])))
        return found

    def _row(self, level: int, members: Ints) -> Row:
        """Return the row of places on a level."""
        on_it = self._of_level[self._group_starts[level] : self._group_starts[level + 1]]
        columns = np.concatenate((self._places.first + members, on_it))
        room = np.minimum(members.size, self._sizes[on_it])
        return Row(columns, np.concatenate((np.ones(members.size), -room)), 0.0)


class LeaderRows:
    """Finds who is joined, or nobody's level but its own, although only one of two can be where it began.

    Parameters
    ----------
    groups, places
        The columns of the program.
    pairs : ndarray of int64, shape (h, h)
        The columns of pairs that can be joined, -1 elsewhere; symmetric.
    degrees : ndarray of int64, shape (h,)
        Of the hubs, descending.

    Notes
    -----
    *Statement.* Of hubs u and v of degrees D_u > D_v let p be the number of vertices above D_u, q of those above D_v,
    and ``m = max(q, p + k)``. Where both have no demand, there is a group on the level D_v that begins at m or behind;
    and either one on the level D_u that ends at m or behind, or one on the level D_v that begins at p + 2k or behind.

    *Proof.* Those above D_u end above it, so the places of the level D_u, of which there are k or more, begin at p or
    behind, and end at p + k or behind. Those of the level D_v come after them, and begin at q or behind: the first. If
    they begin where the others end, the last group of the level D_u ends there: at m or behind. Otherwise there is a
    group between them, of k or more: they begin at p + 2k or behind. ∎

    So, with U_w for "w has no demand" and x for "u and v are joined", which both without demand never are:
    ``x + U_u + U_v`` is at most one plus the number of groups of the first kind, and at most one plus the number of
    groups of the second. A fractional solution that takes half of the groups that begin with u and half of those that
    begin with v, few places behind, would otherwise join what is raised of u with what is raised of v, which never
    are raised together. O(h²) time a search.
    """

    def __init__(self, groups: Groups, places: Places, pairs: Ints, degrees: Ints) -> None:
        self._groups, self._pairs = groups, pairs
        hubs = degrees.size
        own = np.full(hubs, -1)
        still = np.flatnonzero((places.demand == 0) & (places.vertex < hubs))
        own[places.vertex[still]] = still
        above = np.searchsorted(-degrees, -degrees, side="left")
        ends = np.array(np.triu_indices(hubs, 1))
        is_apart = (above[ends[0]] < above[ends[1]]) & (own[ends] >= 0).all(axis=0)
        self._ends = ends[:, is_apart]
        # of both: the column of no demand, and the level of that
        self._still = places.first + own[self._ends]
        self._levels = places.level[own[self._ends]]
        before, behind = above[self._ends]
        self._meet = np.maximum(behind, before + groups.k)
        self._late = before + 2 * groups.k

    def violated(self, values: Floats, joined: Floats) -> list[Row]:
        """Return the rows of the pairs that violate them most.

        Parameters
        ----------
        values : ndarray of float64
            Of all columns.
        joined : ndarray of float64, shape (h, h)
            How much of every pair is joined; symmetric.
        """
        groups, (one, other) = self._groups, self._levels
        if one.size == 0:
            return []
        taken = values[: groups.level.size]
        width = int(max(groups.end.max(initial=0), self._late.max(), self._meet.max())) + 1
        ending, beginning = np.zeros((groups.number, width)), np.zeros((groups.number, width))
        np.add.at(ending, (groups.level, groups.end), taken)
        np.add.at(beginning, (groups.level, groups.begin), taken)
        # from there on
        ending, beginning = (np.cumsum(side[:, ::-1], axis=1)[:, ::-1] for side in (ending, beginning))
        later = beginning[other, self._meet]
        between = ending[one, self._meet] + beginning[other, self._late]
        over = joined[tuple(self._ends)] + values[self._still].sum(axis=0) - 1 - np.minimum(later, between)
        worst = np.argsort(-over, kind="stable")[:_MOST_PAIRS]
        return [self._row(pair, bool(between[pair] < later[pair])) for pair in worst if over[pair] > _VIOLATED]

    def _row(self, pair: int, is_between: bool) -> Row:
        """Return the row of a pair that counts the groups of the second kind, or those of the first."""
        groups, meet, late = self._groups, self._meet[pair], self._late[pair]
        one, other = self._levels[:, pair]
        if is_between:
            met = np.flatnonzero((groups.level == one) & (groups.end >= meet))
            counted = np.concatenate((met, np.flatnonzero((groups.level == other) & (groups.begin >= late))))
        else:
            counted = np.flatnonzero((groups.level == other) & (groups.begin >= meet))
        joined = self._pairs[tuple(self._ends[:, pair])]
        limited = np.concatenate(([joined] if joined >= 0 else [], self._still[:, pair])).astype(np.int64)
        ones = np.ones(limited.size)
        return Row(np.concatenate((limited, counted)), np.concatenate((ones, np.full(counted.size, -1.0))), 1.0)


class PartnerRows:
    """Finds who is joined to more than its demand, or is joined although it has none.

    Parameters
    ----------
    places
        The columns of vertices on levels.
    pairs : ndarray of int64, shape (h, h)
        The columns of pairs that can be joined, -1 elsewhere; symmetric.

    Notes
    -----
    *Statement.* Of any vertices R, u is joined to no more than ``min(|R|, d_u)``, d_u its demand.

    A fractional solution that gives u a demand of nine by a tenth, and of one by a half, has 1.4 in all; but two others
    are joined to u no more than .7, and one .6. Which R is violated most is told exactly: those that are joined most.
    O(h² log h + h · places of a hub) a search.
    """

    def __init__(self, places: Places, pairs: Ints) -> None:
        self._pairs, self._first = pairs, places.first
        hubs = pairs.shape[0]
        raised = np.flatnonzero((places.vertex < hubs) & (places.demand > 0))
        self._raised = [raised[places.vertex[raised] == u] for u in range(hubs)]
        self._demands = [places.demand[one] for one in self._raised]

    def row(self, u: int, others: Ints) -> Row:
        """Return the row of a hub and others that it can be joined to."""
        room = np.minimum(self._demands[u], others.size)
        columns = np.concatenate((self._pairs[u, others], self._first + self._raised[u]))
        return Row(columns, np.concatenate((np.ones(others.size), -room)), 0.0)

    def violated(self, values: Floats, joined: Floats) -> list[Row]:
        """Return the row of each hub that a solution violates most.

        Parameters
        ----------
        values : ndarray of float64
            Of all columns.
        joined : ndarray of float64, shape (h, h)
            How much of every pair is joined; symmetric.
        """
        order = np.argsort(-joined, axis=1, kind="stable")
        sums = np.cumsum(np.take_along_axis(joined, order, axis=1), axis=1)
        # from the largest demand on, more vertices have no more room
        most = [int(demands.max(initial=0)) + 1 for demands in self._demands]
        found = []
        for u, demands in enumerate(self._demands):
            counts = np.arange(1, min(most[u], int(np.count_nonzero(joined[u]))) + 1)
            room = values[self._first + self._raised[u]] @ np.minimum(demands[:, None], counts)
            over = sums[u, : counts.size] - room
            if over.size and over.max() > _VIOLATED:
                found.append(self.row(u, order[u, : int(np.argmax(over)) + 1]))
        return found
