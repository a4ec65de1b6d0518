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
    """Demands of the core's vertices, and degree raises of the others."""

    hubs: Ints
    below: DegreeRaises

    @property
    def total(self) -> int:
        """Sum of all demands: twice the number of new edges."""
        return int(self.hubs.sum()) + self.below.cost

    def raises(self, core: HighDegreeCore) -> DegreeRaises:
        """Return all of it as degree raises: how many, not which."""
        return merge_raises(
            np.concatenate((core.degrees, self.below.source)),
            np.concatenate((core.degrees + self.hubs, self.below.target)),
            np.concatenate((np.ones_like(self.hubs), self.below.count)),
        )


class MoreDemand:
    """Ways to raise vertices below the hubs by a given sum."""

    def __init__(self, blocks: Ints, positions: Positions, rng: Rng, by_groups: bool) -> None:
        self._positions, self._rng, self._by_groups = positions, rng, by_groups
        self._core, self._degrees, self._k = positions.core, positions.degrees, positions.k
        self._is_whole = int(blocks.sum()) == self._degrees.size
        self._outside = blocks - np.bincount(self._core.degrees, minlength=blocks.size)

    def raised(self, candidate: Candidate, missing: int, limit: int) -> Wanted | None:
        """Return the demands of a candidate with at least `missing` more, even in sum and below the limit, or None."""
        wanted = self._wanted(candidate)
        missing += (wanted.total + missing) % 2
        if wanted.total + missing >= limit:
            return None
        if missing == 0:
            return wanted
        enlarged = add_slack_demand(self._outside, wanted.below, self._k, missing)
        if enlarged is not None:
            return Wanted(wanted.hubs, enlarged)
        if not self._by_groups:
            return None
        return self._regrouped(candidate, wanted.total + missing, limit)

    def _wanted(self, candidate: Candidate) -> Wanted:
        c = self._core.size
        degrees, demands = self._degrees[c:], candidate.demands[c:]
        return Wanted(candidate.demands[:c], merge_raises(degrees, degrees + demands, np.ones_like(demands)))

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
        return None if best is None else self._wanted(best)

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
