"""One annealing of a covering, or of some of its tuples."""

import numpy as np

from graphkit.arrays import Ints, Words
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records
from graphkit.microdata.generalization.extents import joined, losses_of
from graphkit.microdata.generalization.search._annealing import anneal
from graphkit.microdata.generalization.search._places import covering_of

NEIGHBOURS = 10
"""Records near each record that it may come together with."""
_HOTTEST, _HOT, _COOLING = 0.04, 0.2, 10.0
_SLICES, _STEPS = 20, 10


def annealed(
    records: Records, near: Ints, rows: Ints, budget: Budget, heat: tuple[float, float], proposals: int, state: Words
) -> Ints:
    """Return tuples after an annealing: each record in as many as before.

    Parameters
    ----------
    records : Records
    near : ndarray of int, shape (n, neighbours)
    rows : ndarray of int, shape (m, k)
        Some tuples, or all.
    budget : Budget
        When it is spent, the annealing is broken off.
    heat : tuple of float
        Hottest and coolest temperature, as shares of the mean loss when it begins.
    proposals : int
        Exchanges that are proposed in all.
    state : ndarray of uint64, shape (1,)
        Of the random numbers; changed in place.
    """
    covering = covering_of(records, rows, losses_of(records.layout, joined(records.layout, records.codes, rows)))
    mean = float(covering.losses.mean())
    if mean <= 0:
        return covering.rows
    ladder = mean * np.geomspace(*heat, _SLICES * _STEPS)
    for first in range(0, ladder.size, _STEPS):
        anneal(records, near, covering, ladder[first : first + _STEPS], max(1, proposals // ladder.size), state)
        if budget.is_spent():
            break
    return covering.rows


def heat_of(k: int) -> tuple[float, float]:
    """Return the temperatures when an annealing begins and ends, as shares of the mean loss of a tuple.

    One record more or less of k changes the loss of a tuple by about such a share.
    """
    hottest = min(_HOTTEST, _HOT / k)
    return hottest, hottest / _COOLING


def cost(k: int, d: int) -> float:
    """Return the work of a proposal in units, about microseconds."""
    return 0.1 + 0.001 * k * d
