"""An answer is recorded, with what it changes, and only then given."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.approvals.repository import decide_approval, want_approval
from auditor.core.clock import parse_time
from auditor.core.transactions import Transaction
from auditor.subjects.tables.releases.demands import laxer_demands
from auditor.subjects.tables.releases.pending import end_implied
from auditor.subjects.tables.stored.marginals import CellBounds, MarginalStatus, StoredMarginal, write_marginal
from auditor.subjects.tables.stored.recorded_answers import (
    MarginalNames,
    RecordedAnswer,
    read_answer,
    write_answer,
)
from auditor.subjects.tables.stored.rows import lock_table
from auditor.subjects.tables.stored.simulated import write_simulated

if TYPE_CHECKING:
    from auditor.approvals.record import Decision as Ending
    from auditor.approvals.record import NewApproval
    from auditor.store import Store
    from auditor.subjects.tables.releases.answering import FoundAnswer
    from auditor.subjects.tables.releases.request import MarginalRequest
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
    remarks: tuple[str, ...] = ()
    """What else to tell whoever asked."""


def record_answer(
    store: Store,
    request: MarginalRequest,
    state: TableState,
    found: FoundAnswer,
    *,
    wanted: NewApproval | None = None,
    approval: str | None = None,
    ending: Ending | None = None,
) -> RequestAnswer:
    """Record the answer to a request in one transaction with what it changes, and return it.

    Parameters
    ----------
    store : Store
    request : MarginalRequest
    state : TableState
        What the answer was computed from.
    found : FoundAnswer
    wanted : NewApproval, optional
        What awaits approval by a second person: the answer is ``pending`` then, and nothing is released.
    approval : str, optional
        Id of what waited and is decided by this answer, or goes on waiting if it is neither yes nor no.
    ending : Decision of auditor.approvals.record, optional
        The end of that.

    Raises
    ------
    NotFound, StoreConflict
        If the table is gone, or something of it went out since its state was read: compute again.
    Refused
        If what is approved is not pending any more, or not to be approved by this person.
    """
    ledger, id = store.ledger, str(uuid.uuid4())
    counts = None if found.source is None or wanted is not None else state.marginal.counts(found.source)
    # what waits changes nothing of the marginal
    kept = state.present or StoredMarginal(state.marginal.axes, groupings=state.groupings)
    marginal = kept if wanted is not None else _changed(state, found, counts, parse_time(ledger.now()))
    answer = "pending" if wanted is not None else found.answer
    asked, proposal, policy = state.asked, found.proposal, request.policy.digest()
    proposed = None if proposal is None else MarginalNames.of(proposal, state.row.variables)

    def work(tx: Transaction) -> RecordedAnswer:
        known = read_answer(tx, id)
        if known is not None:
            return known
        row = lock_table(tx, state.row.name, revision=state.row.revision)
        about, repeated = approval, state.before is not None
        if ending is not None:
            decide_approval(tx, ledger, ending)
        if wanted is not None:
            about, is_new = want_approval(tx, ledger, wanted)
            repeated = repeated or not is_new
        payload: dict[str, Any] = {
            "answer": answer,
            "by": request.by,
            "explained": request.explain,
            "marginal": [*asked.names],
            "policy": policy,
            "proof": found.proof,
            "population": row.population,
            "repeated": repeated,
            "rules": [*found.rules],
            "simulated": marginal.simulated,
            "version": row.version,
            **({"approval": about} if about is not None else {}),
            **({"merged": asked.merged} if asked.merged else {}),
            **({"proposal": proposed.record()} if proposed else {}),
            **({"purpose": request.origin.purpose} if request.origin.purpose else {}),
        }
        write_marginal(tx, row, marginal)
        # it is drawn anew when it is approved: what nobody approved is not kept
        if found.drawn is not None and wanted is None:
            write_simulated(tx, row, found.drawn, ledger.now())
        entry = ledger.append(tx, "table_request", payload, actor=request.actor, subject=f"table:{row.name}")
        if marginal.status == "released":
            end_implied(tx, ledger, state, actor=request.actor, entry=entry.seq)
        recorded = RecordedAnswer(
            id=id,
            at=parse_time(entry.at),
            by=request.by,
            actor=request.actor,
            names=asked.names,
            merged=asked.merged,
            answer=answer,
            rules=found.rules,
            proposal=proposed,
            policy_hash=policy,
            repeated=repeated,
            entry=entry.seq,
            approval=about,
        )
        write_answer(tx, recorded, marginal, data=row.data, policy_text=request.policy.text())
        return recorded

    laxer = laxer_demands(request.policy.text(), state.policies)
    remarks = () if laxer is None else (laxer.remark,)
    return RequestAnswer(store.connection.write(work), found.decision, counts, state.table, remarks)


def _changed(state: TableState, found: FoundAnswer, counts: ContingencyTable | None, now: datetime) -> StoredMarginal:
    """Return what is stored of the marginal from now on."""
    if state.present is not None and state.present.status == "released":
        return state.present
    decision, bounds = found.decision, None
    axes, groupings = state.marginal.axes, state.groupings
    if decision.cells is not None and decision.lower is not None and decision.upper is not None:
        bounds = CellBounds(decision.cells, decision.lower, decision.upper, ("outer",) * decision.cells.size)
    if counts is None:
        status: MarginalStatus = "undecided" if found.answer == "undecided" else "refused"
        return StoredMarginal(axes, status, bounds=bounds, groupings=groupings)
    simulated = found.answer == "simulate"
    # bounds after a refusal are not those of what is out
    kept = None if simulated else bounds
    return StoredMarginal(axes, "released", now, counts.cells, counts.counts, simulated, kept, groupings)
