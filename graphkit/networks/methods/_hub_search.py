"""Sequences chosen with the graph among the hubs in view, realized, and corrected by what stood in the way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, is_among, most_violated, violated_set_of
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.effort.work import CORE_PAIR, LOOK, REALIZATION, SEARCH
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._annealing import Annealing, Schedule
from graphkit.networks.methods._candidate import Candidate, candidate_from, candidate_of
from graphkit.networks.methods._more_demand import MoreDemand, Wanted
from graphkit.networks.methods._serving import serving
from graphkit.networks.methods._top_groups import with_other_tops
from graphkit.networks.methods.lower.around_best import around_best
from graphkit.networks.methods.lower.serving_sets import FEW_LEFT, ServingSets, lowest_ends
from graphkit.networks.realization.mapping import map_demands
from graphkit.networks.realization.realizing import Realization, realize_exactly
from graphkit.networks.sequences.violated_set_dp import SCALE, cheapest_groups

_WHOLE = 1500
_CORE = 400
_EXPANSIONS = 6
_REALIZATIONS = 2
_TURNS = 12
_PATIENCE = 6
_PROMISING = 8
_KNOWN = 12
_EXCHANGED = 3
_REFILLS = 6
# violated sets that are served at once, vertices of a large kind, and units in which a program without a solution ends
_SETS = 4
_LARGE_KIND = 4
# where all are seen one by one, groups and a share above the estimate from which on a linear program still sees more
_FEW_GROUPS, _FAR = 8, 50
_SOON = SECOND // 10
_ATTEMPTS = 10
# with so few left, or one in so many of all, a little more demand does; up to a larger share as long as each time no
# more is left than that part of what was left before
_FEW_OF_ALL = 500
_SMALL_SHARE, _LESS = 50, 3 / 4
# from here on a group is large
_LARGE = 20
# steps of a grouping, and pairs that are looked at, that count one unit
_GROUPING_STEPS = 300
# temperatures in units of k: hot enough to leave the first sequence, or little more than what it takes to improve it
_SCHEDULES = (
    Schedule(heat=0.5, weight=14, work=30_000_000, reach=2, low_heat=0.03, regrouping=True),
    Schedule(heat=0.15, weight=16, work=30_000_000, reach=3, low_heat=0.25),
    Schedule(heat=0.15, weight=14, work=30_000_000, reach=2, low_heat=0.03, regrouping=True),
    Schedule(heat=0.5, weight=16, work=30_000_000, reach=3, low_heat=0.25),
)
# where demand raised below does not do, all of it must be found inside the core; of few groups the last of it is dear
_FILLS = (
    Schedule(heat=0.5, weight=64, work=40_000_000, regrouping=True),
    Schedule(heat=1.0, weight=512, work=40_000_000, regrouping=True),
    Schedule(heat=1.0, weight=32, work=40_000_000, regrouping=True),
)
# a small graph has few ways to change
_WORK_PER_PAIR = 40_000
_MULTIPLIERS = (SCALE // 4, SCALE // 2, 3 * SCALE // 4, 7 * SCALE // 8, 15 * SCALE // 16, SCALE - 1, SCALE)


class HubSearch:
    """A search for sequences with the Erdős–Gallai inequality of concrete hubs relaxed into the cost.

    Notes
    -----
    A set R of hubs whose demands exceed what they can get is a violated set. Its inequality enters the cost with
    several multipliers; each gives a sequence, which meets its own violated set, and so on. What a sequence still lacks
    is raised below the hubs. The most promising ones are realized; a violated set that the realization proves is used
    like the others. All limits are counts, so the result depends on the input and the seed alone.
    """

    def __init__(self, view: GraphView, k: int, rng: Rng, budget: Budget, *, patience: int = 1) -> None:
        self._view, self._k, self._rng, self._budget = view, k, rng, budget
        # a graph of that size is looked at as a whole; of a larger one the groups that hubs can be in are enough
        positions = Positions.of(view, k, _WHOLE if view.vertex_count <= _WHOLE else max(_CORE, 3 * k))
        self._positions, self._core, self._degrees = positions, positions.core, positions.degrees
        self._more = MoreDemand(view.block_sequence(), positions, rng, by_groups=k >= _LARGE)
        self._candidates: list[Candidate] = []
        self._expanded: set[bytes] = set()
        self._known: list[Bools] = []
        self._reviewed = 0
        self._annealing = Annealing(positions)
        self._serving_sets = ServingSets(view, positions, self._learn, rng, budget)
        # whether many are looked at, one by one
        self._is_large_whole = self._core.size == view.vertex_count > _CORE
        self.first_groups: FirstGroups | None = None
        """Those of which a bound can say least, if any were found since the last turn."""
        self._fills = cycle(_FILLS)
        self._most_work = _WORK_PER_PAIR * self._core.size**2
        self._realized: set[bytes] = set()
        self._exchanged: set[bytes] = set()
        self._served_sets: set[bytes] = set()
        self._patience = patience
        budget.charge(SEARCH)

    @property
    def violated_sets(self) -> list[Bools]:
        """The sets of hubs that were met, shape (c,) each."""
        return [*self._annealing.violated_sets, *self._known]

    def steps(self, size: int) -> Iterator[Ints | None]:
        """Yield after each step, a set of fewer edges than all before and than `size` where there is one."""
        self._add(cheapest_groups(self._degrees, self._k))
        self._expand()
        yield None
        self._exchange(2 * size)
        yield None
        best: Ints | None = None
        for edges in self._realized_ones(size):
            size, best = (size, best) if edges is None else (int(edges.shape[0]), edges)
            yield edges
        patience = _PATIENCE
        for turn in range(_TURNS * self._patience):
            found, before = self._anneal(turn, 2 * size), size
            patience = _PATIENCE if found is not None else patience - 1
            # a candidate that was found is realized in the same step: that is where the gain comes from
            if patience < _PATIENCE:
                yield None
            if patience == 0:
                return
            for step in (self._realized_ones, partial(self._filled_ones, found), self._serving_ones, self._first_ones):
                for edges in step(size):
                    size, best = (size, best) if edges is None else (int(edges.shape[0]), edges)
                    self._review()
                    yield edges
                    self._exchange(2 * size)
            # once annealing finds no less
            if best is not None and size == before and self._is_large_whole:
                best = around_best(self._serving_sets, self._positions, best, self.violated_sets, size, self._budget)
                size = size if best is None else int(best.shape[0])
                yield best
            if self._budget.is_spent():
                return

    def _filled_ones(self, start: Candidate | None, size: int) -> Iterator[Ints | None]:
        """Realize what was annealed with all its demand inside the core, where it was not realized as it is.

        Then once more, from there, as long as that finds less: a realization that fails may prove another violated set.
        """
        for _ in range(_REFILLS):
            if start is None or start.estimate >= 2 * size or self._budget.is_spent():
                return
            schedule = next(self._fills)
            schedule = replace(schedule, work=min(schedule.work, self._most_work))
            start = self._annealing.best(start, 2 * size, schedule, self._rng, self._budget)
            if start is None:
                yield None
                return
            edges = self._realized_one(start, size)
            size = size if edges is None else int(edges.shape[0])
            yield edges

    def _serving_ones(self, size: int) -> Iterator[Ints | None]:
        """Realize sequences that serve violated sets, one after another, and what annealing makes of them."""
        of_candidates = [c.violated_set.members for c in self._promising() if c.violated_set is not None]
        for members in [*of_candidates, *self._known]:
            key = members.tobytes()
            if key in self._served_sets or self._budget.is_spent():
                continue
            self._served_sets.add(key)
            candidate = serving(self._positions, violated_set_of(self._core, members), 2 * size, self._budget)
            if candidate is None:
                continue
            edges = self._realized_one(candidate, size)
            size = size if edges is None else int(edges.shape[0])
            yield edges
            for edges in self._filled_ones(candidate, size):
                size = size if edges is None else int(edges.shape[0])
                yield edges

    def _first_ones(self, size: int) -> Iterator[Ints | None]:
        """Realize what begins as a bound has it, and what annealing makes of that."""
        first, self.first_groups = self.first_groups, None
        if first is None:
            return
        candidate = candidate_from(self._positions, first, self._known)
        if candidate is None:
            return
        self._budget.charge(self._price(candidate))
        if candidate.key in self._realized or candidate.estimate >= 2 * size:
            return
        edges = self._realized_one(candidate, size)
        if edges is None and first.is_last and candidate.violated_set is not None:
            edges = self._served(candidate, [candidate.violated_set], 2 * size, highest=False, always=True)
        size = size if edges is None else int(edges.shape[0])
        yield edges
        for edges in self._filled_ones(candidate, size):
            size = size if edges is None else int(edges.shape[0])
            yield edges

    def _realized_one(self, candidate: Candidate, size: int) -> Ints | None:
        """Realize a candidate whatever others promise."""
        self._candidates.append(candidate)
        if candidate.key in self._realized:
            return None
        self._realized.add(candidate.key)
        return self._realize(candidate, 2 * size)

    def _realized_ones(self, size: int) -> Iterator[Ints | None]:
        """Realize the most promising candidates, as long as they promise fewer edges than the least so far."""
        for _ in range(_REALIZATIONS):
            candidate = self._next(2 * size)
            if candidate is None or self._budget.is_spent():
                return
            edges = self._realize(candidate, 2 * size)
            size = size if edges is None else int(edges.shape[0])
            yield edges

    def _next(self, limit: int) -> Candidate | None:
        """Return the most promising candidate that was not realized yet, if it promises less than the limit."""
        open_ones = [c for c in self._candidates if c.key not in self._realized]
        best = min(open_ones, key=lambda c: c.estimate, default=None)
        if best is None or best.estimate >= limit:
            return None
        self._realized.add(best.key)
        return best

    def _promising(self) -> list[Candidate]:
        """Return the most promising candidates, the first ones from then on."""
        self._candidates.sort(key=lambda c: c.estimate)
        return self._candidates[:_PROMISING]

    def _add(self, borders: Ints) -> None:
        candidate = candidate_of(self._positions, borders, self._known)
        self._budget.charge(self._price(candidate))
        self._candidates.append(candidate)

    def _price(self, candidate: Candidate) -> int:
        """Return what it counts to look at such a candidate: the pairs of hubs that ask for anything."""
        return LOOK + int(np.count_nonzero(candidate.demands[: self._core.size]) ** 2 * CORE_PAIR)

    def _expand(self) -> None:
        """Relax the violated sets of the most promising candidates until the best ones have none that is new."""
        while len(self._expanded) < _EXPANSIONS and not self._budget.is_spent():
            violated_sets = (c.violated_set for c in self._promising())
            new = next((o for o in violated_sets if o is not None and o.members.tobytes() not in self._expanded), None)
            if new is None:
                return
            self._relax(new)

    def _exchange(self, limit: int) -> None:
        """Let others end in the first groups of the most promising candidates."""
        for candidate in self._promising()[:_EXCHANGED]:
            if candidate.key in self._exchanged or self._budget.is_spent():
                continue
            self._exchanged.add(candidate.key)
            found = []
            for other in with_other_tops(self._positions, candidate, self._known):
                steps = self._degrees.size * self._k + self._core.size**2
                self._budget.charge(self._price(other) + steps // _GROUPING_STEPS)
                found.append(other)
                if self._budget.is_spent():
                    break
            best = sorted((c for c in found if c.estimate < limit), key=lambda c: c.estimate)[:_EXCHANGED]
            self._exchanged |= {c.key for c in best}
            self._candidates += best

    def _anneal(self, turn: int, limit: int) -> Candidate | None:
        """Anneal from the most promising candidate; return one below the limit that was found."""
        # without a violated set there is nothing to get round
        blocked = [c for c in self._candidates if c.violated_set is not None]
        start = min(blocked or self._candidates, key=lambda c: c.estimate)
        schedule = _SCHEDULES[turn % len(_SCHEDULES)]
        work = min(schedule.work, self._most_work) * self._patience
        schedule = replace(schedule, heat=schedule.heat * self._k, work=work)
        found = self._annealing.best(start, limit, schedule, self._rng, self._budget)
        if found is not None:
            self._candidates.append(found)
        return found

    def _relax(self, violated_set: ViolatedSet) -> None:
        self._expanded.add(violated_set.members.tobytes())
        for multiplier in _MULTIPLIERS:
            self._add(cheapest_groups(self._degrees, self._k, violated_set, multiplier))

    def _realize(self, candidate: Candidate, limit: int) -> Ints | None:
        """Return edges for a candidate with as much more demand as it turns out to need, fewer than the limit."""
        asking = [] if candidate.violated_set is None else [candidate.violated_set]
        missing, least, few = candidate.missing, limit, max(FEW_LEFT, limit // _FEW_OF_ALL)
        for _ in range(_ATTEMPTS):
            wanted = self._more.raised(candidate, missing, limit)
            if wanted is None:
                break
            enough, least = max(few, min(limit // _SMALL_SHARE, round(_LESS * least))), limit
            # what hub gets which demand was thought of; below the hubs chance and few conflicts may do better
            for by_chance in (False, True):
                found = self._realized_demands(wanted, by_chance)
                left = int(found.leftover.sum())
                if left == 0:
                    return found.edges
                least = min(least, left)
                learned = self._learn(found)
                if left >= FEW_LEFT:
                    break
            if learned is not None and not is_among(learned, asking):
                asking.append(learned)
            # where that much more demand left as many, it is asked of others than can be joined to those
            if least >= enough:
                break
            missing = wanted.total - int(candidate.demands.sum()) + least
        if not asking:
            return None
        before = self._budget.work
        edges = self._served(candidate, asking[-_SETS:], limit, highest=False)
        # that nothing serves all is soon known, where too many keep their groups
        if edges is None and len(asking) > 1 and self._budget.work - before < _SOON:
            edges = self._served(candidate, asking[-_SETS:], limit, highest=True)
        return edges

    def _served(
        self, candidate: Candidate, sets: list[ViolatedSet], limit: int, *, highest: bool, always: bool = False
    ) -> Ints | None:
        """Return edges for the hubs of a candidate, where others are raised so that sets of hubs find partners.

        Those hubs end as high as the lowest member of a set; or of the highest set. Where annealing is likely to see
        more nothing is asked, unless always.
        """
        # where many are looked at one by one, and nearly everybody is of a kind of its own, annealing sees more, unless
        # there is little that it can change and it is far from what it promises
        is_near = self._core.size > _FEW_GROUPS * self._k or limit - candidate.estimate <= limit // _FAR
        kinds = self._core.size // _LARGE_KIND if self._is_large_whole and is_near and not always else None

        def last(sets: Sequence[ViolatedSet]) -> int:
            return (max if highest else min)(lowest_ends(self._positions, candidate, sets))

        # one step of many: it takes no more than half of what all took so far
        end = self._budget.work + max(2 * SECOND, self._budget.work // 2)
        return self._serving_sets.edges(candidate, sets, limit, end, last=last, most=_SETS, kinds=kinds)

    def _realized_demands(self, wanted: Wanted, by_chance: bool) -> Realization:
        if by_chance:
            chosen = map_demands(self._view, wanted.raises(self._core), self._rng)
        else:
            hubs = self._core.vertices[: wanted.hubs.size]
            chosen = map_demands(self._view, wanted.below, self._rng, (hubs, wanted.hubs))
        self._budget.charge(REALIZATION)
        return realize_exactly(chosen, self._rng, self._budget)

    def _learn(self, found: Realization) -> ViolatedSet | None:
        """Keep the violated set that a realization proved, if it is one of hubs, and return it."""
        if found.violated is None:
            return None
        members = np.isin(self._core.vertices, found.violated)
        if members.sum() != found.violated.size:
            return None
        violated_set = violated_set_of(self._core, members)
        self._annealing.learn(violated_set)
        if len(self._known) < _KNOWN:
            self._known.append(members)
            if len(self._expanded) < _EXPANSIONS and members.tobytes() not in self._expanded:
                self._relax(violated_set)
        return violated_set

    def _review(self) -> None:
        """Look at the most promising candidates again with all violated sets that are known by now."""
        if len(self._known) == self._reviewed:
            return
        self._reviewed = len(self._known)
        for i, candidate in enumerate(self._promising()):
            violated_set = most_violated(self._core, candidate.demands, self._known)
            self._candidates[i] = replace(candidate, violated_set=violated_set)
