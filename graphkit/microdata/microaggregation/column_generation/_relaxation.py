"""The linear program over all groups, with cuts, within a branch: columns until the bound is near its value."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.column_generation._bounding import bound_of
from graphkit.microdata.microaggregation.column_generation._columns import Columns, groups_of, losses_of
from graphkit.microdata.microaggregation.column_generation._cuts import violated_cuts
from graphkit.microdata.microaggregation.column_generation._demands import Demands
from graphkit.microdata.microaggregation.column_generation._greedy import greedy_groups
from graphkit.microdata.microaggregation.column_generation._master import Master, Solved
from graphkit.microdata.microaggregation.column_generation._meter import Meter
from graphkit.microdata.microaggregation.column_generation._prices import prices_of
from graphkit.microdata.microaggregation.column_generation._pricing import Surroundings, priced

_SMOOTHING = 0.5
"""Weight of the best duals so far against those of the program: theirs swing from one step to the next."""
_BOX = 3.0
"""Duals may be so many times the share of the record in the loss of its group at first."""
_NEAR = 0.02
"""A bound is near the value of its program if what is between them is this share of the gap that stays anyway."""
EXACT = 1e-10
_RAISED = 4.0
_COLUMNS_A_RECORD = 25
_KEPT_A_RECORD = 10
_CUTS_A_RECORD = 4
_APART = 1e30
_DEAR = 30_000_000
_MOST_STEPS = 400


class Relaxed(NamedTuple):
    """What the program of a branch says."""

    bound: float
    """Proven: no partition that respects the demands loses less."""
    value: float
    """Of the program; the bound approaches it."""
    weights: Floats
    """Of the columns of the master, shape (columns,)."""


def tolerance(value: float, enough: float) -> float:
    """Return how far the bound of a program may stay below its value: little of the gap that is left in any case."""
    return max(EXACT * abs(enough), _NEAR * (enough - value))


class Relaxation:
    """The linear program, kept from branch to branch.

    Parameters
    ----------
    around : Surroundings
        Distances, in units of the mean loss of a record.
    k : int
    labels : ndarray of int, shape (n,)
        A partition to begin with.
    duals : ndarray of float, shape (n,)
        Duals to begin with.
    """

    def __init__(self, around: Surroundings, k: int, labels: Ints, duals: Floats) -> None:
        self.around, self.k = around, k
        self.n = labels.size
        groups = groups_of(labels, 2 * k - 1)
        shares = (losses_of(groups, around.distances) / np.bincount(labels))[labels]
        nearest = np.full((self.n, 2 * k - 1), -1, np.int64)
        nearest[:, 0], nearest[:, 1:k] = np.arange(self.n), around.near[:, : k - 1]
        self.most_groups = self.n // k
        self.master = Master(_BOX * shares + 0.01 * shares.mean(), self.most_groups)
        self.master.add(Columns.of(np.concatenate((groups, nearest)), around.distances))
        self.duals, self.charges, self.group = duals, np.zeros(0), 0.0
        self._was_changed = False
        self._dear = False

    def learn(self, labels: Ints) -> None:
        """Let the groups of a partition be chosen."""
        self.master.add(Columns.of(groups_of(labels, 2 * self.k - 1), self.around.distances))

    def relax(self, demands: Demands, enough: float, meter: Meter) -> Relaxed:
        """Return bound and weights of a branch, from the duals of the last one on.

        Parameters
        ----------
        demands : Demands
        enough : float
            A bound that need not be surpassed.
        meter : Meter
            Ends the work early; the bound is proven all the same.
        """
        bundle, bundle_size = demands.bundles(self.n)
        self._was_changed |= self.master.allow(demands.allow(self.master.columns, self.n))
        one, two = (np.array([pair[i] for pair in demands.apart], np.int64) for i in (0, 1))
        distances = self.around.distances
        before = distances[one, two].copy()
        distances[one, two] = distances[two, one] = _APART
        try:
            return self._converge(bundle, bundle_size, enough, meter)
        finally:
            distances[one, two] = distances[two, one] = before

    def _converge(self, bundle: Ints, bundle_size: Ints, enough: float, meter: Meter) -> Relaxed:
        bound, smoothing = -np.inf, _SMOOTHING
        for _ in range(_MOST_STEPS):
            solved = self._solve(meter)
            if not solved.left_out.size and solved.value - bound <= tolerance(solved.value, enough):
                break
            records = smoothing * self.duals + (1 - smoothing) * solved.records
            charges = smoothing * self.charges + (1 - smoothing) * solved.cuts
            group = smoothing * self.group + (1 - smoothing) * solved.group
            prices = prices_of(records, charges, self.master.triples, group)
            prices = prices._replace(bundle=bundle, bundle_size=bundle_size)
            if self._dear and not meter.is_spent() and self._add(greedy_groups(self.around, prices, self.k)):
                meter.charge(self.n)
                continue
            found = priced(self.around, prices, self.k, effort=meter.scores_left())
            meter.charge_scores(found.evaluated)
            self._dear = found.evaluated > _DEAR
            proven = bound_of(prices, found, self.most_groups)
            if proven > bound:
                bound, self.duals, self.charges, self.group = proven, records, charges, group
            new = self._add(found.groups)
            if bound >= enough or meter.is_spent():
                break
            if solved.left_out.size and solved.value - proven <= tolerance(solved.value, enough):
                self.master.raise_costs(solved.left_out, _RAISED)
            elif not new and smoothing == 0.0:
                break
            smoothing = _SMOOTHING if new else 0.0
        return Relaxed(bound, solved.value, solved.weights)

    def cut(self, weights: Floats) -> int:
        """Add cuts that the weights violate; return how many. Those that charge nothing are forgotten."""
        found = violated_cuts(self.master.columns, weights, self.n, most=max(100, self.n // 2), a_record=_CUTS_A_RECORD)
        if found.shape[0]:
            kept = self.charges > EXACT
            self.master.drop_cuts(kept)
            self.master.cut(found)
            self.charges = np.concatenate((self.charges[kept], np.zeros(found.shape[0])))
            self._was_changed = True
        return int(found.shape[0])

    def tidy(self) -> None:
        """Forget the dearest columns where there are many."""
        most, kept = _COLUMNS_A_RECORD * self.n, _KEPT_A_RECORD * self.n
        if self.master.columns.size > most:
            costs = self.reduced_costs()
            self.master.drop_columns(costs <= np.partition(costs, kept)[kept])

    def reduced_costs(self) -> Floats:
        """Return what the columns cost by the best duals."""
        columns = self.master.columns
        costs = columns.reduced_costs(self.duals) + self.group
        if self.charges.size:
            costs += self.charges @ columns.in_cuts(self.n, self.master.triples)
        return costs

    def _solve(self, meter: Meter) -> Solved:
        solved = self.master.solve(changed=self._was_changed)
        self._was_changed = False
        meter.charge_steps(solved.iterations)
        return solved

    def _add(self, groups: Ints) -> int:
        return self.master.add(Columns.of(groups, self.around.distances)) if groups.shape[0] else 0
