"""Column generation: a partition, and a bound that is proven of all partitions.

A picture. The *master program* chooses among the groups known so far, in parts too. Its duals price all groups there
are: those of negative reduced cost are added, and the duals give a bound in every step. When no group is left, *cuts*
forbid what no whole choice does, and integer programs over the groups find partitions. What is left between both is
*branched* on: a pair of records is together in one branch and apart in the other, until no branch has a bound below
the best partition, or the work is done.
"""

from heapq import heappop, heappush
from math import fsum

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Rng
from graphkit.microdata.microaggregation.column_generation._ascent import ascended
from graphkit.microdata.microaggregation.column_generation._bounding import MARGIN
from graphkit.microdata.microaggregation.column_generation._branching import pair_to_branch_at
from graphkit.microdata.microaggregation.column_generation._columns import Columns, groups_of, losses_of
from graphkit.microdata.microaggregation.column_generation._demands import Demands, Pair
from graphkit.microdata.microaggregation.column_generation._meter import Meter
from graphkit.microdata.microaggregation.column_generation._pricing import MOST_RECORDS, Surroundings, surroundings_of
from graphkit.microdata.microaggregation.column_generation._relaxation import Relaxation, Relaxed, tolerance
from graphkit.microdata.microaggregation.column_generation._rounding import roundings
from graphkit.microdata.microaggregation.column_generation._whole import best_partition
from graphkit.microdata.microaggregation.lower_bound import lower_bound
from graphkit.microdata.microaggregation.search._regions import Regions
from graphkit.microdata.microaggregation.search.searching import search
from graphkit.microdata.microaggregation.standing import Standing

PRECISION = 1e-9
"""Share of the loss by which a bound may be below it and still be equal to it in floating point."""

_SHARE_OF_SEARCH = 5
_SEARCH_A_RECORD = 10_000
# of the work, the last: what branches of many records have left open until then, they hardly close
_SHARE_OF_LAST_SEARCH = 3
_FEW = 250
"""Records up to which one integer program chooses among all groups."""
_SHARE_OF_CHOICE = 10
_ROUNDS, _ROUNDS_IN_BRANCHES = 30, 3
_WORTH = 0.02
_COLUMNS_A_RECORD = 10
_NODES = 300
_SURE = 0.999
_EVERY = 40


