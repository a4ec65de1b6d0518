"""Demands below the hubs by a linear program: as few as give sets of hubs the partners that they lack."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.lower_vertices import LowerVertices
from graphkit.networks.core.violated_sets import ViolatedSet
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._candidate import Candidate
from graphkit.networks.methods.lower.level_program import LevelProgram
from graphkit.networks.sequences.violated_set_dp import cheapest_groups

_COLUMNS = 60_000
# demands of a kind that are tried where with each there would be more columns than that
_FEW = 8
# of a block no more than so many times k vertices are told apart
_BLOCK = 5
# with so little more than the candidate demands, nothing else is tried
_NEAR = 0.0005


class LowerDemands:
    """Chooses how many vertices of every kind below the hubs end on which degree.

    Parameters
    ----------
    view : GraphView
    positions : Positions
    candidate : Candidate
        Says what hubs demand: these keep their groups.
    sets : sequence of ViolatedSet
        Sets of hubs that are to find enough partners; not empty. Members that are no hubs are chosen for too.
    last : int
        All that end on this degree or above are hubs.

    Notes
    -----
    Every set R is to find among others what it demands and does not find inside R: the sum of their demands, each no
    more than it has partners in R. Of all that is so, and anonymous, the sum of demands is to be small
    (:class:`~graphkit.networks.methods.lower.level_program.LevelProgram`).

    *Levels.* Where blocks are large nearly every degree can be one of k vertices, and the program sees what serves the
    sets. Further up, where it matters who is in a group with whom, a linear program says little. There only the degrees
    of cheapest groups are open: first those of the candidate; then those of the groups that are cheapest once all are
    raised as the linear program raises them, whatever the groups. At last all degrees are open.
    """

    def __init__(
        self,
        view: GraphView,
        positions: Positions,
        candidate: Candidate,
        sets: Sequence[ViolatedSet],
        last: int,
    ) -> None:
        core, after = positions.core, positions.degrees + candidate.demands
        self._k = positions.k
        self._last = last
        hubs = np.flatnonzero(after >= self._last)
        self.is_known = int(hubs[-1]) < core.size and hubs.size < view.vertex_count
        """Whether all that ends so high is known one by one, and there are others; else nothing can be asked."""
        if not self.is_known:
            return
        self._vertices, self._given = core.vertices[hubs], candidate.demands[hubs]
        self._lower = LowerVertices.outside(
            view, self._vertices, [core.vertices[np.flatnonzero(one.members)] for one in sets]
        )
        self._needs = [_need(candidate.demands, hubs, one) for one in sets]
        self._ends = np.delete(after, hubs)
        self._open: list[Ints | None] | None = None
        self._enough = int(candidate.demands.sum() * (1 + _NEAR))

    @property
    def kinds(self) -> int:
        """Number of kinds of vertices below the hubs; 0 where nothing can be asked."""
        return self._lower.counts.size if self.is_known else 0

    def chosen(self, least: int, limit: int, rng: Rng, budget: Budget, end: int) -> tuple[Ints, Ints] | None:
        """Return all vertices with a demand, and the demands; None where none were found.

        Parameters
        ----------
        least, limit : int
            The sum of all demands is no less than the first, and less than the second.
        rng : numpy.random.Generator
            Who of a kind gets which demand.
        budget : Budget
            Is charged.
        end : int
            Nothing is begun once the budget's work is as much.
        """
        if not self.is_known:
            return None
        if self._open is None:
            self._open = [self._ends, self._relaxed(budget, end), None]
        best, kept = None, self._open
        for ends in self._open:
            found = self._solved(ends, least, limit, budget, end)
            if found is None:
                continue
            total = int(self._given.sum() + found[1] @ found[2])
            # what was best once will do for a larger sum
            best, kept, limit = found, [ends], total
            if total <= self._enough:
                break
        self._open = kept
        if best is None:
            return None
        vertices, demands = self._lower.with_demands(*best, rng)
        asking = self._given > 0
        return np.concatenate((self._vertices[asking], vertices)), np.concatenate((self._given[asking], demands))

    def _solved(
        self, ends: Ints | None, least: int, limit: int, budget: Budget, end: int
    ) -> tuple[Ints, Ints, Ints] | None:
        """Return kinds, demands and numbers of vertices, where above large blocks only these degrees are open."""
        program = self._program(ends)
        if program is None:
            return None
        if ends is not None:
            blocks = np.bincount(ends)
            large = np.flatnonzero(blocks >= 2 * self._k)
            upper = program.levels > (large[-1] if large.size else -1)
            program.decide(upper, np.isin(program.levels, ends))
        numbers = program.solved(least, limit, budget, end)
        return None if numbers is None else (program.kind, program.demand, numbers)

    def _program(self, ends: Ints | None) -> LevelProgram | None:
        """Return the program of groups that end on these degrees, or on any; None where it is too large."""
        kept = np.unique(self._lower.degrees if ends is None else ends)
        kind, demand = self._columns(kept, int(self._lower.partners.max()) + 2)
        if kind.size > _COLUMNS:
            kind, demand = self._columns(kept if ends is not None else kept[:0], _FEW)
        if kind.size > _COLUMNS:
            return None
        return LevelProgram(self._lower, kind, demand, self._needs, int(self._given.sum()), self._k)

    def _relaxed(self, budget: Budget, end: int) -> Ints | None:
        """Return where vertices end in cheapest groups of what they are raised to when groups do not matter."""
        program = self._program(None)
        counts = None if program is None else program.relaxed(budget, end)
        if program is None or counts is None:
            return None
        # no more of a block than tells where a group ends
        several = np.minimum(np.rint(counts).astype(np.int64), _BLOCK * self._k)
        raised = np.repeat(program.levels, several)[::-1]
        if raised.size < self._k:
            return None
        borders = cheapest_groups(raised, self._k)
        return np.repeat(raised[borders[:-1]], np.diff(borders))

    def _columns(self, kept: Ints, each: int) -> tuple[Ints, Ints]:
        """Return the kind and the demand of every column, below the hubs.

        A kind has each demand up to a number, beyond it `_FEW`, what serves a set, and what ends on a kept degree.
        """
        lower = self._lower
        kinds, demands = [], []
        for kind, (degree, partners) in enumerate(zip(lower.degrees.tolist(), lower.partners, strict=True)):
            most = int(partners.max())
            small = np.arange(min(most + 2, each))
            large = np.linspace(min(each, most), most, _FEW).astype(np.int64)
            # whoever serves the sets to the full may be in the next group above
            first, last = np.searchsorted(kept, (degree, degree + most + 1))
            grouped = kept[first : last + 1] - degree
            own = np.unique(np.concatenate((small, large, partners, partners + 1, grouped)))
            own = own[(own >= 0) & (degree + own < self._last)]
            kinds.append(np.full(own.size, kind))
            demands.append(own)
        return np.concatenate(kinds), np.concatenate(demands)


def _need(demands: Ints, hubs: Ints, asking: ViolatedSet) -> int:
    """Return what the members among the hubs must find below them."""
    own, members = demands[: asking.members.size], np.flatnonzero(asking.members)
    others = np.setdiff1d(hubs, members)
    given = np.minimum(own[others], asking.partners[others]).sum()
    return int(own[np.intersect1d(hubs, members)].sum() - given) - 2 * asking.pairs
