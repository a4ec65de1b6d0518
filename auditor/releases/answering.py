"""The answer to a request, from what one transaction saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from auditor.policy import Policy
from auditor.releases.history import present_bounds, sets_that_are_out
from auditor.releases.simulating import draw_tables
from graphkit.budget import Budget
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.decision import Decision, KnownBounds, decide_set
from graphkit.tables.hypergraph import Axes
from graphkit.tables.rules import DisclosureRules

if TYPE_CHECKING:
    from auditor.store.releases import TableState

__all__ = ["FoundAnswer", "find_answer"]

_DRAWN = 100


@dataclass(frozen=True, slots=True, eq=False)
class FoundAnswer:
    """An answer before it is recorded. Protected."""

    answer: str
    decision: Decision
    rules: tuple[str, ...]
    """What the one who asked is told."""
    source: ContingencyTable | None
    """The table whose counts go out; None for no."""
    drawn: ContingencyTable | None = None
    """A simulated table that was drawn for this answer."""
    stands: bool = False
    """Whether it was refused before, and is again."""

    @property
    def proof(self) -> str:
        """What the answer rests on: bounds in short, without any number of them.

        ``tables`` were found that are far enough apart, ``bounds`` are too narrow, it is ``implied`` by what is out, it
        was refused and ``stands``, a table was ``drawn``, or ``none``.
        """
        if self.stands:
            return "stands"
        if self.decision.implied:
            return "implied"
        return {"release": "tables", "refuse": "bounds", "simulate": "drawn"}.get(self.answer, "none")


def find_answer(state: TableState, policy: Policy, clock: Callable[[], float], *, explain: bool) -> FoundAnswer:
    """Return the answer to the request that a state was read for.

    Parameters
    ----------
    state : TableState
        The table, and all that is out.
    policy : Policy
        Its section on tables.
    clock : callable
        Returns seconds.
    explain : bool
        Whether to find the cells behind a refusal that stands already.
    """
    axes = state.axes
    if any(set(axes) <= set(known) for known in sets_that_are_out(state, of_these_data=True)):
        return FoundAnswer("release", Decision("release", axes, implied=True), (), state.table)
    if state.simulated is not None:
        return FoundAnswer("simulate", Decision("release", axes), (), state.simulated)
    before = state.before
    # what is out only grows: a refusal stands
    refused = before is not None and before.answer == "refuse"
    if before is not None and refused and not explain:
        return FoundAnswer("refuse", Decision("refuse", axes), before.rules, None, stands=True)
    decision = _decision(state, policy, clock)
    if before is not None and refused:
        return FoundAnswer("refuse", replace(decision, answer="refuse"), before.rules, None, stands=True)
    rules = tuple(dict.fromkeys(found.rule for found in (*decision.violations, *decision.unsettled)))
    if decision.answer == "release":
        return FoundAnswer("release", decision, (), state.table)
    if decision.answer == "refuse" and "simulate" in policy.table.answers:
        known = sets_that_are_out(state, of_these_data=True)
        drawn = draw_tables(state.table, known, 1, clock, policy.table.time_limit)
        if drawn is not None:
            return FoundAnswer("simulate", decision, rules, drawn[0], drawn[0])
    return FoundAnswer(decision.answer, decision, rules, None)


def _decision(state: TableState, policy: Policy, clock: Callable[[], float]) -> Decision:
    """Decide about the table, or, where the answer must be no function of it, about others that have what is out."""
    rules, out = policy.table.rules(), sets_that_are_out(state)
    sets = out | {state.axes}
    if policy.table.refusals == "plain":
        return _decide(state.table, sets, state.axes, rules, policy, clock, present_bounds(state))
    # what is out of other versions is no marginal of this table: nobody knows those of these counts
    known = sets_that_are_out(state, of_these_data=True)
    drawn = draw_tables(state.table, known, _DRAWN, clock, policy.table.time_limit)
    if drawn is None:
        return Decision("undecided", state.axes)
    worst = Decision("release", state.axes)
    for table in drawn:
        decision = _decide(table, sets, state.axes, rules, policy, clock, None)
        if decision.answer == "refuse":
            # which cells of a table that was drawn is of no use to the officer
            return Decision("refuse", state.axes, tuple(replace(v, cell=None) for v in decision.violations[:1]))
        if decision.answer == "undecided":
            worst = Decision("undecided", state.axes)
    return worst


def _decide(
    table: ContingencyTable,
    sets: set[Axes],
    axes: Axes,
    rules: DisclosureRules,
    policy: Policy,
    clock: Callable[[], float],
    present: KnownBounds | None,
) -> Decision:
    budget = Budget(clock, policy.table.time_limit)
    return decide_set(table, sets, axes, rules, np.random.default_rng(0), budget, present)
