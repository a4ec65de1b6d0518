"""Tables from marginals alone: whole counts near a fit, and moves until none is below zero."""

import math

import numpy as np

from graphkit.arrays import Floats, Ints, Rng, Words
from graphkit.budget import Budget
from graphkit.kernels import kernel
from graphkit.tables.moves._cells import CellList, list_if
from graphkit.tables.moves._random_words import below, new_state, uniform
from graphkit.tables.moves.basic_moves import BasicMoves
from graphkit.tables.simulation._fit import fitted_counts, whole_counts_near
from graphkit.tables.simulation._lines import draw_offsets, list_corners
from graphkit.tables.structure.released import ReleasedMarginals

_TRIES = 4
_STAGES = 8
_MOST_STEPS = 2**18
_STEPS_A_CELL = 2**10
_LEAST_FIT = 1e-4
_PRICES = ((1.0, 4.0, 2.0), (-1.0, 3.0, 2.5), (0.0, 4.0, 1.5))
"""Price of a person below zero in the first stage, in the last one, and for every power of e that the fit is below 1;
by turns. Small prices first let negative counts wander; where next to nobody is expected, more is asked."""


class RepairedTables:
    """Tables with given marginals, each from another rounding of the same fit.

    Parameters
    ----------
    released : ReleasedMarginals
        They agree in pairs, and name all variables.
    budget : Budget
        Ends the fit early.

    Notes
    -----
    The fit is rounded at random, and what it lacks of the marginals is added to some cells, so that others fall below
    zero. From there on all moves keep the marginals. They are accepted as a chain over tables would (Metropolis; tables
    as likely as 1 over the product of the factorials of their counts), where a count below zero has a price that rises
    from stage to stage. The end is the first table without any. Nothing but the marginals and the generator is used.

    References
    ----------
    Deming, Stephan 1940 for the fit; Kirkpatrick, Gelatt, Vecchi 1983, Optimization by simulated annealing.
    """

    def __init__(self, released: ReleasedMarginals, budget: Budget) -> None:
        self._released = released
        self._lines = BasicMoves.of(released.shape, released.maximal)
        self._fit = fitted_counts(released, budget)

    def draw(self, rng: Rng, budget: Budget) -> Ints | None:
        """Return a table in C order, or None if none was found within the work that is worth it."""
        if self._fit is None:
            return None
        unlikely = np.maximum(0.0, -np.log(np.maximum(self._fit.reshape(-1), _LEAST_FIT)))
        steps = min(_STEPS_A_CELL * unlikely.size, _MOST_STEPS)
        for turn in range(_TRIES):
            rounded = np.floor(self._fit + rng.random(self._fit.shape)).astype(np.int64)
            table = whole_counts_near(self._released, rounded).reshape(-1)
            negative, nonzero = CellList.of(table < 0), CellList.of(table != 0)
            state = new_state(rng)
            first, last, more = _PRICES[turn % len(_PRICES)]
            for price in np.linspace(first, last, _STAGES) if self._lines.spans.size else ():
                if not negative.number[0] or budget.is_spent():
                    break
                _repair_table(table, price + more * unlikely, self._lines, state, negative, nonzero, steps)
            if not negative.number[0]:
                return table
            if budget.is_spent():
                break
        return None


@kernel
def _repair_table(
    table: Ints, prices: Floats, lines: BasicMoves, random: Words, negative: CellList, nonzero: CellList, steps: int
) -> None:
    """Make moves in place, at cells that are negative or not zero by turns, until none is negative or steps run out."""
    width = lines.spans.shape[1]
    offsets, corners = np.zeros(width, np.int64), np.zeros(1 << width, np.int64)
    for _ in range(steps):
        if negative.number[0] == 0:
            return
        cells, _, number = negative if uniform(random) < 0.5 else nonzero
        cell = cells[below(random, number[0])]
        sign = 1 if table[cell] < 0 else -1
        number_of_offsets = draw_offsets(lines, cell, offsets, random)
        list_corners(cell, offsets, number_of_offsets, corners)
        size = 1 << number_of_offsets
        weight = 0.0
        for i in range(size):
            count = table[corners[i]]
            if (i < size // 2) == (sign > 0):
                weight += prices[corners[i]] if count < 0 else -math.log(count + 1.0)
            else:
                weight += math.log(float(count)) if count > 0 else -prices[corners[i]]
        if weight < 0 and uniform(random) >= math.exp(weight):
            continue
        for i in range(size):
            place = corners[i]
            table[place] += sign if i < size // 2 else -sign
            list_if(negative, place, table[place] < 0)
            list_if(nonzero, place, table[place] != 0)
