"""Approvals."""

import time
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from auditor.access.person import is_one_of, is_same_person
from auditor.access.rights import Right
from auditor.approvals.conversation import Comment, Conversation
from auditor.approvals.deciding import approve, approve_if, approver_of, reject, withdraw
from auditor.approvals.record import Approval, ApprovalState
from auditor.approvals.repository import Approvals, missing_approval
from auditor.approvals.representation import approval_data, comment_data, review_data, risk_data
from auditor.approvals.review import Risk
from auditor.approvals.reviewing import look_at_risk
from auditor.approvals.waiting import Waiting, WaitingFor
from auditor.approvals.words import MOST_LETTERS, MOST_OF_COMMENT
from auditor.core.plain import plain
from auditor.web.api.common import Approver, Looker, Part, Viewer, router_for
from auditor.web.api.models import In, Page
from auditor.web.security.identity import Call, Forbidden
from auditor.web.security.turns import MEASURING

router = router_for("approvals")

_RIGHTS: dict[str, Right] = {"marginal": "request", "export": "export"}
"""The right to request something of a kind."""

State = Annotated[ApprovalState | None, Query(description="only those")]


class RejectIn(In):
    """Why it must not be released."""

    reason: str = Field(min_length=1, max_length=MOST_LETTERS)


class ApproveIfIn(In):
    """A change that makes it releasable, and why it is needed."""

    change: dict[str, Any] = Field(
        description="of a marginal 'marginal' (the variables that stay) and 'merged' (categories that become one, by "
        "variable); of an export 'k'"
    )
    reason: str = Field(min_length=1, max_length=MOST_LETTERS)


class CommentIn(In):
    """Something to say about a request; it names no label and no value."""

    text: str = Field(min_length=1, max_length=MOST_OF_COMMENT)


Mine = Annotated[bool, Query(description="only what waits for the person who sends the request")]


@router.get("/approvals")
def list_approvals(call: Viewer, part: Part, state: State = None, waiting: Mine = False) -> Page[dict[str, Any]]:
    """List approvals, newest first; without the right to approve, one's own requests."""
    found = visible_approvals(call, state)
    if waiting:
        mine = waiting_for(call)
        ids = {one.id for one in (*mine.to_decide, *mine.to_change)}
        found = [one for one in found if one.id in ids]
    return part.page(call, [_out(approval) for approval in part.of(found)])


@router.get("/approvals/{id}")
def show_approval(call: Viewer, id: str) -> dict[str, Any]:
    """Return an approval, pending or decided."""
    return _out(visible_approval(call, id))


@router.post("/approvals/{id}/approve")
def approve_it(call: Approver, id: str) -> dict[str, Any]:
    """Release it, if it still may be released now; its requester cannot."""
    return _out(approve(call.store, id, actor=call.person, clock=time.monotonic).approval)


@router.post("/approvals/{id}/approve-if")
def approve_it_if(call: Approver, id: str, asked: ApproveIfIn) -> dict[str, Any]:
    """Return it to its requester: changed exactly so, it counts as approved; it is decided and verified as always."""
    return _out(approve_if_as(call, id, asked.change, asked.reason))


@router.get("/approvals/{id}/review")
def show_review(call: Viewer, id: str) -> dict[str, Any]:
    """Return what a second person sees of it: facts, what was released before, what can be changed."""
    one = visible_approval(call, id)
    shown: dict[str, Any] = plain(review_data(approver_of(one).review(call.store, one)))
    return shown


@router.post("/approvals/{id}/risk")
def show_risk(call: Looker, id: str) -> dict[str, Any]:
    """Return the risk before and after it; the view is in the ledger."""
    shown: dict[str, Any] = plain(risk_data(risk_for(call, id)))
    return shown


@router.get("/approvals/{id}/comments")
def list_comments(call: Viewer, id: str, part: Part) -> Page[dict[str, Any]]:
    """List what was said about it, the first comment first."""
    found = Conversation(call.store).about(visible_approval(call, id).id)
    return part.page(call, [plain(comment_data(one)) for one in part.of(found)])


@router.post("/approvals/{id}/comments", status_code=201)
def add_comment(call: Viewer, id: str, said: CommentIn) -> dict[str, Any]:
    """Comment on it; requesters and those who may approve do."""
    shown: dict[str, Any] = plain(comment_data(comment_as(call, id, said.text)))
    return shown


