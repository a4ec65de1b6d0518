"""Sequences chosen with the graph among the hubs in view, realized, and corrected by what stood in the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.graph_view import GraphView
from graphkit.networks.hub_core import hub_core, truncated_positions
from graphkit.networks.mapping import map_demands
from graphkit.networks.obstacles import Obstacle, most_violated, obstacle_of
from graphkit.networks.realization import realize_exactly
from graphkit.networks.sequences.filling import Filling
from graphkit.networks.sequences.lifts import Lifts, merge_lifts
from graphkit.networks.sequences.obstacle_dp import SCALE, cheapest_groups, group_demands
from graphkit.networks.waste import add_waste

__all__ = ["HubSearch"]

_CORE = 1500
_EXPANSIONS = 24
_REALIZATIONS = 12
_ATTEMPTS = 6
_MULTIPLIERS = (SCALE // 4, SCALE // 2, 3 * SCALE // 4, 7 * SCALE // 8, 15 * SCALE // 16, SCALE - 1, SCALE)
_MOST_BITS = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A sequence, what stands in its way, and what it will cost with as much waste as that calls for."""

    borders: NDArray[np.int64]
    demands: NDArray[np.int64]
    obstacle: Obstacle | None

    @property
    def estimate(self) -> int:
        """Twice the number of edges that are hoped for."""
        total = int(self.demands.sum()) + self.missing
        return total + total % 2

    @property
    def missing(self) -> int:
        """Partners that the hubs lack."""
        return self.obstacle.excess if self.obstacle is not None else 0


class HubSearch:
    """A search for sequences with the Erdős–Gallai inequality of concrete hubs relaxed into the cost.

    Notes
    -----
    A set R of hubs whose demands exceed what they can get is an obstacle. Its inequality enters the cost with several
    multipliers; each gives a sequence, which meets its own obstacle, and so on. What a sequence still lacks is raised
    below the hubs. The most promising ones are realized; an obstacle that the realization proves is used like the
    others. All limits are counts, so the result depends on the input and the seed alone.
    """

    def __init__(self, view: GraphView, k: int, rng: np.random.Generator, budget: Budget) -> None:
        self._view, self._k, self._rng, self._budget = view, k, rng, budget
        self._blocks = view.block_sequence()
        self._core = hub_core(view, _CORE)
        self._degrees = truncated_positions(self._blocks, self._core, k)
        self._candidates: list[_Candidate] = []
        self._expanded: set[bytes] = set()
        self._realized: set[bytes] = set()

    def solutions(self, size: int) -> Iterator[NDArray[np.int64]]:
        """Yield sets of fewer and fewer edges, all fewer than `size`."""
        self._add(cheapest_groups(self._degrees, self._k))
        self._expand()
        for _ in range(_REALIZATIONS):
            candidate = self._next(2 * size)
            if candidate is None or self._budget.is_spent():
                return
            edges = self._realize(candidate, 2 * size)
            if edges is not None:
                size = int(edges.shape[0])
                yield edges
            self._expand()

    def _next(self, limit: int) -> _Candidate | None:
        """Return the most promising candidate that was not realized yet, if it promises less than the limit."""
        open_ones = [c for c in self._candidates if c.demands.tobytes() not in self._realized]
        best = min(open_ones, key=lambda c: c.estimate, default=None)
        if best is None or best.estimate >= limit:
            return None
        self._realized.add(best.demands.tobytes())
        return best

    def _add(self, borders: NDArray[np.int64]) -> None:
        demands = group_demands(self._degrees, borders)
        self._candidates.append(_Candidate(borders, demands, most_violated(self._core, demands)))

    def _expand(self) -> None:
        """Relax the obstacles of the most promising candidates until the best ones have none that is new."""
        while len(self._expanded) < _EXPANSIONS and not self._budget.is_spent():
            obstacles = (c.obstacle for c in sorted(self._candidates, key=lambda c: c.estimate)[:8])
            new = next((o for o in obstacles if o is not None and o.members.tobytes() not in self._expanded), None)
            if new is None:
                return
            self._relax(new)

    def _relax(self, obstacle: Obstacle) -> None:
        self._expanded.add(obstacle.members.tobytes())
        for multiplier in _MULTIPLIERS:
            self._add(cheapest_groups(self._degrees, self._k, obstacle, multiplier))

    def _realize(self, candidate: _Candidate, limit: int) -> NDArray[np.int64] | None:
        """Return edges for a candidate with as much more demand as it turns out to need, fewer than the limit."""
        missing = candidate.missing
        for attempt in range(_ATTEMPTS):
            lifts = self._with_more(candidate, missing, limit)
            if lifts is None or lifts.cost >= limit:
                return None
            found = realize_exactly(map_demands(self._view, lifts, self._rng), self._rng, self._budget)
            left = int(found.leftover.sum())
            if left == 0:
                return found.edges
            if found.violated is not None and len(self._expanded) < _EXPANSIONS:
                members = np.isin(self._core.vertices, found.violated)
                if members.sum() == found.violated.size and members.tobytes() not in self._expanded:
                    self._relax(obstacle_of(self._core, members))
            # chance may do without the last few; twice the same lack is no chance
            if left > 4 or attempt % 2:
                missing = lifts.cost - int(candidate.demands.sum()) + left
        return None

    def _with_more(self, candidate: _Candidate, missing: int, limit: int) -> Lifts | None:
        """Return the lifts of a candidate with at least `missing` more demand, an even sum in all."""
        lifts = self._lifts(candidate.demands)
        missing += (lifts.cost + missing) % 2
        wasted = add_waste(self._blocks, lifts, self._k, missing)
        if wasted is not None:
            return wasted
        start = self._start_below(candidate)
        if start is None:
            return None
        above = int(candidate.demands[:start].sum())
        most = max(limit - above, 0)
        if most * (self._degrees.size - start) > _MOST_BITS:
            return None
        filling = Filling(self._degrees, start, self._k, most)
        extra = filling.nearest(max(lifts.cost + missing - above - filling.least, 0))
        while extra is not None and (above + filling.least + extra) % 2:
            extra = filling.nearest(extra + 1)
        if extra is None:
            return None
        borders = np.concatenate((candidate.borders[candidate.borders < start], filling.groups(extra, self._rng)))
        return self._lifts(group_demands(self._degrees, borders))

    def _start_below(self, candidate: _Candidate) -> int | None:
        """Return the first border below the obstacle."""
        last = 0 if candidate.obstacle is None else int(np.flatnonzero(candidate.obstacle.members)[-1]) + 1
        below = candidate.borders[candidate.borders >= last]
        return int(below[0]) if below[0] < self._degrees.size else None

    def _lifts(self, demands: NDArray[np.int64]) -> Lifts:
        return merge_lifts(self._degrees, self._degrees + demands, np.ones_like(demands))
