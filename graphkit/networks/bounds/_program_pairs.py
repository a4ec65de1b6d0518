"""The integer program over groups and hubs with a variable for every pair; see :mod:`~.hub_pairs`."""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.budget import Budget
from graphkit.networks.bounds._program_model import SPARE, HubProgram
from graphkit.networks.core.high_degree_core import Positions

PAIR = 5
"""A pair takes about as much as so many columns."""
CALL = 32
"""Units that one round of cuts of a program takes, by its columns."""
# where nothing is gained the solver only looks for where to branch
_IDLE_CALLS = 6
# a hundred times what the solver tolerates: with more, what many pairs are spared adds up
_LITTLE = 1e-4
# of more pairs, who is joined is demanded to be raised only where a solution violates it
_FEW_PAIRS = 600
# with more columns they are not tried one by one before the program is solved; the bit of that rule
_MANY_COLUMNS = 10_000
_PROBING = 1 << 15
_HEURISTICS = ("rins", "rens", "root_reduced_cost", "zi_round", "shifting", "feasibility_jump")


class PairProgram(HubProgram):
    """Chooses groups, levels, and which pairs of hubs are joined.

    Parameters
    ----------
    positions, hubs, levels, upper, possible
        As for :class:`~graphkit.networks.bounds._program_model.HubProgram`.
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
        self._solver.setOptionValue("mip_heuristic_effort", 0.0)
        self._join()
        self.supply(np.ones(hubs, dtype=np.bool_))

    @property
    def pairs(self) -> int:
        """Number of pairs of hubs that can be joined."""
        return int(self._ends[0].size)

    @property
    def price(self) -> int:
        """Units of a round of cuts."""
        return int(CALL * (self.open + PAIR * self.pairs))

    def _join(self) -> None:
        """Demand that nobody is joined to more than they can be; and that who is joined is raised, where pairs are few.

        Of many pairs, most are never joined, and their rows are most of what a linear program takes.
        """
        near = self._core.joinable.sum(axis=1)
        for v in range(self.hubs):
            places = np.flatnonzero(self._vertex == v)
            row = np.zeros(self.size + self.pairs)
            row[self._first_place + places] = -np.minimum(self._demand[places], near[v])
            row[self.size :] = (self._ends[0] == v) | (self._ends[1] == v)
            self._row(-highspy.kHighsInf, _LITTLE, row)
        self._is_demanded = np.zeros((2, self.pairs), dtype=np.bool_)
        if self.pairs <= _FEW_PAIRS:
            self._demand_raised(np.argwhere(~self._is_demanded))

    def _demand_raised(self, ends: Ints) -> None:
        """Demand that the ends of pairs, as rows of which of the two and pair, are raised if they are joined."""
        for side, pair in ends:
            places = np.flatnonzero((self._vertex == self._ends[side][pair]) & (self._demand > 0))
            columns = np.append(self._first_place + places, self.size + pair).astype(np.int32)
            values = np.append(np.full(places.size, -1.0), 1.0)
            self._solver.addRow(-highspy.kHighsInf, _LITTLE, columns.size, columns, values)
            self._is_demanded[side, pair] = True

    def _raise(self, values: Floats) -> bool:
        """Demand it of the ends of pairs where a solution violates it; return whether there are any."""
        raised = np.zeros(self.hubs)
        above = (self._vertex < self.hubs) & (self._demand > 0)
        np.add.at(raised, self._vertex[above], values[self._first_place : self._slack][above])
        over = values[self.size :] - raised[np.array(self._ends)]
        found = np.argwhere(~self._is_demanded & (over > 10 * _LITTLE))
        self._demand_raised(found)
        return bool(found.size)

    def supply(self, members: Bools) -> None:
        """Demand that hubs, shape (h,), find outside all hubs what they do not find among the hubs."""
        size = int(members.sum())
        row = np.zeros(self.size + self.pairs)
        is_hub = self._vertex < self.hubs
        asked = np.zeros(self._vertex.size)
        asked[is_hub] = np.where(members[self._vertex[is_hub]], self._demand[is_hub], 0)
        asked[~is_hub] = -np.minimum(self._demand[~is_hub], size)
        row[self._first_place : self._slack] = asked
        row[self._behind] = -self._gifts_behind[size]
        row[self._slack] = -1.0
        row[self.size :] = -(members[self._ends[0]].astype(int) + members[self._ends[1]])
        self._row(-highspy.kHighsInf, SPARE, row)

    def separate(self) -> bool:
        """Add the set of hubs that lack most outside, and who is joined but not raised; return whether anything is new.

        Exact: who asks most, asks first.
        """
        values = self._values()
        is_new = self._raise(values)
        asked, _, others = self._demanded(values)
        for ends in self._ends:
            np.subtract.at(asked, ends, values[self.size :])
        order = np.argsort(-asked, kind="stable")
        lacking = np.cumsum(asked[order]) - others[1:]
        size = int(np.argmax(lacking)) + 1
        if lacking[size - 1] <= 2 * SPARE:
            return is_new
        members = np.zeros(self.hubs, dtype=np.bool_)
        members[order[:size]] = True
        self.supply(members)
        return True

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
        self._make_integral()
        # nothing of that can be counted or ended, and it may take a minute where columns are many
        self._solver.setOptionValue("presolve_rule_off", _PROBING if self.open > _MANY_COLUMNS else 0)
        used, before = 0, -np.inf

        def count(event: Any) -> None:
            """Count rounds, which come the same on every machine."""
            nonlocal used, before
            bound = event.data_out.mip_dual_bound
            used += self.price if bound > before else self.price // _IDLE_CALLS
            before = bound
            # `event.interrupt()` is not in the oldest versions that are allowed; and what is said once stands, also for
            # the next run, until something else is said
            event.data_in.user_interrupt = used > units

        self._solver.cbMipInterrupt += count
        try:
            solved = self._run(budget)
        finally:
            self._solver.cbMipInterrupt -= count
        if self._is_infeasible():
            return np.inf, False, used
        return float(self._solver.getInfo().mip_dual_bound), not solved, used
