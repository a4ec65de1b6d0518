"""The integer program over groups and hubs with a variable for every pair; see :mod:`~.hub_pairs`."""

from __future__ import annotations

import math

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds.programs.model import SPARE, HubProgram
from graphkit.networks.bounds.programs.solving import ended_by, make_integral, probe_few
from graphkit.networks.bounds.programs.whole_rows import LeaderRows, PartnerRows
from graphkit.networks.core.high_degree_core import Positions

PAIR = 5
"""A pair takes about as much as so many columns."""
# sets of as many sizes are looked at
_SIZES = 8
# its row is dense: while there are others it is worth adding for so many demands
_LACKING = 0.5
# units of a column in a round of cuts at least, however small the program is
_COLUMN = 50
# where nothing is gained the solver only looks for where to branch
_IDLE_CALLS = 6
# of more pairs, who is joined is demanded to be raised only where a solution violates it
_FEW_PAIRS = 600
_HEURISTICS = ("rins", "rens", "root_reduced_cost", "zi_round", "shifting", "feasibility_jump")


def price_of_round(columns: int, pairs: int) -> int:
    """Return about how many units a round of cuts of a program takes."""
    size = columns + PAIR * pairs
    return max(size * math.isqrt(size) // 3, _COLUMN * columns)


class PairProgram(HubProgram):
    """Chooses groups, levels, and which pairs of hubs are joined.

    Parameters
    ----------
    positions, hubs, levels, upper, possible
        As for :class:`~graphkit.networks.bounds.programs.model.HubProgram`.
    """

    def __init__(self, positions: Positions, hubs: int, levels: Ints, upper: Ints, possible: Bools) -> None:
        super().__init__(positions, hubs, levels, upper, possible)
        self._ends = np.nonzero(np.triu(self._core.joinable, 1))
        none, nowhere = np.zeros(self.pairs), np.zeros(self.pairs, dtype=np.int32)
        # in no row yet, so there are no entries
        self._solver.addCols(self.pairs, none, none, none + 1, 0, nowhere, nowhere[:0], none[:0])
        for option in _HEURISTICS:
            # what is wanted is a bound; versions that lack one of these ignore it
            self._solver.setOptionValue(f"mip_heuristic_run_{option}", False)
        # presolving again at the first node makes its linear programs slower
        self._solver.setOptionValue("mip_root_presolve_only", True)
        self._solver.setOptionValue("mip_heuristic_effort", 0.0)
        columns = np.full((hubs, hubs), -1)
        columns[self._ends] = self.size + np.arange(self.pairs)
        self._pairs = np.maximum(columns, columns.T)
        self.value = 0.0
        """What it has proven, in demands."""
        self._leaders = LeaderRows(self._groups, self._places, self._pairs, positions.degrees[:hubs])
        self._partners = PartnerRows(self._places, self._pairs)
        self._join()
        self.supply(np.ones(hubs, dtype=np.bool_))

    @property
    def pairs(self) -> int:
        """Number of pairs of hubs that can be joined."""
        return int(self._ends[0].size)

    @property
    def price(self) -> int:
        """Units of a round of cuts."""
        return price_of_round(self.open, self.pairs)

    def _join(self) -> None:
        """Demand that nobody is joined to more than it demands; and that who is joined is raised, where pairs are few.

        Of many pairs, most are never joined, and their rows are most of what a linear program takes.
        """
        near = [np.flatnonzero(row >= 0) for row in self._pairs]
        rows = [self._partners.row(v, others) for v, others in enumerate(near) if others.size]
        self._rows.add(rows, is_removable=False)
        if self.pairs <= _FEW_PAIRS:
            ends = np.argwhere(self._pairs >= 0)
            self._rows.add([self._partners.row(int(both[0]), both[1:]) for both in ends], is_removable=False)

    def supply(self, members: Bools) -> None:
        """Demand that hubs, shape (h,), find outside all hubs what they do not find among the hubs."""
        self._rows.demand(-highspy.kHighsInf, SPARE, self._supplied(members))

    def _supplied(self, members: Bools) -> Floats:
        row = np.concatenate((self._given_to(members), np.zeros(self.pairs)))
        asking = np.flatnonzero(self._vertex < self.hubs)
        asking = asking[members[self._vertex[asking]]]
        row[self._first_place + asking] = self._demand[asking]
        row[self.size :] = -(members[self._ends[0]].astype(int) + members[self._ends[1]])
        return row

    def _separate(self, values: Floats) -> bool:
        """Add the set of hubs that lack most outside, and rows of whole numbers; return whether anything is new.

        Who asks most, asks first: that finds all that others with as many partners as hubs could not give.
        """
        joined = np.where(self._pairs < 0, 0.0, values[self._pairs])
        rows = self._levels.violated(values) + self._leaders.violated(values, joined)
        is_new = self._rows.add(rows + self._partners.violated(values, joined))
        asked, _, others = self._demanded(values)
        for ends in self._ends:
            np.subtract.at(asked, ends, values[self.size :])
        order = np.argsort(-asked, kind="stable")
        lacking = np.cumsum(asked[order]) - others[1:]
        # what the others know already is told of one set alone
        found, most = None, _LACKING if is_new else 2.0 * SPARE
        for size in np.argsort(-lacking, kind="stable")[:_SIZES] + 1:
            members = np.zeros(self.hubs, dtype=np.bool_)
            members[order[:size]] = True
            row = self._supplied(members)
            excess = float(row @ values)
            if excess > most:
                found, most = row, excess
        if found is not None:
            self._rows.demand(-highspy.kHighsInf, SPARE, found)
        return found is not None or is_new

    def bounded(self, units: int, budget: Budget) -> tuple[float, bool, int]:
        """Solve the integer program, until about so many units are used up.

        Returns
        -------
        value : float
            A lower bound; infinite where the program has no solution.
        is_cut : bool
            Whether it was ended before its end.
        used : int
            Units, about.
        """
        make_integral(self._solver, self.size)
        probe_few(self._solver, self.open)
        used, before = 0, -np.inf

        def is_used(bound: float) -> bool:
            nonlocal used, before
            used += self.price if bound > before else self.price // _IDLE_CALLS
            before = bound
            return used > units

        with ended_by(self._solver, is_used):
            solved = self._run(budget)
        if self._is_infeasible():
            return np.inf, False, used
        return float(self._solver.getInfo().mip_dual_bound), not solved, used
