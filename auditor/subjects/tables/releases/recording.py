"""An answer is recorded, with what it changes, and only then given."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.subjects.tables.stored.marginals import CellBounds, MarginalStatus, StoredMarginal
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from auditor.subjects.tables.stored.releases import Releases

if TYPE_CHECKING:
    from auditor.approvals.record import Decision as Ending
    from auditor.approvals.record import NewApproval
    from auditor.policy import Policy
    from auditor.store.opening import Store
    from auditor.subjects.tables.releases.answering import FoundAnswer
    from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
    from auditor.subjects.tables.stored.releases import TableState
    from graphkit.tables.decisions.decision import Decision
    from graphkit.tables.structure.contingency import ContingencyTable


@dataclass(frozen=True, slots=True, eq=False)
class RequestAnswer:
    """What became of a request. Protected, but for the answer and the names of its rules."""

    recorded: RecordedAnswer
    decision: Decision
    marginal: ContingencyTable | None
    """The counts that are out, for a release; those of the simulated table, where the answer is ``simulate``."""
    table: ContingencyTable
    """The table; its variables name what is in the decision by position."""


def record_answer(
    store: Store,
    state: TableState,
    found: FoundAnswer,
    policy: Policy,
    *,
    by: str,
    actor: str,
    explain: bool = False,
    wanted: NewApproval | None = None,
    approving: Ending | None = None,
    approval: str | None = None,
) -> RequestAnswer:
    """Record the answer to a request in one transaction, and return it.

    Parameters
    ----------
    store : Store
    state : TableState
        What it was computed from.
    found : FoundAnswer
    policy : Policy
        It was computed under.
    by, actor : str
        Who asks, and who runs this.
    explain : bool, optional
        Whether the actor will be shown cells and their bounds; recorded.
    wanted : NewApproval, optional
        Whether it awaits approval by a second person: the answer is ``pending`` then, and nothing is released.
    approving : Decision of auditor.approvals.record, optional
        The end of what waited, by this answer.
    approval : str, optional
        What waited and goes on waiting, where this answer is neither yes nor no.

    Raises
    ------
    NotFound, StoreConflict
        If the table is gone, or something of it went out since its state was read: compute again.
    Refused
        If what is approved is not pending any more, or not to be approved by this person.
    """
    counts = None if found.source is None or wanted is not None else state.marginal.counts(found.source)
    recorded = Releases(store).record(
        state.row,
        _waiting(state) if wanted is not None else _marginal(store, state, found, counts),
        id=str(uuid.uuid4()),
        answer="pending" if wanted is not None else found.answer,
        rules=found.rules,
        proof=found.proof,
        by=by,
        actor=actor,
        policy_hash=policy.digest(),
        policy_text=policy.text(),
        repeated=state.before is not None,
        explained=explain,
        proposal=None if found.proposal is None else MarginalNames.of(found.proposal, state.row.variables),
        # it is drawn anew when it is approved: what nobody approved is not kept
        simulated=None if wanted is not None else found.drawn,
        wanted=wanted,
        approving=approving,
        approval=approval,
    )
    return RequestAnswer(recorded, found.decision, counts, state.table)


def _waiting(state: TableState) -> StoredMarginal:
    """Return the marginal as it was: what waits changes nothing of it."""
    if state.present is not None:
        return state.present
    return StoredMarginal(state.marginal.axes, groupings=_groupings(state))


def _marginal(store: Store, state: TableState, found: FoundAnswer, counts: ContingencyTable | None) -> StoredMarginal:
    """Return what is stored of the marginal from now on."""
    if state.present is not None and state.present.status == "released":
        return state.present
    decision, bounds = found.decision, None
    axes, groupings = state.marginal.axes, _groupings(state)
    if decision.cells is not None and decision.lower is not None and decision.upper is not None:
        bounds = CellBounds(decision.cells, decision.lower, decision.upper, ("outer",) * decision.cells.size)
    if counts is None:
        status: MarginalStatus = "undecided" if found.answer == "undecided" else "refused"
        return StoredMarginal(axes, status, bounds=bounds, groupings=groupings)
    simulated = found.answer == "simulate"
    # bounds after a refusal are not those of what is out
    kept = None if simulated else bounds
    now = Releases(store).now()
    return StoredMarginal.released(axes, counts.dense(), now, simulated=simulated, bounds=kept, groupings=groupings)


def _groupings(state: TableState) -> tuple[tuple[int, ...], ...] | None:
    return None if state.marginal.is_plain else state.marginal.groupings
