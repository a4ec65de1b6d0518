"""Which answers wait for a second person, and what is kept of them until then: names, never a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.approvals.record import APPROVAL_COLUMNS, Approval, Decision, NewApproval, terms_key
from auditor.approvals.repository import end_approval
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json
from auditor.store.records import decode
from graphkit.tables.hierarchies.recoding import RecodedMarginal

if TYPE_CHECKING:
    from auditor.store.ledger import Ledger
    from auditor.subjects.tables.releases.answering import FoundAnswer
    from auditor.subjects.tables.releases.request import MarginalRequest
    from auditor.subjects.tables.stored.releases import TableState

_FOLLOWS = "it follows from a marginal that was released meanwhile (entry {} of the ledger)"

# read, under the store's lock
_PENDING = f"MATCH (a:AuditorApproval {{state: 'pending', kind: 'marginal'}}) {APPROVAL_COLUMNS} ORDER BY a.at, a.id"


def approval_wanted(request: MarginalRequest, state: TableState, found: FoundAnswer) -> NewApproval | None:
    """Return what waits for a second person before an answer is given; None where nothing needs to wait.

    A no is said at once, and so is what is out already or follows from it: nobody learns anything by that.
    """
    if request.policy.exports.marginal_approval != "second-person" or found.source is None or _is_out(state, found):
        return None
    what = {**state.asked.record(), "data": state.row.data, "answer": found.answer}
    subject = f"table:{state.row.name}"
    about = canonical_json(["marginal", subject, what["data"], what["marginal"], what["merged"]])
    terms, origin = marginal_terms(subject, what["data"], state.marginal, found.answer), request.origin
    return NewApproval("marginal", subject, request.actor, request.by, what, about, request.policy, origin, terms=terms)


def marginal_terms(subject: str, data: str, marginal: RecodedMarginal, answer: str) -> str:
    """Return what exactly would be released, true or simulated, in whatever order its parts are named."""
    return terms_key("marginal", subject, data, marginal.axes, marginal.groupings, answer)


def end_implied(tx: Transaction, ledger: Ledger, state: TableState, *, actor: str, entry: int) -> None:
    """End, in the transaction of a release, all pending requests that follow from it: nothing is left to decide.

    Parameters
    ----------
    tx : Transaction
        Which has the store's lock.
    ledger : Ledger
    state : TableState
        The table and the marginal that is released; requests for other versions of its data stay pending.
    actor : str
        Who releases it.
    entry : int
        Position of the release in the ledger.
    """
    for record in list(tx.run(_PENDING)):
        approval = decode(Approval, record["approval"])
        what = approval.what
        if what["data"] == state.row.data:
            pending = RecodedMarginal.of(state.table, what["merged"], what["marginal"])
            if pending.within(state.marginal):
                end_approval(tx, ledger, approval, Decision(approval.id, "implied", actor, _FOLLOWS.format(entry)))


def _is_out(state: TableState, found: FoundAnswer) -> bool:
    """Whether the counts that the answer has are out already, be they true or simulated."""
    return found.decision.implied or (found.answer == "simulate" and follows_from_out(state))


def follows_from_out(state: TableState) -> bool:
    """Whether a marginal can be added up from one that is out of the present data, be it true or simulated."""
    return any(state.marginal.within(marginal) for marginal in state.released(simulated=True))
