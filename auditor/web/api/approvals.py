"""Approvals."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from auditor.access.person import is_one_of, is_same_person
from auditor.access.rights import Right
from auditor.approvals.deciding import approve, reject, take_over, withdraw
from auditor.approvals.record import Approval, ApprovalState
from auditor.approvals.repository import Approvals, missing_approval
from auditor.approvals.representation import approval_data
from auditor.web.api.common import Approver, Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = router_for("approvals")

_RIGHTS: dict[str, Right] = {"marginal": "request", "export": "export"}
"""What whoever requests something of a kind needs."""

State = Annotated[ApprovalState | None, Query(description="only those")]


class RejectIn(BaseModel):
    """Why it must not go out."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    reason: str = Field(min_length=1, max_length=1000)


@router.get("/approvals")
def list_approvals(
    request: Request,
    identity: Viewer,
    service: Served,
    state: State = None,
    limit: Limit = 50,
    skip: Skip = 0,
) -> Page[dict[str, Any]]:
    """List what waits or waited for a second person, newest first; to who may not approve, what they asked for."""
    found = visible_approvals(service, identity, state)[skip : skip + limit + 1]
    return page_of(request, [_out(approval) for approval in found], limit, skip)


@router.get("/approvals/{id}")
def show_approval(id: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return what waits, or what became of it."""
    return _out(visible_approval(service, identity, id))


@router.post("/approvals/{id}/approve")
def approve_it(id: str, identity: Approver, service: Served) -> dict[str, Any]:
    """Let it out if it still may go out now; one who asked for it cannot."""
    return _out(approve(service.store, id, actor=identity.person, clock=time.monotonic).approval)


@router.post("/approvals/{id}/reject")
def reject_it(id: str, asked: RejectIn, identity: Approver, service: Served) -> dict[str, Any]:
    """Say no."""
    return _out(reject(service.store, id, actor=identity.person, reason=asked.reason))


@router.post("/approvals/{id}/withdraw")
def withdraw_it(id: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Take back what one asked for oneself."""
    visible_approval(service, identity, id)
    return _out(withdraw(service.store, id, actor=identity.person))


@router.post("/approvals/{id}/take-over")
def take_it_over(id: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Make what is frozen one's own request: its requester's token was revoked. This needs the right to request it."""
    return _out(take_over_as(service, identity, id))


def take_over_as(service: Service, identity: Identity, id: str) -> Approval:
    """Make what is frozen the request of somebody who could have made it.

    Raises
    ------
    NotFound, Forbidden, Refused
        As :func:`visible_approval` and :func:`auditor.approvals.deciding.take_over`.
    """
    found = visible_approval(service, identity, id)
    identity.require(_RIGHTS[found.kind])
    return take_over(service.store, id, actor=identity.person, token=identity.token)


def visible_approvals(service: Service, identity: Identity, state: ApprovalState | None = None) -> list[Approval]:
    """Return what somebody may see of what waits or waited, newest first."""
    return [one for one in Approvals(service.store).list(state) if _may_see(identity, one)]


def visible_approval(service: Service, identity: Identity, id: str) -> Approval:
    """Return what waits or waited.

    Raises
    ------
    NotFound
        If there is none of that id; whoever may not see it is not told that it is there.
    """
    found = Approvals(service.store).show(id)
    if not _may_see(identity, found):
        raise missing_approval(found.id)
    return found


def may_take_over(identity: Identity, approval: Approval) -> bool:
    """Whether somebody could make what is frozen their own request."""
    before = any(is_same_person(identity.person, name) for name in (approval.asked_by, *approval.earlier))
    return identity.may(_RIGHTS[approval.kind]) and not before


def has_asked(identity: Identity, approval: Approval) -> bool:
    """Whether somebody asked for it, or it is for them."""
    return is_one_of(identity.person, *approval.requesters)


def _may_see(identity: Identity, approval: Approval) -> bool:
    return identity.may("approve") or identity.may("ledger") or has_asked(identity, approval)


def _out(approval: Approval) -> dict[str, Any]:
    from auditor.core.plain import plain

    shown: dict[str, Any] = plain(approval_data(approval))
    return shown
