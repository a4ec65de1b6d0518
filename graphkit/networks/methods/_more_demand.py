"""More demand below the hubs, so that they find as many partners as they need."""

from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions
from graphkit.networks.methods._candidate import Candidate, candidate_of
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises
from graphkit.networks.sequences.filling import Filling
from graphkit.networks.sequences.slack_demand import add_slack_demand

_MOST_BITS = 1 << 30
_SAMPLES = 6


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
        members = None if candidate.violated_set is None else np.flatnonzero(candidate.violated_set.members)
        below = candidate.borders[candidate.borders > (0 if members is None else members[-1])]
        start = int(below[0])
        if start == self._degrees.size:
            return None
        number = int(np.searchsorted(candidate.borders, start))
        above = int(candidate.demands[:start].sum())
        if number > 0 and (self._degrees + candidate.demands)[:start].min() < candidate.levels[number - 1]:
            return None  # others than the first positions are in the groups above
        least = Filling(self._degrees, start, self._k, 0).least
        # where nothing is outside the core, all that is missing has to be raised here
        is_whole = self._core.size == self._degrees.size
        raised = max(total - above - least, 0) // (self._degrees.size - start) if is_whole else 0
        most = limit - above - least
        if most * (self._degrees.size - start) > _MOST_BITS:
            return None
        filling = Filling(self._degrees, start, self._k, most, raised)
        extra = filling.nearest(max(total - above - filling.least, 0))
        while extra is not None and (above + filling.least + extra) % 2:
            extra = filling.nearest(extra + 1)
        if extra is None or above + filling.least + extra >= limit:
            return None
        best = min(
            (self._filled(candidate, number, filling, extra) for _ in range(_SAMPLES)), key=attrgetter("missing")
        )
        return self._wanted(best)

    def _filled(self, candidate: Candidate, number: int, filling: Filling, extra: int) -> Candidate:
        """Return the candidate with random groups after the first `number` ones."""
        borders, levels = filling.groups(extra, self._rng)
        return candidate_of(
            self._positions,
            np.concatenate((candidate.borders[:number], borders)),
            np.concatenate((candidate.levels[:number], levels)),
        )
