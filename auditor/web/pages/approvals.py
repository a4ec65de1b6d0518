"""Approvals: pending ones, and approving, rejecting and withdrawing them."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import Form, Query, Request
from starlette.responses import Response

from auditor.access.person import is_one_of
from auditor.approvals.deciding import approve, approver_of, reject, withdraw
from auditor.approvals.representation import approval_in_words
from auditor.web.api.approvals import has_asked, may_take_over, take_over_as, visible_approval, visible_approvals
from auditor.web.api.common import Approver, Served, Viewer
from auditor.web.pages.common import KNOWN, page_router, parts_around, said, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()

_SHOWN = 50


@router.get("/approvals")
def approvals(
    request: Request, identity: Viewer, service: Served, skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0
) -> Response:
    """Show what waits, and what was decided; to who may not approve, what they asked for."""
    found = visible_approvals(service, identity)
    waiting = [one for one in found if one.state == "pending"]
    decided = [one for one in found if one.state != "pending"]
    return render(
        request,
        "approvals.html",
        identity,
        waiting=waiting,
        decided=decided[skip : skip + _SHOWN],
        words=approval_in_words,
        **parts_around("/approvals", skip, _SHOWN, len(decided) > skip + _SHOWN),
    )


@router.get("/approvals/{id}")
def show(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Show an approval."""
    return _page(request, identity, service, id)


@router.post("/approvals/{id}/approve")
def let_out(request: Request, id: str, identity: Approver, service: Served) -> Response:
    """Let out what waits, if it still may go out now."""
    try:
        done = approve(service.store, id, actor=identity.person, clock=time.monotonic)
    except KNOWN as error:
        return _page(request, identity, service, id, **told(error))
    return said(f"/approvals/{id}", "approved" if done.approval.state == "approved" else "not-approved")


@router.post("/approvals/{id}/reject")
def refuse(
    request: Request,
    id: str,
    identity: Approver,
    service: Served,
    reason: Annotated[str, Form(max_length=1000)],
) -> Response:
    """Say no."""
    try:
        reject(service.store, id, actor=identity.person, reason=reason)
    except KNOWN as error:
        return _page(request, identity, service, id, **told(error))
    return said(f"/approvals/{id}", "rejected")


@router.post("/approvals/{id}/withdraw")
def take_back(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Take back what one asked for."""
    visible_approval(service, identity, id)
    try:
        withdraw(service.store, id, actor=identity.person)
    except KNOWN as error:
        return _page(request, identity, service, id, **told(error))
    return said(f"/approvals/{id}", "withdrawn")


@router.post("/approvals/{id}/take-over")
def take_over(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Make what is frozen one's own request."""
    visible_approval(service, identity, id)
    try:
        take_over_as(service, identity, id)
    except KNOWN as error:
        return _page(request, identity, service, id, **told(error))
    return said(f"/approvals/{id}", "taken-over")


def _page(request: Request, identity: Identity, service: Service, id: str, **given: Any) -> Response:
    one = visible_approval(service, identity, id)
    shown = {
        "one": one,
        "words": approval_in_words(one),
        "mine": has_asked(identity, one),
        "asked": is_one_of(identity.person, one.asked_by, *one.earlier),
        "may_withdraw": is_one_of(identity.person, one.asked_by, one.by),
        "may_take_over": one.frozen and may_take_over(identity, one),
        "limit": service.policy.table.time_limit,
        **approver_of(one).shown(service.store, one),
        **given,
    }
    return render(request, "approval.html", identity, **shown)
