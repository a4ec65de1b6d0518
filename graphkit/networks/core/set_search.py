"""A set of vertices that asks for much more than it can get: prefixes of orders, then single changes.

Demands are whole, or those of a fractional solution: a vertex is on several levels then, each with a share, and what it
gives to so many members is no longer the lesser of two numbers but a concave table. One search serves both.
"""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints, Numbers
from graphkit.kernels import compiled, in_place


@compiled
def among(joinable: Bools, chosen: Ints) -> tuple[Bools, Ints]:
    """Return who of some vertices can be joined, shape (c, c), and to how many of them each, shape (c,).

    Parameters
    ----------
    joinable : ndarray of bool, shape (n, n)
    chosen : ndarray of int64, shape (c,)
    """
    n = chosen.size
    inside = np.empty((n, n), np.bool_)
    near = np.zeros(n, np.int64)
    for i in range(n):
        for j in range(n):
            inside[i, j] = joinable[chosen[i], chosen[j]]
            near[i] += inside[i, j]
    return inside, near


@compiled
def searched(
    joinable: Bools,
    near: Ints,
    first: Numbers,
    asked: Numbers,
    given: Numbers,
    others: Numbers,
    known: Bools,
    prefixes: int,
    least: float,
) -> tuple[Bools, Numbers]:
    """Return sets that may be violated much, and by how much each is: what the search makes of where it begins.

    It begins at the best prefixes of two orders, by demand, and by partners for a unit of demand; and at sets that are
    known.

    Parameters
    ----------
    joinable, asked, given, others, least
        As for :func:`prefix_excesses` and :func:`local_search`; demands are positive.
    near : ndarray of int64, shape (c,)
        How many others each can be joined to.
    first : ndarray, shape (c,)
        What all that a vertex can be joined to give to a first member, of the type of the demands.
    known : ndarray of bool, shape (s, c)
    prefixes : int
        Of each order.

    Returns
    -------
    sets : ndarray of bool, shape (2·min(prefixes, c) + s, c)
    excesses : ndarray, one each
        Of the type of the demands; 0 of an empty set that was known, which is left as it is.
    """
    prefixes = min(prefixes, asked.size)
    sets = np.zeros((2 * prefixes + known.shape[0], asked.size), np.bool_)
    excesses = np.zeros(sets.shape[0], asked.dtype)
    for kind in range(2):
        # by rank: what is asked and the partners have different types
        order = np.argsort(-asked, kind="mergesort") if kind == 0 else np.argsort(near / asked, kind="mergesort")
        best = np.argsort(-prefix_excesses(joinable, asked, given, others, order), kind="mergesort")[:prefixes]
        for i in range(prefixes):
            for u in order[: best[i] + 1]:
                sets[kind * prefixes + i, u] = True
    sets[2 * prefixes :] = known
    for i in range(sets.shape[0]):
        if sets[i].any():
            sets[i], excesses[i] = local_search(joinable, first, asked, given, others, sets[i], least)
    return sets, excesses


@compiled
def prefix_excesses(joinable: Bools, asked: Numbers, given: Numbers, others: Numbers, order: Ints) -> Numbers:
    """Return by how much each prefix of an order violates its inequality.

    Parameters
    ----------
    joinable : ndarray of bool, shape (c, c)
        Which vertices can be joined.
    asked : ndarray of int64 or float, shape (c,)
        Demand of every vertex.
    given : ndarray of int64 or float, shape (c,) or (c, c+1)
        What a vertex outside the set gives it at most: the lesser of this number and its partners in the set, or the
        entry for so many partners.
    others : ndarray of int64 or float, shape (c+1,)
        What all others give to a set of each size.
    order : ndarray of int64, shape (p,)
        Vertices, each at most once.

    Returns
    -------
    ndarray, shape (p,)
        Demands of the set, less its own pairs (twice) and what all others give.

    Notes
    -----
    O(p·c).
    """
    c = asked.size
    members = np.zeros(c, np.bool_)
    partners = np.zeros(c, np.int64)
    excesses = np.empty(order.size, asked.dtype)
    # of their type
    own = asked[0] - asked[0]
    for rank in range(order.size):
        u = order[rank]
        own += asked[u] - 2 * partners[u]
        members[u] = True
        for v in range(c):
            if joinable[u, v]:
                partners[v] += 1
        gifts = others[rank + 1]
        for v in range(c):
            if not members[v]:
                gifts += _gift(given, v, partners[v])
        excesses[rank] = own - gifts
    return excesses


