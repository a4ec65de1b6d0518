"""A second person approves a marginal: it is decided once more, and goes out exactly if the answer is yes now."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.approvals.record import Decision
from auditor.approvals.repository import Approvals, check_decider
from auditor.core.errors import BadInput, StoreConflict
from auditor.policy import stored_policy
from auditor.subjects.tables.releases.answering import find_answer
from auditor.subjects.tables.releases.recording import record_answer
from auditor.subjects.tables.stored.releases import Releases

if TYPE_CHECKING:
    from auditor.approvals.record import Approval
    from auditor.store.opening import Store
    from auditor.subjects.tables.releases.recording import RequestAnswer

_TRIES = 50


@dataclass(frozen=True, slots=True, eq=False)
class ApprovedRequest:
    """What became of a marginal that was approved."""

    approval: Approval
    """``approved``; ``overtaken`` where the answer is no by now; still ``pending`` where it is neither."""
    answer: RequestAnswer | None
    """As of a request; None where the table has other data by now. Protected."""


def approve_request(store: Store, id: str, *, actor: str, clock: Callable[[], float]) -> ApprovedRequest:
    """Decide a pending marginal again, under the policy it waits under, and let it go out if the answer is still yes.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who approves: neither who asked nor for whom it was asked.
    clock : callable
        Returns seconds, for the time limit of the policy.

    Raises
    ------
    NotFound
        If there is no such approval, or the table is gone.
    BadInput
        If it is the approval of something else.
    Refused
        If it is not pending any more, or this person asked for it.
    StoreConflict
        If others released something again and again while the answer was computed.

    Notes
    -----
    The release and the end of the approval are one transaction, which locks the table and looks whether anything went
    out since the state that was decided on; if so, all begins anew. So of two that approve at once one is told that it
    is not pending any more, and whatever went out meanwhile counts.
    """
    for _ in range(_TRIES):
        approval = Approvals(store).show(id)
        if approval.kind != "marginal":
            raise BadInput(f"{id} is the approval of an export, not of a marginal")
        check_decider(approval, actor)
        try:
            return _approved(store, approval, actor, clock)
        except StoreConflict:
            continue
    raise StoreConflict(f"others kept releasing marginals of {approval.subject!r} meanwhile; try again")


def _approved(store: Store, approval: Approval, actor: str, clock: Callable[[], float]) -> ApprovedRequest:
    name, what = approval.subject.removeprefix("table:"), approval.what
    if Releases(store).data_of(name) != what["data"]:
        return ApprovedRequest(_other_data(store, approval, actor), None)
    policy = stored_policy(Approvals(store).policy_text(approval.id), "policy of the approval")
    state = Releases(store).state(name, what["marginal"], policy.digest(), what["merged"])
    if state.row.data != what["data"]:
        return ApprovedRequest(_other_data(store, approval, actor), None)
    found = find_answer(state, policy, clock, explain=False)
    ending = None
    if found.source is not None:
        ending = Decision(approval.id, str(uuid.uuid4()), "approved", actor)
    elif found.answer != "undecided":
        reason = "it is refused now, because of releases made since the request"
        ending = Decision(approval.id, str(uuid.uuid4()), "overtaken", actor, reason)
    answer = record_answer(
        store, state, found, policy, by=approval.by, actor=actor, approving=ending, approval=approval.id
    )
    return ApprovedRequest(Approvals(store).show(approval.id), answer)


def _other_data(store: Store, approval: Approval, actor: str) -> Approval:
    reason = "the table has other data than at the request; request it again"
    return Approvals(store).overtake(approval.id, actor=actor, reason=reason)
