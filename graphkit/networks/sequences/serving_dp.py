"""Cheap k-anonymous sequences in which sets of vertices find their partners, whoever has to be raised for that."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled
from graphkit.networks.core.violated_sets import ViolatedSet
from graphkit.networks.sequences.group_costs import UNREACHABLE

UNIT = 64
"""Price of a missing partner that is as much as a unit of demand."""
SHARES = 4
"""How many shares of what vertices give to the sets are told apart when they are put into an order."""

# exponents of prices, whose steps are halved each time that a set changes sides
_FIRST_STEP, _STEPS_PER_DOUBLING, _LEAST, _MOST = 16, 16, -96, 144
_ROUNDS = 24
_PRICES = np.maximum(np.rint(UNIT * 2.0 ** (np.arange(_LEAST, _MOST + 1) / _STEPS_PER_DOUBLING)), 1).astype(np.int64)
FIRST_PRICE = _STEPS_PER_DOUBLING
"""Exponent of a price of twice a unit of demand, to begin with."""


def serving_demands(
    degrees: Ints, k: int, sets: Sequence[ViolatedSet], exponents: Ints, share: int, limit: int
) -> tuple[Ints, Ints, int]:
    """Return demands that meet the inequalities of all these sets, the prices they were found with, and the rounds.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Degrees of all positions; the core first.
    k : int
        Least number of positions that end at a degree; at most p.
    sets : sequence of ViolatedSet
        s sets that are to find their partners.
    exponents : ndarray of int64, shape (s,)
        Logarithms of the prices to begin with; see `FIRST_PRICE`.
    share : int
        From 0 to `SHARES`: by how much of what they give to the sets vertices stand higher in the order in which
        groups are made.
    limit : int
        The demands sum up to less.

    Returns
    -------
    demands : ndarray of int64, shape (p,)
        Empty where none were found.
    exponents : ndarray of int64, shape (s,)
        Those that belong to them.
    rounds : int
        How many sequences were looked at.

    Notes
    -----
    A price λ is put on each inequality (Lagrange). With prices above one, whoever is outside a set is best off where
    it gives the set all it can, at its degree plus its partners there, and not at its own degree; groups of one level
    are then neighbours by that sum and not by degree. With any share of the partners between none and all, a dynamic
    program (:func:`_cheapest_levels`) finds the best groups in that order. Prices rise as long as their sets lack
    partners, and fall else, in steps that are halved at each turn, until Lagrange's
    bound says that no sequence in that order is below the limit. Good sequences, and no bound.
    """
    caps = np.column_stack([one.caps(degrees.size) for one in sets])
    inside = 2 * np.array([one.pairs for one in sets])
    exponents = np.clip(exponents, _LEAST, _MOST)
    prices = _PRICES[exponents - _LEAST]
    order = np.argsort(-(degrees * SHARES * prices.sum() + share * (np.maximum(caps, 0) @ prices)), kind="stable")
    ordered, caps = degrees[order], np.ascontiguousarray(caps[order])
    levels = np.unique(degrees)
    steps, rising = np.full(len(sets), _FIRST_STEP), np.zeros(len(sets), dtype=np.int64)
    best, found = np.empty(0, dtype=np.int64), exponents
    rounds = 0
    while rounds < _ROUNDS and steps.any():
        rounds += 1
        prices = _PRICES[exponents - _LEAST]
        demands = _cheapest_levels(ordered, caps, levels, k, prices) - ordered
        given = np.where(caps < 0, -demands[:, None], np.minimum(demands[:, None], caps)).sum(axis=0)
        excess, total = -given - inside, int(demands.sum())
        lacking = excess > 0
        # in that order nothing below it serves all sets
        if UNIT * total + int(prices @ excess) >= UNIT * limit:
            break
        if total < limit and not lacking.any():
            best, found, limit = demands, exponents, total
        now = np.where(lacking, 1, -1)
        steps = np.where(now == -rising, steps // 2, steps)
        rising = now
        exponents = np.clip(exponents + now * steps, _LEAST, _MOST)
    demands = np.empty_like(best)
    if best.size:
        demands[order] = best
    return demands, found, rounds


@compiled
def _cheapest_levels(degrees: Ints, caps: Ints, levels: Ints, k: int, prices: Ints) -> Ints:
    """Return the final degree of each position, where k or more neighbours each end at one of these levels.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        In the order in which groups are made.
    caps : ndarray of int64, shape (p, s)
        See :meth:`~graphkit.networks.core.violated_sets.ViolatedSet.caps`.
    levels : ndarray of int64, shape (m,)
        No degree is above the highest one.
    k : int
        At most p.
    prices : ndarray of int64, shape (s,)
        A demand d costs ``UNIT·d`` and for each set its price times ``−min(d, cap)``, or times d in the set.

    Notes
    -----
    A level is that of a run of positions none of which has a higher degree. What a run costs is a difference of sums
    along its level, so the best place for it to begin is kept for each level: O(p·m·s) steps, whatever the sizes of
    groups.
    """
    size, number = degrees.size, levels.size
    best = np.full(size + 1, UNREACHABLE, np.int64)
    best[0] = 0
    level_of, begin_of = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    # costs up to the last k + 1 borders, and for each level where a run may begin, and the best of that
    sums = np.zeros((k + 1, number), np.int64)
    first, begin, least = np.zeros(number, np.int64), np.zeros(number, np.int64), np.full(number, UNREACHABLE, np.int64)
    for end in range(1, size + 1):
        v, now, before, start = end - 1, sums[end % (k + 1)], sums[(end - 1) % (k + 1)], end - k
        old = sums[(end + 1) % (k + 1)]
        for i in range(number):
            demand = levels[i] - degrees[v]
            if demand < 0:
                now[i], first[i], least[i] = before[i], end, UNREACHABLE
                continue
            cost = UNIT * demand
            for s in range(prices.size):
                cost += prices[s] * (demand if caps[v, s] < 0 else -min(demand, caps[v, s]))
            now[i] = before[i] + cost
            if start >= first[i] and best[start] < UNREACHABLE and best[start] - old[i] < least[i]:
                least[i], begin[i] = best[start] - old[i], start
            if least[i] < UNREACHABLE and least[i] + now[i] < best[end]:
                best[end], level_of[end], begin_of[end] = least[i] + now[i], levels[i], begin[i]
    found, end = np.empty(size, np.int64), size
    while end > 0:
        found[begin_of[end] : end] = level_of[end]
        end = begin_of[end]
    return found