@compiled
def local_search(
    joinable: Bools, first: Numbers, asked: Numbers, given: Numbers, others: Numbers, start: Bools, least: float
) -> tuple[Bools, float]:
    """Return the set after single changes that raise the excess most, as long as one gains more than `least`; and it.

    Parameters
    ----------
    joinable, asked, given, others
        As for :func:`prefix_excesses`.
    first : ndarray, shape (c,)
        What all that a vertex can be joined to give to a first member, of the type of the demands.
    start : ndarray of bool, shape (c,)
        Where to begin.
    least : int or float
        Of the type of the demands.

    Returns
    -------
    members : ndarray of bool, shape (c,)
    excess : int or float

    Notes
    -----
    O(c) for a change, and O(c) more for each vertex that gives more or less to a next member from then on.
    """
    c = asked.size
    inside, partners, size = np.zeros(c, np.bool_), np.zeros(c, np.int64), np.zeros(1, np.int64)
    members = _Members(joinable, asked, given, others, inside, partners, first.copy(), first.copy(), size)
    return inside, _climb(members, start, least)


class _Members(NamedTuple):
    """A set in the making.

    A vertex outside gives less for its next partner once it has one more, and `willing` sums what those around a vertex
    outside would give to it; `bound` sums what those around a member give to it by now. Both change only around
    vertices that give more or less from then on. `partners` counts the members that a vertex can be joined to; `size`,
    one element, the members.
    """

    joinable: Bools
    asked: Numbers
    given: Numbers
    others: Numbers
    inside: Bools
    partners: Ints
    willing: Numbers
    bound: Numbers
    size: Ints


@in_place
def _gift(given: Numbers, v: int, partners: int) -> float:
    """Return what v gives to so many partners at most."""
    if given.ndim == 1:
        return min(given[v], partners)  # type: ignore[no-any-return]
    return given[v, partners]  # type: ignore[no-any-return]


@in_place
def _next_gift(given: Numbers, v: int, partners: int) -> float:
    """Return what v gives more to the next member."""
    if given.ndim == 1:
        return int(given[v] > partners)
    return given[v, partners + 1] - given[v, partners]  # type: ignore[no-any-return]


@in_place
def _last_gift(given: Numbers, v: int, partners: int) -> float:
    """Return what v gives to the last member; to none, what it would give to one."""
    if given.ndim == 1:
        return int(given[v] >= max(partners, 1))
    last = max(partners - 1, 0)
    return given[v, last + 1] - given[v, last]  # type: ignore[no-any-return]


@in_place
def _climb(members: _Members, start: Bools, least: float) -> float:
    """Fill an empty set and change it while that helps; return the excess."""
    c = start.size
    excess = -members.others[0]
    for u in range(c):
        if start[u]:
            excess += _move(members, u)
    for _ in range(2 * c):
        gain, change = least, -1
        for u in range(c):
            value = _gain(members, u)
            if value > gain:
                gain, change = value, u
        if change < 0:
            break
        excess += _move(members, change)
    return excess  # type: ignore[no-any-return]


@in_place
def _gain(members: _Members, u: int) -> float:
    """Return what moving u into or out of the set adds to the excess."""
    partners, size = members.partners[u], members.size[0]
    own = members.asked[u] + _gift(members.given, u, partners) - 2 * partners
    if members.inside[u]:
        return members.bound[u] - own + members.others[size] - members.others[size - 1]  # type: ignore[no-any-return]
    return own - members.willing[u] + members.others[size] - members.others[size + 1]  # type: ignore[no-any-return]


@in_place
def _move(members: _Members, u: int) -> float:
    """Move u into or out of the set and return what that adds to the excess."""
    joinable, asked, given, _, inside, partners, willing, bound, size = members
    gain = _gain(members, u)
    step = -1 if inside[u] else 1
    # of their type
    nothing = asked[0] - asked[0]
    for v in range(asked.size):
        if not joinable[u, v] and v != u:
            continue
        was_willing, was_bound = nothing, nothing
        if not inside[v]:
            was_willing, was_bound = _next_gift(given, v, partners[v]), _last_gift(given, v, partners[v])
        if v == u:
            inside[u] = not inside[u]
        else:
            partners[v] += step
        more_willing, more_bound = -was_willing, -was_bound
        if not inside[v]:
            more_willing += _next_gift(given, v, partners[v])
            more_bound += _last_gift(given, v, partners[v])
        if more_willing != 0 or more_bound != 0:
            for w in range(asked.size):
                if joinable[v, w]:
                    willing[w] += more_willing
                    bound[w] += more_bound
    size[0] += step
    return gain
