"""Which answers wait for a second person, and what is kept of them until then: names, never a count."""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING

from auditor.approvals.record import NewApproval
from auditor.core.origin import Origin
from auditor.ledger.chain import canonical_json
from auditor.notifications.message import approval_messages
from auditor.subjects.tables.releases.history import marginals_of_these_data
from auditor.subjects.tables.stored.recorded_answers import MarginalNames

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.subjects.tables.releases.answering import FoundAnswer
    from auditor.subjects.tables.stored.releases import TableState


def approval_wanted(
    state: TableState,
    found: FoundAnswer,
    policy: Policy,
    *,
    by: str,
    asked_by: str,
    origin: Origin | None = None,
) -> NewApproval | None:
    """Return what waits for a second person before an answer is given; None where nothing needs to wait.

    A no is said at once, and so is what is out already or follows from it: nobody learns anything by that.
    """
    if policy.exports.marginal_approval != "second-person" or found.source is None or _is_out(state, found):
        return None
    asked = MarginalNames.of(state.marginal, state.row.variables)
    what = {
        **asked.record(),
        "data": state.row.data,
        "answer": found.answer,
    }
    id, subject = str(uuid.uuid4()), f"table:{state.row.name}"
    return NewApproval(
        id,
        "marginal",
        subject,
        asked_by,
        by,
        what,
        canonical_json(["marginal", subject, what["data"], what["marginal"], what["merged"]]),
        policy.digest(),
        policy.text(),
        partial(approval_messages, policy, id, "marginal", subject),
        origin if origin is not None else Origin(),
    )


def _is_out(state: TableState, found: FoundAnswer) -> bool:
    """Whether the counts that the answer has are out already, be they true or simulated."""
    return found.decision.implied or (found.answer == "simulate" and follows_from_out(state))


def follows_from_out(state: TableState) -> bool:
    """Whether a marginal can be added up from one that is out of the present data, be it true or simulated."""
    out = marginals_of_these_data(state, simulated=True)
    return any(state.marginal.within(marginal) for marginal in out)
