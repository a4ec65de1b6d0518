"""More demand below the hubs, so that they find as many partners as they need."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.core.assignment import assign_levels
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions
from graphkit.networks.methods._candidate import Candidate, candidate_with
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises
from graphkit.networks.sequences.filling import Filling
from graphkit.networks.sequences.slack_demand import add_slack_demand
from graphkit.networks.sequences.violated_set_dp import group_demands

_MOST_BITS, _MOST_STEPS = 1 << 30, 1 << 37
_SAMPLES = 6
_KEPT = (0, 2, 5, 10)


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """Demands of the first vertices of the core, and degree raises of the others."""

    hubs: Ints
    """Shape (h,) with h ≤ c."""
    below: DegreeRaises

    @property
    def total(self) -> int:
        """Sum of all demands: twice the number of new edges."""
        return int(self.hubs.sum()) + self.below.cost

    def raises(self, core: HighDegreeCore) -> DegreeRaises:
        """Return all of it as degree raises: how many, not which."""
        hubs = core.degrees[: self.hubs.size]
        return merge_raises(
            np.concatenate((hubs, self.below.source)),
            np.concatenate((hubs + self.hubs, self.below.target)),
            np.concatenate((np.ones_like(self.hubs), self.below.count)),
        )


class MoreDemand:
    """Ways to raise vertices below the hubs by a given sum."""

    def __init__(self, blocks: Ints, positions: Positions, rng: Rng, by_groups: bool) -> None:
        self._positions, self._rng, self._by_groups = positions, rng, by_groups
        self._core, self._degrees, self._k = positions.core, positions.degrees, positions.k
        self._is_whole = int(blocks.sum()) == self._degrees.size
        self._blocks = blocks

    def raised(self, candidate: Candidate, missing: int, limit: int) -> Wanted | None:
        """Return the demands of a candidate with at least `missing` more, even in sum and below the limit, or None."""
        total = int(candidate.demands.sum()) + missing
        total += total % 2
        if total >= limit:
            return None
        asking = int(np.count_nonzero(candidate.demands))
        # where the core is all of a graph, or nearly, only its lower part has what can be raised
        for hubs in dict.fromkeys((self._core.size, _hubs(candidate, self._core.size))):
            wanted = self._wanted(candidate, hubs)
            outside = self._blocks - np.bincount(self._core.degrees[:hubs], minlength=self._blocks.size)
            enlarged = add_slack_demand(outside, wanted.below, self._k, total - wanted.total, asking)
            if enlarged is not None:
                return Wanted(wanted.hubs, enlarged)
        return self._regrouped(candidate, total, limit) if self._by_groups else None

    def _wanted(self, candidate: Candidate, hubs: int) -> Wanted:
        """Return the demands of a candidate: those of so many vertices of the core, and what is asked of others."""
        degrees, demands = self._degrees[hubs:], candidate.demands[hubs:]
        return Wanted(candidate.demands[:hubs], merge_raises(degrees, degrees + demands, np.ones_like(demands)))

    def _regrouped(self, candidate: Candidate, total: int, limit: int) -> Wanted | None:
        """Return the candidate with new groups below its violated set, so that all demands sum up to `total` or
        more."""
        after = self._degrees + candidate.demands
        last = int(after.max()) + 1
        if candidate.violated_set is not None:
            last = int(after[: self._core.size][candidate.violated_set.members].min())
        below = np.unique(after[after < last])[::-1]
        found: list[Candidate] = []
        # what the next groups ask for more may be missing there: the lower it is asked for, the better
        for kept in _KEPT:
            if kept < below.size:
                found += self._filled(candidate, np.flatnonzero(after <= below[kept]), total, limit)
        best = min(found, key=attrgetter("estimate"), default=None)
        return None if best is None else self._wanted(best, self._core.size)

    def _filled(self, candidate: Candidate, rest: Ints, total: int, limit: int) -> Iterator[Candidate]:
        """Yield the candidate with random groups of the rest, so that all demands sum up to `total` or more."""
        degrees = self._degrees[rest]
        above = int(candidate.demands.sum() - candidate.demands[rest].sum())
        least = Filling(degrees, 0, self._k, 0).least
        # where no vertex is left out of the positions, all that is missing can be raised here
        raised = max(total - above - least, 0) // rest.size if self._is_whole else 0
        most = limit - above - least - raised * rest.size
        # where they cannot be grouped at all, least is very large
        if most < 0 or most * rest.size > _MOST_BITS or most * rest.size * self._k > _MOST_STEPS:
            return
        filling = Filling(degrees, 0, self._k, most, raised)
        extra = filling.nearest(max(total - above - filling.least, 0))
        while extra is not None and (above + filling.least + extra) % 2:
            extra = filling.nearest(extra + 1)
        if extra is None or above + filling.least + extra >= limit:
            return
        for _ in range(_SAMPLES):
            demands = candidate.demands.copy()
            demands[rest] = group_demands(degrees, *filling.groups(extra, self._rng))
            yield candidate_with(self._degrees, *assign_levels(self._core, demands))


def _hubs(candidate: Candidate, most: int) -> int:
    """Return how many of the first positions may be in the way: those down to the last of the violated set."""
    return most if candidate.violated_set is None else candidate.violated_set.last + 1
