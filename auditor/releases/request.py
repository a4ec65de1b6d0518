"""A request for a marginal: decided outside any transaction, recorded in one, answered afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from auditor.errors import StoreConflict
from auditor.policy import Policy
from auditor.releases.history import present_bounds, sets_that_are_out
from auditor.store.table_marginals import CellBounds, MarginalStatus, StoredMarginal
from graphkit.budget import Budget
from graphkit.tables.decision import Decision, decide_set
from graphkit.tables.rules import goals_of

if TYPE_CHECKING:
    from auditor.store import Store
    from auditor.store.releases import RecordedAnswer, TableState
    from graphkit.tables.contingency import ContingencyTable

__all__ = ["RequestAnswer", "answer_request"]

_TRIES = 50
_STATUS: dict[str, MarginalStatus] = {"release": "released", "refuse": "refused", "undecided": "undecided"}


@dataclass(frozen=True, slots=True, eq=False)
class RequestAnswer:
    """What became of a request. Protected, but for the answer and the names of its rules."""

    recorded: RecordedAnswer
    decision: Decision
    marginal: ContingencyTable | None
    """The counts that are out, for a release."""
    table: ContingencyTable
    """The table; its variables name what is in the decision by position."""


def answer_request(
    store: Store,
    name: str,
    names: Iterable[str],
    policy: Policy,
    *,
    by: str,
    actor: str,
    clock: Callable[[], float],
    explain: bool = False,
) -> RequestAnswer:
    """Decide about a marginal together with all that is out, record the answer, and return it.

    Parameters
    ----------
    store : Store
    name : str
        Of the table.
    names : iterable of str
        Variables of the marginal, in any order: it is the same marginal.
    policy : Policy
        Its section on tables has the rules.
    by : str
        Who asks.
    actor : str
        Who runs this.
    clock : callable
        Returns seconds, for the time limit of the policy.
    explain : bool, optional
        Whether the actor will be shown cells and their bounds; recorded.

    Raises
    ------
    NotFound
        If there is no table of that name.
    InvalidInput
        If there is no such variable, or the policy names a category that is not there.
    StoreConflict
        If others released something again and again while the answer was computed.

    Notes
    -----
    The decision is computed on what one transaction saw; another one locks the table, looks whether anything went out
    since, and records. If so, all begins anew: of two requests that are safe alone and unsafe together, one is
    refused.

    The same request under the same policy gets the same answer, unless it was undecided. What is out of earlier
    versions of the data counts as if it were out of this one.
    """
    wanted = tuple(names)
    for _ in range(_TRIES):
        state = store.releases.state(name, wanted, policy.digest())
        decision = _decide(state, policy, clock, explain=explain)
        counts = state.table.marginal(state.axes)
        marginal = _marginal(store, state, decision, counts)
        try:
            recorded = store.releases.record(
                state.row,
                marginal,
                id=str(uuid.uuid4()),
                answer=decision.answer,
                rules=_rules(state, decision),
                by=by,
                actor=actor,
                policy_hash=policy.digest(),
                policy_text=policy.text(),
                repeated=state.before is not None,
                explained=explain,
            )
        except StoreConflict:
            continue
        return RequestAnswer(recorded, decision, counts if decision.answer == "release" else None, state.table)
    raise StoreConflict(f"others kept releasing marginals of the table {name!r} meanwhile; try again")


def _decide(state: TableState, policy: Policy, clock: Callable[[], float], *, explain: bool) -> Decision:
    rules, axes = policy.table.rules(), state.axes
    out = sets_that_are_out(state)
    if any(set(axes) <= set(known) for known in out):
        return Decision("release", axes, implied=True, sensitive=int(goals_of(state.table, rules).cells.size))
    # what is out only grows: a refusal stands
    refused = state.before is not None and state.before.answer == "refuse"
    if refused and not explain:
        return Decision("refuse", axes)
    budget = Budget(clock, policy.table.time_limit)
    sets, rng = out | {axes}, np.random.default_rng(0)
    decision = decide_set(state.table, sets, axes, rules, rng, budget, present_bounds(state))
    return replace(decision, answer="refuse") if refused else decision


def _rules(state: TableState, decision: Decision) -> tuple[str, ...]:
    found = dict.fromkeys(violation.rule for violation in (*decision.violations, *decision.unsettled))
    if not found and state.before is not None:
        return state.before.rules
    return tuple(found)


def _marginal(store: Store, state: TableState, decision: Decision, counts: ContingencyTable) -> StoredMarginal:
    """Return what is stored of the marginal from now on."""
    if state.present is not None and state.present.status == "released":
        return state.present
    bounds = None
    if decision.cells is not None and decision.lower is not None and decision.upper is not None:
        bounds = CellBounds(decision.cells, decision.lower, decision.upper, ("outer",) * decision.cells.size)
    if decision.answer != "release":
        return StoredMarginal(state.axes, _STATUS[decision.answer], bounds=bounds)
    return StoredMarginal.released(state.axes, counts.dense(), store.releases.now(), bounds=bounds)
