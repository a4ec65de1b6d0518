"""Decisions about marginals of a stored table, under a policy."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from auditor.policy import Policy
from auditor.subjects.tables.releases.history import ReleasedHistory, present_bounds
from auditor.subjects.tables.releases.simulating import new_generator
from auditor.subjects.tables.stored.releases import TableState
from graphkit.budget import Budget
from graphkit.errors import InvalidInput, LimitReached
from graphkit.hierarchies.grouping import recoded_variable
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.coarsening import Coarsening, refine
from graphkit.tables.decisions.decision import DECISION_WORK, Answer, Decision, KnownBounds
from graphkit.tables.decisions.policy_aware import decide_policy_aware
from graphkit.tables.decisions.sampled import decide_by_itself, decide_drawn, draw_from_prior
from graphkit.tables.decisions.two_sided import decide_translated, taken_sides
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

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
        self._history = ReleasedHistory(state.history, state.row.data)
        self._here = self._history.present.version
        upper, lower = taken_sides(state.table, self._history.told(self._here))
        self._out = upper
        self.is_exact = set(upper) == set(lower)
        """Whether all that is out is told in full in the present table."""
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
        decision = self._about(self._here, self._state.table, marginal, limit, present_bounds(self._state))
        if decision.answer != "refuse":
            other = self.against_others(marginal, limit)
            if other.answer == "refuse" or decision.answer == "release" != other.answer:
                decision = other
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
        upper, lower = taken_sides(self._state.table, self._history.told(self._here, marginal), marginal)
        if set(upper) != set(lower):
            # the reader's other tables are not known
            return Decision("undecided", marginal.axes)
        decision = decide_policy_aware(
            self._state.table,
            self._history.in_order(),
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
        try:
            decision = decide_drawn(self._drawn, set(self._out), marginal, rules, budget)
        except InvalidInput:
            # groupings that cross
            return Decision("undecided", marginal.axes)
        self._work += budget.work
        return decision

    def _budget(self, limit: float | None) -> Budget:
        work = DECISION_WORK if limit is None else DECISION_WORK // _SHARE
        return Budget(self._clock, self._policy.time_limit if limit is None else limit, work_limit=work)

    @cached_property
    def blocked(self) -> bool:
        """Whether something that is out of other data cannot be held against a request.

        Nobody has said what has become of its variables; or it cannot be told as a marginal of the present data, and
        the other counts are not stored any more, or must not have an influence on the answer.
        """
        return self.overlapped or self._history.blocked or (self._policy.refusals != "plain" and not self.is_exact)

    @property
    def overlapped(self) -> bool:
        """Whether something is out of other tables that look alike, and nobody has said of whom they are."""
        return any(kinship.released for kinship in self._state.kinships)

    def elsewhere(self, marginal: RecodedMarginal, limit: float | None) -> Answer:
        """Return the answer about all that the counts of the present table, and what is out of them, do not tell."""
        if self.blocked or not self.is_exact:
            return self.decide(marginal, limit).answer
        answer = self.against_others(marginal, limit).answer
        return self.policy_aware(marginal, limit).answer if answer == "release" else answer

    def against_others(self, marginal: RecodedMarginal, limit: float | None) -> Decision:
        """Decide about versions whose cells are not those of the present table.

        Otherwise a new version without a variable, or with coarser or finer categories, would get a marginal out that
        was refused. Of a version whose variables all follow from the present ones, the present table has all that is
        out of it: only what is proven to be unsafe there counts.

        Parameters
        ----------
        marginal : RecodedMarginal
            Of the present table.
        limit : float, optional
            Seconds for each version; those of the policy by default.
        """
        worst = Decision("release", marginal.axes)
        for version in self._history.others:
            if version.table is None:
                continue
            decision = self._about(version.version, version.table, marginal, limit, None)
            if decision.answer == "refuse":
                # cells of other data are no cells of this table
                return Decision("refuse", marginal.axes, tuple(replace(v, cell=None) for v in decision.violations[:1]))
            if decision.answer == "undecided" and not self._history.is_within(version):
                worst = Decision("undecided", marginal.axes, ended_by=decision.ended_by)
        return worst

    def coarsen(self, marginal: RecodedMarginal, limit: float | None = None) -> Coarsening | None:
        """Return a marginal with merged categories that may go out instead; None if none was found in time.

        Parameters
        ----------
        marginal : RecodedMarginal
        limit : float, optional
            Seconds; those of the policy by default.
        """
        seconds = self._policy.time_limit if limit is None else min(limit, self._policy.time_limit)
        budget = Budget(self._clock, seconds, work_limit=DECISION_WORK)

        def passes(tried: RecodedMarginal) -> bool:
            if not _has_names(tried, self._state.row.variables):
                return False
            share = max(min(budget.remaining(), seconds / _SHARE), 1e-6)
            before = self._work
            answer = self.decide(tried, share).answer
            budget.charge(self._work - before)
            return answer == "release"

        try:
            return refine(marginal, self._out, passes, budget)
        except InvalidInput:
            # groupings that cross: there is no order in which categories could be divided
            return None

    @cached_property
    def _drawn(self) -> tuple[ContingencyTable, ...] | None:
        # what is out of other versions is no marginal of this table: nobody knows those of these counts
        known = self._state.released()
        try:
            return draw_from_prior(
                self._state.table, sorted(known, key=lambda one: one.rank), _DRAWN, new_generator(), self._budget(None)
            )
        except (InvalidInput, LimitReached):
            # too large to be drawn, or nothing was found
            return None

    def _about(
        self,
        version: int,
        table: ContingencyTable,
        marginal: RecodedMarginal,
        limit: float | None,
        present: KnownBounds | None,
    ) -> Decision:
        """Decide about a table with the variables of a version; the marginal is one of the present version."""
        budget = self._budget(limit)
        told = self._history.told(version, marginal)
        requested = marginal if version == self._here else marginal.axes
        rng = np.random.default_rng(0)
        decision = decide_translated(table, told, requested, self._policy.rules(), rng, budget, present)
        self._work += budget.work
        return decision
