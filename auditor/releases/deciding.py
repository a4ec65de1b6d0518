"""Decisions about marginals of a stored table, under a policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.policy import Policy
from auditor.releases.history import marginals_in_order, marginals_that_are_out, present_bounds
from auditor.releases.simulating import new_generator
from graphkit.budget import Budget
from graphkit.errors import InvalidInput, LimitReached
from graphkit.tables.coarsening import Coarsening, refine
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.decision import DECISION_WORK, Decision, KnownBounds, decide_set
from graphkit.tables.grouping import recoded_variable
from graphkit.tables.policy_aware import decide_policy_aware
from graphkit.tables.recoding import RecodedMarginal
from graphkit.tables.sampled import decide_by_itself, decide_drawn, draw_from_prior
from graphkit.tables.variable import Variable
from graphkit.tables.versions import retold

if TYPE_CHECKING:
    from auditor.store.releases import TableState

__all__ = ["Decider"]

_DRAWN = 60
_SHARE = 8


def _has_names(marginal: RecodedMarginal, variables: Sequence[Variable]) -> bool:
    """Whether no merged category would have the name of another one."""
    try:
        for axis, grouping in zip(marginal.axes, marginal.groupings, strict=True):
            recoded_variable(variables[axis], grouping)
    except InvalidInput:
        return False
    return True


# no slots: tables are drawn when they are first asked for
class Decider:
    """Decides about the table, or, where the answer is to tell little about it, about tables drawn from the releases.

    Parameters
    ----------
    state : TableState
        The table, and all that is out.
    policy : Policy
        Its section on tables.
    clock : callable
        Returns seconds.
    """

    def __init__(self, state: TableState, policy: Policy, clock: Callable[[], float]) -> None:
        self._state, self._policy, self._clock = state, policy.table, clock
        self._out = marginals_that_are_out(state)
        self._work = 0

    def decide(self, marginal: RecodedMarginal, limit: float | None = None) -> Decision:
        """Return whether a marginal may go out, together with all that is out.

        Parameters
        ----------
        marginal : RecodedMarginal
        limit : float, optional
            Seconds; those of the policy by default.
        """
        if self.blocked:
            return Decision("undecided", marginal.axes)
        if self._policy.refusals == "sampled":
            return self._sampled(marginal, limit)
        decision = self._about(self._state.table, marginal, limit, present_bounds(self._state))
        if decision.answer == "release":
            decision = self.against_earlier(marginal, limit)
        return self.policy_aware(marginal, limit) if decision.answer == "release" else decision

    def policy_aware(self, marginal: RecodedMarginal, limit: float | None = None) -> Decision:
        """Decide about a reader who knows the policy, if it asks for that.

        Parameters
        ----------
        marginal : RecodedMarginal
            The policy releases it to a reader who does not know the policy.
        limit : float, optional
            Seconds; those of the policy by default.
        """
        if self._policy.inference == "marginals":
            return Decision("release", marginal.axes)
        budget = self._budget(limit)
        decision = decide_policy_aware(
            self._state.table,
            marginals_in_order(self._state),
            marginal,
            self._policy.rules(),
            most=self._policy.most_tables,
            budget=budget,
        )
        self._work += budget.work
        return decision

    def _sampled(self, marginal: RecodedMarginal, limit: float | None) -> Decision:
        """Decide over drawn tables what does not show a protected count of the true table by itself."""
        rules, budget = self._policy.rules(), self._budget(limit)
        # a look at the true table: of everything else the answer is no function
        decision = decide_by_itself(self._state.table, marginal, rules, budget)
        if decision.answer != "release" or not self._out:
            return decision
        if self._drawn is None:
            return Decision("undecided", marginal.axes)
        decision = decide_drawn(self._drawn, self._out, marginal, rules, budget)
        self._work += budget.work
        return decision

    def _budget(self, limit: float | None) -> Budget:
        work = DECISION_WORK if limit is None else DECISION_WORK // _SHARE
        return Budget(self._clock, self._policy.time_limit if limit is None else limit, work_limit=work)

    @property
    def blocked(self) -> bool:
        """Whether something that is out of earlier data cannot be held against a request.

        It cannot be told as a marginal of the present data, and the earlier counts are not stored any more, or must not
        have an influence on the answer.
        """
        lost = [version for version in self._state.history if version.lost]
        return any(version.table is None or self._policy.refusals == "sampled" for version in lost)

    def against_earlier(self, marginal: RecodedMarginal, limit: float | None) -> Decision:
        """Decide about earlier data, where something of them that is out has no place in the present table.

        Otherwise a new version without a variable, or with coarser categories, would make it forgotten.

        Parameters
        ----------
        marginal : RecodedMarginal
            Of the present table.
        limit : float, optional
            Seconds for each version; those of the policy by default.
        """
        worst = Decision("release", marginal.axes)
        for version in self._state.history:
            if not version.lost or version.table is None:
                continue
            out = marginals_that_are_out(self._state, variables=version.variables)
            here, _ = retold(marginal, self._state.row.variables, version.variables)
            decision = self._about(version.table, here, limit, None, out)
            if decision.answer == "refuse":
                # cells of other data are no cells of this table
                return Decision("refuse", marginal.axes, tuple(replace(v, cell=None) for v in decision.violations[:1]))
            if decision.answer == "undecided":
                worst = Decision("undecided", marginal.axes, ended_by=decision.ended_by)
        return worst

    def coarsen(self, marginal: RecodedMarginal) -> Coarsening | None:
        """Return a marginal with merged categories that may go out instead; None if none was found in time."""
        budget = Budget(self._clock, self._policy.time_limit, work_limit=DECISION_WORK)

        def passes(tried: RecodedMarginal) -> bool:
            if not _has_names(tried, self._state.row.variables):
                return False
            limit = max(min(budget.remaining(), self._policy.time_limit / _SHARE), 1e-6)
            before = self._work
            answer = self.decide(tried, limit).answer
            budget.charge(self._work - before)
            return answer == "release"

        return refine(marginal, self._out, passes, budget)

    @cached_property
    def _drawn(self) -> tuple[ContingencyTable, ...] | None:
        # what is out of other versions is no marginal of this table: nobody knows those of these counts
        known = marginals_that_are_out(self._state, of_these_data=True)
        try:
            return draw_from_prior(
                self._state.table, sorted(known, key=lambda one: one.rank), _DRAWN, new_generator(), self._budget(None)
            )
        except (InvalidInput, LimitReached):
            # too large to be drawn, or nothing was found
            return None

    def _about(
        self,
        table: ContingencyTable,
        marginal: RecodedMarginal,
        limit: float | None,
        present: KnownBounds | None,
        out: set[RecodedMarginal] | None = None,
    ) -> Decision:
        budget = self._budget(limit)
        together = (self._out if out is None else out) | {marginal}
        rng = np.random.default_rng(0)
        decision = decide_set(table, together, marginal.axes, self._policy.rules(), rng, budget, present)
        self._work += budget.work
        return decision
