"""More demand outside the core, so that the hubs find as many partners as they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.hub_core import HubCore
from graphkit.networks.methods._candidate import Candidate
from graphkit.networks.sequences.lifts import Lifts, merge_lifts
from graphkit.networks.waste import add_waste

__all__ = ["MoreDemand", "Wanted"]


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """Demands of the core's vertices, and lifts of the others."""

    hubs: NDArray[np.int64]
    below: Lifts

    @property
    def total(self) -> int:
        """Sum of all demands: twice the number of new edges."""
        return int(self.hubs.sum()) + self.below.cost

    def lifts(self, core: HubCore) -> Lifts:
        """Return all of it as lifts: how many, not which."""
        return merge_lifts(
            np.concatenate((core.degrees, self.below.source)),
            np.concatenate((core.degrees + self.hubs, self.below.target)),
            np.concatenate((np.ones_like(self.hubs), self.below.count)),
        )


class MoreDemand:
    """Ways to raise vertices outside the core by a given sum."""

    def __init__(self, blocks: NDArray[np.int64], core: HubCore, degrees: NDArray[np.int64], k: int) -> None:
        self._core, self._degrees, self._k = core, degrees, k
        self._outside = blocks - np.bincount(core.degrees, minlength=blocks.size)

    def raised(self, candidate: Candidate, missing: int, limit: int) -> Wanted | None:
        """Return the demands of a candidate with at least `missing` more, even in sum and below the limit, or None."""
        wanted = self._wanted(candidate)
        missing += (wanted.total + missing) % 2
        if wanted.total + missing >= limit:
            return None
        if missing == 0:
            return wanted
        wasted = add_waste(self._outside, wanted.below, self._k, missing)
        return None if wasted is None else Wanted(wanted.hubs, wasted)

    def _wanted(self, candidate: Candidate) -> Wanted:
        c = self._core.size
        degrees, demands = self._degrees[c:], candidate.demands[c:]
        return Wanted(candidate.demands[:c], merge_lifts(degrees, degrees + demands, np.ones_like(demands)))
