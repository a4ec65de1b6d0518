"""Sequences chosen with the graph among the hubs in view, realized, and corrected by what stood in the way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.graph_view import GraphView
from graphkit.networks.hub_core import hub_core, truncated_positions
from graphkit.networks.mapping import map_demands
from graphkit.networks.methods._candidate import Candidate, candidate_of
from graphkit.networks.methods._more_demand import MoreDemand, Wanted
from graphkit.networks.methods._polish import kick, polish
from graphkit.networks.obstacles import Obstacle, obstacle_of
from graphkit.networks.realization import Realization, realize_exactly
from graphkit.networks.sequences.obstacle_dp import SCALE, cheapest_groups

__all__ = ["HubSearch"]

_WHOLE = 1500
_CORE = 400
_EXPANSIONS = 24
_REALIZATIONS = 12
_ATTEMPTS = 8
_FEW = 8
_PROMISING = 8
_KNOWN = 12
# a trial takes about the square of the core's size
_TRIALS = 1500
_TRIAL_STEPS = 300_000_000
_MULTIPLIERS = (SCALE // 4, SCALE // 2, 3 * SCALE // 4, 7 * SCALE // 8, 15 * SCALE // 16, SCALE - 1, SCALE)


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
        blocks = view.block_sequence()
        # a graph of that size is looked at as a whole; of a larger one the groups that hubs can be in are enough
        self._core = hub_core(view, _WHOLE if view.vertex_count <= _WHOLE else max(_CORE, 3 * k))
        self._degrees = truncated_positions(blocks, self._core, k)
        self._more = MoreDemand(blocks, self._core, self._degrees, k, rng)
        self._candidates: list[Candidate] = []
        self._expanded: set[bytes] = set()
        self._known: list[NDArray[np.bool_]] = []
        self._reviewed = 0
        self._polished: set[bytes] = set()
        self._trials = min(_TRIALS, _TRIAL_STEPS // max(self._core.size**2, 1))
        self._kick_trials = self._trials // 5
        self._realized: set[bytes] = set()

    def solutions(self, size: int) -> Iterator[NDArray[np.int64]]:
        """Yield sets of fewer and fewer edges, all fewer than `size`."""
        self._add(cheapest_groups(self._degrees, self._k))
        self._expand()
        self._polish(2 * size)
        for _ in range(_REALIZATIONS):
            candidate = self._next(2 * size) or self._kicked(2 * size)
            if candidate is None or self._budget.is_spent():
                return
            edges = self._realize(candidate, 2 * size)
            if edges is not None:
                size = int(edges.shape[0])
                yield edges
            self._review()
            self._expand()
            self._polish(2 * size)

    def _next(self, limit: int) -> Candidate | None:
        """Return the most promising candidate that was not realized yet, if it promises less than the limit."""
        open_ones = [c for c in self._candidates if c.key not in self._realized]
        best = min(open_ones, key=lambda c: c.estimate, default=None)
        if best is None or best.estimate >= limit:
            return None
        self._realized.add(best.key)
        return best

    def _add(self, borders: NDArray[np.int64]) -> None:
        self._candidates.append(candidate_of(self._core, self._degrees, borders, known=self._known))

    def _expand(self) -> None:
        """Relax the obstacles of the most promising candidates until the best ones have none that is new."""
        while len(self._expanded) < _EXPANSIONS and not self._budget.is_spent():
            obstacles = (c.obstacle for c in sorted(self._candidates, key=lambda c: c.estimate)[:8])
            new = next((o for o in obstacles if o is not None and o.members.tobytes() not in self._expanded), None)
            if new is None:
                return
            self._relax(new)

    def _polish(self, limit: int) -> None:
        """Improve the most promising candidates by small changes."""
        for candidate in sorted(self._candidates, key=lambda c: c.estimate)[:_PROMISING]:
            if candidate.key in self._polished:
                continue
            self._polished.add(candidate.key)
            core, degrees = self._core, self._degrees
            polished, self._trials = polish(core, degrees, self._k, candidate, self._budget, self._trials, self._known)
            self._polished.add(polished.key)
            if polished.estimate < limit:
                self._candidates.append(polished)

    def _kicked(self, limit: int) -> Candidate | None:
        """Return a candidate below the limit that is reached from changes at random of the best ones, or None."""
        core, degrees = self._core, self._degrees
        base = min(self._candidates, key=lambda c: c.estimate)
        self._trials = min(self._trials, self._kick_trials)
        while self._trials > 0 and base.obstacle is not None and not self._budget.is_spent():
            kicked = kick(core, degrees, self._k, base, self._rng, self._known)
            trials = self._trials - 1
            polished, self._trials = polish(core, degrees, self._k, kicked, self._budget, trials, self._known)
            if polished.estimate < limit and polished.key not in self._realized:
                self._candidates.append(polished)
                self._realized.add(polished.key)
                return polished
            if polished.estimate <= base.estimate:
                base = polished
        return None

    def _relax(self, obstacle: Obstacle) -> None:
        self._expanded.add(obstacle.members.tobytes())
        for multiplier in _MULTIPLIERS:
            self._add(cheapest_groups(self._degrees, self._k, obstacle, multiplier))

    def _realize(self, candidate: Candidate, limit: int) -> NDArray[np.int64] | None:
        """Return edges for a candidate with as much more demand as it turns out to need, fewer than the limit."""
        missing = candidate.missing
        for attempt in range(_ATTEMPTS):
            wanted = self._more.raised(candidate, missing, limit)
            if wanted is None:
                return None
            # what hub gets which demand was thought of; below the hubs chance and few conflicts may do better
            found = self._realized_demands(wanted, by_chance=bool(attempt % 2))
            left = int(found.leftover.sum())
            if left == 0:
                return found.edges
            self._learn(found)
            if left > _FEW or attempt % 2:
                missing = wanted.total - int(candidate.demands.sum()) + left
        return None

    def _realized_demands(self, wanted: Wanted, by_chance: bool) -> Realization:
        if by_chance:
            chosen = map_demands(self._view, wanted.lifts(self._core), self._rng)
        else:
            chosen = map_demands(self._view, wanted.below, self._rng, (self._core.vertices, wanted.hubs))
        return realize_exactly(chosen, self._rng, self._budget)

    def _learn(self, found: Realization) -> None:
        """Keep the obstacle that a realization proved, if it is one of hubs."""
        if found.violated is None:
            return
        members = np.isin(self._core.vertices, found.violated)
        if members.sum() == found.violated.size and len(self._known) < _KNOWN:
            self._known.append(members)
            if len(self._expanded) < _EXPANSIONS and members.tobytes() not in self._expanded:
                self._relax(obstacle_of(self._core, members))

    def _review(self) -> None:
        """Look at the most promising candidates again with all obstacles that are known by now."""
        if len(self._known) == self._reviewed:
            return
        self._reviewed = len(self._known)
        self._candidates.sort(key=lambda c: c.estimate)
        for i, candidate in enumerate(self._candidates[:_PROMISING]):
            groups = candidate.borders, candidate.levels
            self._candidates[i] = candidate_of(self._core, self._degrees, *groups, known=self._known)
