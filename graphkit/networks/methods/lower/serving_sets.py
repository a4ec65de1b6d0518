"""Edges for the hubs of a candidate, where all others are chosen so that sets of hubs find the partners they lack."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, is_among
from graphkit.networks.effort.work import REALIZATION
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._candidate import Candidate
from graphkit.networks.methods.lower.demands import LowerDemands
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.realization.realizing import Realization, realize_exactly

FEW_LEFT = 20
"""With so few edges left, a little more demand does."""


def lowest_ends(positions: Positions, candidate: Candidate, sets: Iterable[ViolatedSet]) -> list[int]:
    """Return the lowest degree that a member of each set ends on."""
    after = (positions.degrees + candidate.demands)[: positions.core.size]
    return [int(after[one.members].min()) for one in sets]


class ServingSets:
    """Chooses demands below the hubs, realizes them, and serves the set that was in the way as well, and so on.

    Parameters
    ----------
    view : GraphView
    positions : Positions
    learn : callable
        Keeps the violated set that a realization proves, if it is one of hubs, and returns it.
    rng : numpy.random.Generator
    budget : Budget
        Is charged.
    """

    def __init__(
        self,
        view: GraphView,
        positions: Positions,
        learn: Callable[[Realization], ViolatedSet | None],
        rng: Rng,
        budget: Budget,
    ) -> None:
        self._view, self._positions, self._learn, self._rng, self._budget = view, positions, learn, rng, budget

    def edges(
        self,
        candidate: Candidate,
        sets: Sequence[ViolatedSet],
        limit: int,
        end: int,
        *,
        last: Callable[[Sequence[ViolatedSet]], int],
        most: int,
        kept: int = 0,
        kinds: int | None = None,
    ) -> Ints | None:
        """Return edges of a sum of demands below the limit, if some are found before the budget's work is `end`.

        Parameters
        ----------
        candidate : Candidate
            Says what hubs demand.
        sets : sequence of ViolatedSet
            Those that are served first.
        limit, end : int
        last : callable
            Returns the lowest degree of those that keep their groups, given the sets.
        most : int
            Sets that are served at once; those that were known last, and the first `kept`.
        kinds : int, optional
            With more kinds of vertices below the hubs nothing is looked for.
        """
        lower, least = LowerDemands(self._view, self._positions, candidate, sets, last(sets)), 0
        if kinds is not None and lower.kinds > kinds:
            return None
        while self._budget.work < end and not self._budget.is_spent():
            chosen = lower.chosen(least, limit, self._rng, self._budget, end)
            if chosen is None:
                return None
            vertices, demands = chosen
            order = np.argsort(vertices)
            self._budget.charge(REALIZATION)
            asked = DemandMap.of(self._view, vertices[order], demands[order])
            found = realize_exactly(asked, self._rng, self._budget)
            left = int(found.leftover.sum())
            if left == 0:
                return found.edges
            learned = self._learn(found)
            if learned is None or is_among(learned, sets):
                # some of what is raised for that finds no partner either
                least = int(demands.sum()) + left * (1 if left < FEW_LEFT else 2)
            else:
                sets = [*sets[:kept], *sets[kept:][1 + kept - most :], learned]
                lower = LowerDemands(self._view, self._positions, candidate, sets, last(sets))
        return None
