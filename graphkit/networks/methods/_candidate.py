"""A sequence that is considered, and what it is likely to cost."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.core.assignment import assign_levels
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, most_violated
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.sequences.violated_set_dp import cheapest_groups, group_demands


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Groups of positions raised to levels, and which hub gets which level."""

    borders: Ints
    """Borders of the groups by descending final degree, shape (g+1,)."""
    levels: Ints
    """Final degree of each group, shape (g,)."""
    demands: Ints
    """Demand of every position; the positions of the core are concrete vertices."""
    violated_set: ViolatedSet | None
    """The worst set of hubs found that cannot meet its demands."""

    @property
    def missing(self) -> int:
        """Partners that the hubs lack."""
        return self.violated_set.excess if self.violated_set is not None else 0

    @property
    def estimate(self) -> int:
        """Twice the number of edges, if all that is missing can be had by raising others."""
        total = int(self.demands.sum()) + self.missing
        return total + total % 2

    @property
    def key(self) -> bytes:
        """Equal for equal demands."""
        return self.demands.tobytes()


def candidate_of(positions: Positions, borders: Ints, known: Sequence[Bools] = ()) -> Candidate:
    """Return the cheapest candidate with these groups, its levels assigned to hubs so that few partners are missing."""
    levels = positions.degrees[borders[:-1]]
    demands, violated_set = assign_levels(positions.core, group_demands(positions.degrees, borders, levels), known)
    return Candidate(borders, levels, demands, violated_set)


def candidate_with(degrees: Ints, demands: Ints, violated_set: ViolatedSet | None) -> Candidate:
    """Return the candidate with these demands, which make k-anonymous, and the violated set that was found for them."""
    levels, sizes = np.unique(-(degrees + demands), return_counts=True)
    return Candidate(np.concatenate(([0], np.cumsum(sizes))), -levels, demands, violated_set)


def candidate_from(positions: Positions, first: FirstGroups, known: Sequence[Bools] = ()) -> Candidate | None:
    """Return the candidate with these first groups, and the cheapest ones behind; None where they do not fit."""
    degrees, border = positions.degrees, first.ends.size
    rest, demands = degrees[border:].copy(), first.ends[: degrees.size] - degrees[:border]
    if (demands < 0).any() or 0 < rest.size < positions.k:
        return None
    if rest.size:
        rest[0] = max(first.next_end, rest[0])
        borders = cheapest_groups(rest, positions.k)
        behind = group_demands(degrees[border:], borders, rest[borders[:-1]])
        demands = np.concatenate((demands, behind))
    return candidate_with(degrees, demands, most_violated(positions.core, demands, known))
