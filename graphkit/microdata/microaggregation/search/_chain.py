"""One annealing from the hottest temperature to the coolest."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.neighbours import neighbours
from graphkit.microdata.microaggregation.search._annealing import anneal
from graphkit.microdata.microaggregation.search._cooling import HOTTEST, new_cooling
from graphkit.microdata.microaggregation.search._partition import new_partition

NEIGHBOURS = 15
"""Records near each record that it may come together with; more where groups are large."""
RESHAPING = 0.02
LAST_ROUNDS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What every annealing of the same records uses."""

    points: Floats
    k: int
    near: Ints
    scales: Floats
    """Squared mean distance of every record to its k nearest."""

    @property
    def cost(self) -> float:
        """Units of work of a proposal, about microseconds."""
        return 0.03 + 0.004 * int(self.points.shape[1])


def surroundings_of(points: Floats, k: int) -> Surroundings:
    """Return what annealings of these records use; at least 2k of them."""
    near, far = neighbours(points, min(points.shape[0] - 1, max(NEIGHBOURS, k + 10)))
    # attributes that are 0 throughout change nothing: the kernels take four at a time
    padded = np.pad(points, ((0, 0), (0, -points.shape[1] % 4)))
    return Surroundings(padded, k, near, far[:, :k].mean(axis=1) ** 2)


def annealed(
    around: Surroundings, labels: Ints, proposals: int, state: Words, budget: Budget, hottest: float = HOTTEST
) -> Ints:
    """Return the partition that an annealing ends with; what it begins with hardly matters when it begins hot.

    Parameters
    ----------
    around : Surroundings
    labels : ndarray of int, shape (n,)
        Groups of k to 2k − 1 records.
    proposals : int
        Moves that are proposed in all.
    state : ndarray of uint64, shape (1,)
        Of the random numbers; changed in place.
    budget : Budget
        When it is spent, only moves without a loss are made any more, for a short while.
    hottest : float, optional
        As for :func:`~graphkit.microdata.microaggregation.search._cooling.new_cooling`.
    """
    points, k, cooling = around.points, around.k, new_cooling(around.scales, hottest)
    partition = new_partition(points, labels, k)

    def propose(first: int, end: int, temperature: float, count: int) -> None:
        anneal(points, around.near, k, *partition, cooling.order, first, end, temperature, count, RESHAPING, state)

    for (first, end), temperature, count in zip(
        cooling.windows.tolist(), cooling.temperatures.tolist(), cooling.proposals(proposals).tolist(), strict=True
    ):
        if budget.is_spent():
            break
        propose(first, end, temperature, count)
    n = points.shape[0]
    propose(0, n, 0.0, min(LAST_ROUNDS * n, proposals))
    return partition.labels
