"""Candidates in which a violated set finds its partners, and those in its way after it, one after another."""

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.core.assignment import assign_levels
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, is_among
from graphkit.networks.effort.work import CORE_PAIR, LOOK
from graphkit.networks.methods._candidate import Candidate, candidate_with
from graphkit.networks.sequences.serving_dp import FIRST_PRICE, SHARES, serving_demands

_TURNS = 8
_SETS = 4
# positions times degrees up to which a sequence is looked for, and steps that count one unit
_CELLS, _CELLS_PER_UNIT = 1_000_000, 300


def serving(positions: Positions, violated_set: ViolatedSet, limit: int, budget: Budget) -> Candidate | None:
    """Return a candidate of an estimate below the limit that met a violated set, and others that it met then.

    Notes
    -----
    The cheapest sequence that serves the sets met so far (:func:`serving_demands`) mostly meets another one, which is
    served together with the last of them next. Of all sequences the one that lacks least is returned.
    """
    degrees, cells = positions.degrees, positions.degrees.size * np.unique(positions.degrees).size
    if cells > _CELLS:
        return None
    sets, exponents = [violated_set], np.array([FIRST_PRICE])
    best: Candidate | None = None
    for _ in range(_TURNS):
        found, least = None, limit
        for share in range(SHARES + 1):
            demands, prices, rounds = serving_demands(degrees, positions.k, sets, exponents, share, least)
            budget.charge(rounds * cells * len(sets) // _CELLS_PER_UNIT)
            if demands.size:
                found, least = (demands, prices), int(demands.sum())
        if found is None or budget.is_spent():
            break
        demands, exponents = found
        asking = int(np.count_nonzero(demands[: positions.core.size]))
        budget.charge(LOOK + int(asking**2 * CORE_PAIR))
        demands, violated = assign_levels(positions.core, demands, [one.members for one in sets])
        candidate = candidate_with(degrees, demands, violated)
        if candidate.estimate < limit and (best is None or candidate.missing <= best.missing):
            best = candidate
        if violated is None or is_among(violated, sets):
            break
        sets = [*sets[1 - _SETS :], violated]
        exponents = np.append(exponents[1 - _SETS :], round(float(exponents.mean())))
    return best