def column_generation(points: Floats, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer better partitions and prove better bounds, first by the search, then by column generation.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int
    standing : Standing
        What is offered to.
    rng : Generator
    units : int
        Work of everything together.

    Notes
    -----
    The search has the first share of the work and, with many records and where a gap is left, the last one. All
    distances are kept; so with more than ``MOST_RECORDS`` records the bound is that of
    :func:`~graphkit.microdata.microaggregation.lower_bound.lower_bound`.

    References
    ----------
    Gentile, Spagnolo-Arrizabalaga, Castro, An algorithm for the microaggregation problem using column generation, IASI
    R. 20-02, 2020, for the master program; pricing, cuts and branches are of our own.
    """
    first = max(1, min(units // _SHARE_OF_SEARCH, _SEARCH_A_RECORD * points.shape[0]))
    search(points, k, standing, rng, first)
    if units > first and not standing.is_done:
        # of few records the first one has found what there is, and branches do close the gap
        last = units // _SHARE_OF_LAST_SEARCH if points.shape[0] > _FEW else 0
        prove(points, k, standing, units - first - last)
        if last and not standing.is_done:
            search(points, k, standing, rng, last)


def prove(points: Floats, k: int, standing: Standing, units: int) -> None:
    """Prove bounds by column generation, and offer better partitions that come up.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int
    standing : Standing
        Its partition is what the columns begin with; groups have at most 2k − 1 records.
    units : int
        Work, at most.
    """
    if points.shape[0] > MOST_RECORDS:
        standing.prove(lower_bound(points, k), "nearest records")
        return
    around = surroundings_of(points, k)
    loss = float(losses_of(groups_of(standing.labels, 2 * k - 1), around.distances).sum())
    if loss == 0.0:
        standing.prove(standing.loss, "column generation")
        return
    # by a power of two, so that no distance is rounded: the duals of the solver are about 1 then
    scale = 2.0 ** np.round(np.log2(points.shape[0] / loss))
    _Proof(points, k, standing, around.scaled(scale), scale, units).run()


Open = tuple[float, int, Demands, Pair | None]
"""A branch: its bound, a number that tells it from others, its demands, and the pair to branch at."""


class _Proof:
    """The bound of the whole, from the bounds of the branches that are open."""

    def __init__(
        self, points: Floats, k: int, standing: Standing, around: Surroundings, scale: float, units: int
    ) -> None:
        self.points, self.k, self.standing, self.around, self.scale = points, k, standing, around, scale
        self.meter = Meter(standing.budget, units, points.shape[0])
        duals, evaluated = ascended(around, k, self.meter.scores_left())
        self.meter.charge_scores(evaluated)
        standing.prove((fsum(duals) - MARGIN * fsum(duals)) / scale, "dual ascent")
        self.relaxation = Relaxation(around, k, standing.labels, duals)

    @property
    def enough(self) -> float:
        """What a bound need not surpass."""
        return self.standing.loss * self.scale * (1 - PRECISION)

    @property
    def is_over(self) -> bool:
        """Whether the partition is good enough or the work is done."""
        return self.standing.is_done or self.meter.is_spent()

    def run(self) -> None:
        """Prove, branch by branch, the one of the least bound first."""
        root = self._bounded(Demands(), _ROUNDS)
        waiting = [(root.bound, 0, Demands(), self._pair(root))] if root.bound < self.enough else []
        self._record(waiting, [])
        self._choose_among_groups(root)
        # bounds of branches that rounding in the solver leaves open
        unproven: list[float] = []
        made = 0
        while waiting and not self.is_over:
            bound, _, demands, pair = heappop(waiting)
            if bound >= self.enough:
                continue
            # nothing to branch at: a bound that was near enough before a better partition was found is no more
            for branch in (demands,) if pair is None else demands.branches(pair):
                made += 1
                relaxed = self._bounded(branch, _ROUNDS_IN_BRANCHES)
                if pair is None and bound >= relaxed.bound < self.enough:
                    unproven.append(bound)
                elif relaxed.bound < self.enough:
                    heappush(waiting, (max(bound, relaxed.bound), made, branch, self._pair(relaxed)))
            self._record(waiting, unproven)
            if made % _EVERY == 0:
                self._choose_among_groups(relaxed)
            # last: weights are those of the columns that were there
            self.relaxation.tidy()

    def _bounded(self, demands: Demands, rounds: int) -> Relaxed:
        """Return bound and weights of a branch, after rounds of cuts that are worth it."""
        relaxed = self.relaxation.relax(demands, self.enough, self.meter)
        best = relaxed.bound
        self._round_off(relaxed)
        for _ in range(rounds):
            self._record_root(demands, best)
            if best >= self.enough or self.is_over:
                break
            # a better partition may ask for more than the bound that was near enough before
            is_near = relaxed.value - best <= tolerance(relaxed.value, self.enough)
            if not self.relaxation.cut(relaxed.weights) and is_near:
                break
            before = best
            relaxed = self.relaxation.relax(demands, self.enough, self.meter)
            best = max(best, relaxed.bound)
            self._round_off(relaxed)
            if is_near and best - before < _WORTH * (self.enough - best):
                break
        return relaxed._replace(bound=best)

    def _pair(self, relaxed: Relaxed) -> Pair | None:
        return pair_to_branch_at(self.relaxation.master.columns, relaxed.weights, self.around.distances)

    def _round_off(self, relaxed: Relaxed) -> None:
        """Offer partitions that are near the weights."""
        for labels in roundings(self.points, self.k, self.relaxation.master.columns, relaxed.weights):
            self._offer(labels)

    def _choose_among_groups(self, relaxed: Relaxed) -> None:
        """Offer good partitions into groups that may matter, first with those that the weights are sure of."""
        columns = self.relaxation.master.columns
        costs = self.relaxation.reduced_costs()
        limit = max(0.0, self.enough - self.standing.bound * self.scale)
        order = np.argsort(costs, kind="stable")[: _COLUMNS_A_RECORD * self.points.shape[0]]
        weights = np.append(relaxed.weights, np.zeros(columns.size - relaxed.weights.size))
        some = np.sort(order[(costs[order] <= limit) | (weights[order] > 0)])
        columns, weights = columns.chosen(some), weights[some]
        if self.points.shape[0] > _FEW:
            self._choose_in_regions(columns)
            return
        for sure in (weights > _SURE, self._are_chosen(columns) & (weights > _SURE)):
            labels = best_partition(columns, sure, self.points.shape[0], self.meter, nodes=_NODES)
            if labels is not None:
                self._offer(labels)
            if self.is_over:
                break

    def _choose_in_regions(self, columns: Columns) -> None:
        """Offer a better partition into these groups and those of the best one, found with a share of what is left."""
        budget = self.standing.budget
        own = groups_of(self.standing.labels, 2 * self.k - 1)
        columns = Columns.of(np.concatenate((columns.members, own)), self.around.distances)
        groups, before = [row[row >= 0] for row in columns.members], budget.work
        regions = Regions(self.points, groups, columns.losses)
        found = regions.improved(self.standing.labels, budget, before + self.meter.left // _SHARE_OF_CHOICE)
        self.meter.left -= budget.work - before
        self._offer(found)

    def _are_chosen(self, columns: Columns) -> Bools:
        """Return which columns are groups of the best partition."""
        chosen = Columns.of(groups_of(self.standing.labels, 2 * self.k - 1), self.around.distances)
        known = set(chosen.marks())
        return np.array([key in known for key in columns.marks()], dtype=np.bool_)

    def _offer(self, labels: Ints) -> None:
        if np.bincount(labels).max() < 2 * self.k and self.standing.offer(labels, "column generation"):
            self.relaxation.learn(self.standing.labels)

    def _record_root(self, demands: Demands, bound: float) -> None:
        if demands == Demands():
            self.standing.prove(min(bound / self.scale, self.standing.loss), "column generation")

    def _record(self, waiting: list[Open], unproven: list[float]) -> None:
        """Take the least bound of a branch that is open; where none is, the partition is best."""
        lowest = min([*unproven, *(bound for bound, *_ in waiting)], default=np.inf)
        self.standing.prove(self.standing.loss if lowest >= self.enough else lowest / self.scale, "column generation")