@router.post("/approvals/{id}/reject")
def reject_it(call: Approver, id: str, asked: RejectIn) -> dict[str, Any]:
    """Reject it."""
    return _out(reject(call.store, id, actor=call.person, reason=asked.reason))


@router.post("/approvals/{id}/withdraw")
def withdraw_it(call: Viewer, id: str) -> dict[str, Any]:
    """Withdraw one's own request."""
    visible_approval(call, id)
    return _out(withdraw(call.store, id, actor=call.person))


@router.post("/approvals/{id}/take-over")
def take_it_over(call: Viewer, id: str) -> dict[str, Any]:
    """Make a frozen request one's own: the token of its requester was revoked. This needs the right to request it."""
    return _out(take_over_as(call, id))


def take_over_as(call: Call, id: str) -> Approval:
    """Make a frozen request that of the person who sends the call.

    Raises
    ------
    NotFound, Forbidden, Refused
        As :func:`visible_approval` and :meth:`auditor.approvals.repository.Approvals.take_over`.
    """
    call.identity.require(_RIGHTS[visible_approval(call, id).kind])
    return Approvals(call.store).take_over(id, actor=call.person, token=call.identity.token)


def approve_if_as(call: Call, id: str, change: dict[str, Any], reason: str) -> Approval:
    """Return a request for a change, in the name of the person who sends the call.

    Raises
    ------
    NotFound, BadInput, Refused
        As :func:`visible_approval` and :func:`auditor.approvals.deciding.approve_if`.
    """
    visible_approval(call, id)
    token = call.identity.token
    return approve_if(call.store, id, change=change, reason=reason, actor=call.person, token=token)


def risk_for(call: Call, id: str) -> Risk:
    """Return the risk before and after a request, for the person who sends the call.

    Raises
    ------
    NotFound, TooBusy
        As :func:`visible_approval`, and if others are having one computed.
    """
    visible_approval(call, id)
    with MEASURING.one():
        return look_at_risk(call.store, id, actor=call.person, clock=time.monotonic)


def comment_as(call: Call, id: str, text: str) -> Comment:
    """Comment on a request in the name of the person who sends the call.

    Raises
    ------
    NotFound, Forbidden, BadInput, Refused
        As :func:`visible_approval` and :meth:`auditor.approvals.conversation.Conversation.add`.
    """
    if not may_comment(call, visible_approval(call, id)):
        raise Forbidden("requesters comment on their own requests, and those with the right 'approve' on all")
    return Conversation(call.store).add(id, actor=call.person, text=text)


def may_comment(call: Call, approval: Approval) -> bool:
    """Whether a person takes part in the conversation about a request."""
    return call.may("approve") or has_asked(call, approval)


def waiting_for(call: Call) -> Waiting:
    """Return what waits for the person who sends the call."""
    return WaitingFor(call.store).person(call.person, approves=call.may("approve"))


def visible_approvals(call: Call, state: ApprovalState | None = None) -> list[Approval]:
    """Return the approvals that a person may see, newest first."""
    return [one for one in Approvals(call.store).list(state) if _may_see(call, one)]


def visible_approval(call: Call, id: str) -> Approval:
    """Return an approval.

    Raises
    ------
    NotFound
        If there is none of that id, or the person may not see it: an answer of its own would tell that there is one.
    """
    found = Approvals(call.store).show(id)
    if not _may_see(call, found):
        raise missing_approval(found.id)
    return found


def may_take_over(call: Call, approval: Approval) -> bool:
    """Whether a person could make a frozen request their own."""
    before = any(is_same_person(call.person, name) for name in (approval.asked_by, *approval.earlier))
    return call.may(_RIGHTS[approval.kind]) and not before


def has_asked(call: Call, approval: Approval) -> bool:
    """Whether a person requested it, or it is for them."""
    return is_one_of(call.person, *approval.requesters)


def _may_see(call: Call, approval: Approval) -> bool:
    return call.may("approve") or call.may("ledger") or has_asked(call, approval)


def _out(approval: Approval) -> dict[str, Any]:
    shown: dict[str, Any] = plain(approval_data(approval))
    return shown
