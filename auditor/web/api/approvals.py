"""Approvals."""

import time
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from auditor.access.person import is_one_of, is_same_person
from auditor.access.rights import Right
from auditor.approvals.deciding import approve, reject, withdraw
from auditor.approvals.record import Approval, ApprovalState
from auditor.approvals.repository import Approvals, missing_approval
from auditor.approvals.representation import approval_data
from auditor.core.plain import plain
from auditor.web.api.common import Approver, Part, Viewer, router_for
from auditor.web.api.models import In, Page
from auditor.web.security.identity import Call

router = router_for("approvals")

_RIGHTS: dict[str, Right] = {"marginal": "request", "export": "export"}
"""The right to request something of a kind."""

State = Annotated[ApprovalState | None, Query(description="only those")]


class RejectIn(In):
    """Why it must not be released."""

    reason: str = Field(min_length=1, max_length=1000)


@router.get("/approvals")
def list_approvals(call: Viewer, part: Part, state: State = None) -> Page[dict[str, Any]]:
    """List approvals, newest first; without the right to approve, one's own requests."""
    return part.page(call, [_out(approval) for approval in part.of(visible_approvals(call, state))])


@router.get("/approvals/{id}")
def show_approval(call: Viewer, id: str) -> dict[str, Any]:
    """Return an approval, pending or decided."""
    return _out(visible_approval(call, id))


@router.post("/approvals/{id}/approve")
def approve_it(call: Approver, id: str) -> dict[str, Any]:
    """Release it, if it still may be released now; its requester cannot."""
    return _out(approve(call.store, id, actor=call.person, clock=time.monotonic).approval)


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
