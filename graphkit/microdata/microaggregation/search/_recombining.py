"""The best partition that is made of groups of earlier ones: what one annealing did badly another one did well."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import around_mean, members_of
from graphkit.microdata.microaggregation.search._group_program import solved
from graphkit.microdata.microaggregation.search._regions import Regions

_MANY_FRACTIONAL = 400
_NODES = 10
_GAIN = 1e-9
_SMALL_GAIN = 2e-4


class Pool:
    """Groups of several partitions, each once, with their loss.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    """

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._groups: dict[bytes, Ints] = {}
        self._costs: list[float] = []

    def add(self, labels: Ints) -> None:
        """Take in the groups of a partition, in O(n (d + log n))."""
        for members in members_of(labels):
            key = members.tobytes()
            if key not in self._groups:
                self._groups[key] = members
                self._costs.append(around_mean(self._points[members]))

    def recombined(self, loss: float, budget: Budget) -> Ints | None:
        """Return the best partition into groups of the pool, where it is found to lose less than `loss`.

        Notes
        -----
        A linear program first: it tells whether there is anything to gain, and which groups no better partition has
        (their reduced cost is above what there is to gain). An integer program over the others follows only where few
        groups are chosen in part; otherwise it would take long and hardly find anything.
        """
        groups, costs = list(self._groups.values()), np.array(self._costs)
        solver, value = solved(groups, costs, self._points.shape[0], budget)
        if value is None or value >= loss * (1 - _SMALL_GAIN):
            return None
        chosen = np.array(solver.getSolution().col_value)
        if ((chosen > _GAIN) & (chosen < 1 - _GAIN)).sum() > _MANY_FRACTIONAL:
            return None
        worth = np.array(solver.getSolution().col_dual) <= loss - value
        groups, costs = [groups[at] for at in np.flatnonzero(worth)], costs[worth]
        solver, value = solved(
            groups, costs, self._points.shape[0], budget, integral=True, below=loss * (1 - _GAIN), nodes=_NODES
        )
        if value is None:
            return None
        labels = np.empty(self._points.shape[0], dtype=np.int64)
        for group, at in enumerate(np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5)):
            labels[groups[at]] = group
        return labels

    def improved(self, labels: Ints, budget: Budget, end: int) -> Ints:
        """Return a partition into groups of the pool that loses no more than a given one, changed region by region.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)
        budget : Budget
        end : int
            Units after which no region is begun.
        """
        self.add(labels)
        regions = Regions(self._points, list(self._groups.values()), np.array(self._costs))
        return regions.improved(labels, budget, end)
