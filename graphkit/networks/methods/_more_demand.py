"""More demand below the hubs, so that they find as many partners as they need."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions
from graphkit.networks.methods._candidate import Candidate
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises
from graphkit.networks.sequences.slack_demand import add_slack_demand


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

    def __init__(self, blocks: Ints, positions: Positions) -> None:
        self._core, self._degrees, self._k = positions.core, positions.degrees, positions.k
        self._blocks = blocks

    def raised(self, candidate: Candidate, missing: int, limit: int) -> Wanted | None:
        """Return the demands of a candidate with at least `missing` more, even in sum and below the limit, or None."""
        total = int(candidate.demands.sum()) + missing
        total += total % 2
        if total >= limit:
            return None
        # where the core is all of a graph, or nearly, only its lower part has what can be raised
        for hubs in dict.fromkeys((self._core.size, _hubs(candidate, self._core.size))):
            wanted = self._wanted(candidate, hubs)
            outside = self._blocks - np.bincount(self._core.degrees[:hubs], minlength=self._blocks.size)
            enlarged = add_slack_demand(outside, wanted.below, self._k, total - wanted.total)
            if enlarged is not None:
                return Wanted(wanted.hubs, enlarged)
        return None

    def _wanted(self, candidate: Candidate, hubs: int) -> Wanted:
        """Return the demands of a candidate: those of so many vertices of the core, and what is asked of others."""
        degrees, demands = self._degrees[hubs:], candidate.demands[hubs:]
        return Wanted(candidate.demands[:hubs], merge_raises(degrees, degrees + demands, np.ones_like(demands)))


def _hubs(candidate: Candidate, most: int) -> int:
    """Return how many of the first positions may be in the way: those down to the last of the violated set."""
    return most if candidate.violated_set is None else candidate.violated_set.last + 1
