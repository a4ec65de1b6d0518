"""Which answers wait for a second person, and what is kept of them until then: names, never a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.approvals.record import NewApproval
from auditor.ledger.chain import canonical_json

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.answering import FoundAnswer
    from auditor.subjects.tables.releases.request import MarginalRequest
    from auditor.subjects.tables.stored.releases import TableState


def approval_wanted(request: MarginalRequest, state: TableState, found: FoundAnswer) -> NewApproval | None:
    """Return what waits for a second person before an answer is given; None where nothing needs to wait.

    A no is said at once, and so is what is out already or follows from it: nobody learns anything by that.
    """
    if request.policy.exports.marginal_approval != "second-person" or found.source is None or _is_out(state, found):
        return None
    what = {**state.asked.record(), "data": state.row.data, "answer": found.answer}
    subject = f"table:{state.row.name}"
    about = canonical_json(["marginal", subject, what["data"], what["marginal"], what["merged"]])
    return NewApproval("marginal", subject, request.actor, request.by, what, about, request.policy, request.origin)


def _is_out(state: TableState, found: FoundAnswer) -> bool:
    """Whether the counts that the answer has are out already, be they true or simulated."""
    return found.decision.implied or (found.answer == "simulate" and follows_from_out(state))


def follows_from_out(state: TableState) -> bool:
    """Whether a marginal can be added up from one that is out of the present data, be it true or simulated."""
    return any(state.marginal.within(marginal) for marginal in state.released(simulated=True))
