"""Recombination near by: of the groups of several partitions that lie in a region, the best ones, region by region."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import canonical, group_means, group_sizes
from graphkit.microdata.microaggregation.search._group_program import solved

_SMALLEST, _GROWTH = 150, 1.2
_NODES = 20
_GAIN = 1e-9
_CHOSEN = 0.5
_LOOK = 50
"""What a region costs, in records of a unit, beside its program."""


class Regions:
    """Groups of several partitions of the same records, and which of them lie in a region.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    groups : sequence of ndarray of int
        Records of every group, each group once.
    costs : ndarray of float, shape (groups,)
        What each loses.
    """

    def __init__(self, points: Floats, groups: Sequence[Ints], costs: Floats) -> None:
        self._points, self._groups, self._costs = points, groups, costs
        n = points.shape[0]
        self._members = np.full((len(groups), max(group.size for group in groups)), n)
        for place, group in enumerate(groups):
            self._members[place, : group.size] = group

    def improved(self, labels: Ints, budget: Budget, end: int) -> Ints:
        """Return a partition into these groups that loses no more than a given one.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)
            A partition into some of the groups.
        budget : Budget
            Is charged.
        end : int
            Units after which no region is begun.

        Notes
        -----
        Large neighbourhood search: all but a region of the partition stays, and an integer program chooses anew there.
        First in small regions, whose programs are solved at once, then in larger ones, until one holds all records.
        """
        n = labels.size
        size = min(n, _SMALLEST)
        labels, is_back = canonical(labels), False
        while True:
            waiting = np.ones(n, dtype=np.bool_)
            for record in range(n - 1, -1, -1) if is_back else range(n):
                if budget.is_spent() or budget.work >= end:
                    return labels
                if waiting[record]:
                    region = self._around(labels, record, size)
                    # whoever lies well inside has been looked at
                    waiting[np.isin(labels, region[: (region.size + 1) // 2])] = False
                    labels = self._chosen_anew(labels, region, budget)
            if size == n:
                return labels
            size, is_back = min(n, round(_GROWTH * size)), not is_back

    def _around(self, labels: Ints, record: int, size: int) -> Ints:
        """Return the groups that are nearest to a record, with so many records or a few more."""
        apart = ((group_means(self._points, labels) - self._points[record]) ** 2).sum(axis=1)
        nearest = np.argsort(apart, kind="stable")
        return nearest[: int(np.searchsorted(np.cumsum(group_sizes(labels)[nearest]), size)) + 1]

    def _chosen_anew(self, labels: Ints, region: Ints, budget: Budget) -> Ints:
        inside = np.isin(labels, region)
        budget.charge(labels.size // _LOOK)
        some = np.flatnonzero(self._within(inside))
        # nothing but what is chosen already
        if some.size <= region.size:
            return labels
        place = np.cumsum(inside) - 1
        groups = [place[self._groups[int(at)]] for at in some]
        now = self._loss_of(labels, inside, some)
        solver, loss = solved(
            groups, self._costs[some], int(inside.sum()), budget, integral=True, below=now - _GAIN, nodes=_NODES
        )
        if loss is None:
            return labels
        labels, first = labels.copy(), int(labels.max()) + 1
        for number, at in enumerate(some[np.array(solver.getSolution().col_value) > _CHOSEN]):
            labels[self._groups[int(at)]] = first + number
        return canonical(labels)

    def _within(self, inside: Bools) -> Bools:
        """Return which groups have no record outside."""
        within: Bools = np.append(inside, True)[self._members].all(axis=1)
        return within

    def _loss_of(self, labels: Ints, inside: Bools, some: Ints) -> float:
        """Return what the groups of the partition lose that lie inside."""
        padded = np.append(labels, -1)
        found = padded[self._members[some]]
        sizes = (self._members[some] < labels.size).sum(axis=1)
        own = found[:, 0]
        is_chosen = ((found == own[:, None]) | (found < 0)).all(axis=1) & (sizes == group_sizes(labels)[own])
        return float(self._costs[some][is_chosen].sum())
