"""Fewer edges near a set that is known: its first group stays, all below it is chosen anew."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, violated_set_of
from graphkit.networks.methods._candidate import candidate_with
from graphkit.networks.methods.lower.serving_sets import ServingSets

# sets that are served at once
_SETS = 12
# a set that could be asked for more than that share of all demands is not in the way
_TIGHT = 25


def around_best(
    serving: ServingSets, positions: Positions, best: Ints, known: Sequence[Bools], size: int, budget: Budget
) -> Ints | None:
    """Return fewer edges than `size`, if some are found.

    Parameters
    ----------
    serving : ServingSets
    positions : Positions
        All vertices of the graph, each in the core.
    best : ndarray of int64, shape (m, 2)
        New edges that make it k-anonymous.
    known : sequence of ndarray of bool, shape (c,) each
        Sets of hubs that were in the way.
    size : int
    budget : Budget
        Is charged.

    Notes
    -----
    Annealing changes few vertices at a time, and each change is to keep all sets of hubs served. Here a linear program
    changes all of them at once, together with the dozen sets that have least to spare. 420 vertices in overlapping
    groups, k = 40: 5 654 edges after twenty seconds of annealing, 5 634 in a fifth of one more.
    """
    core = positions.core
    demands = np.bincount(best.ravel(), minlength=core.size)[core.vertices]
    candidate, after = candidate_with(positions.degrees, demands, None), positions.degrees + demands
    last = int(after.max())
    top = (after == last) & (demands > 0)
    if not top.any():
        return None
    sets = [violated_set_of(core, top), *_tightest(positions, demands, known)]
    return serving.edges(candidate, sets, 2 * size, budget.work + SECOND, last=lambda _: last, most=_SETS, kept=1)


def _tightest(positions: Positions, demands: Ints, known: Sequence[Bools]) -> list[ViolatedSet]:
    """Return the sets of hubs that could be asked for least more."""
    found: list[tuple[int, ViolatedSet]] = []
    for members in known:
        one = violated_set_of(positions.core, members)
        excess = one.excess_with(demands)
        if _TIGHT * -excess <= demands.sum():
            found.append((excess, one))
    found.sort(key=lambda one: -one[0])
    return [one for _, one in found[: _SETS - 1]]
