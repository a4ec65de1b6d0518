"""Approvals: pending ones, and approving, rejecting and withdrawing them."""

import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Form
from starlette.responses import Response

from auditor.access.person import is_one_of
from auditor.approvals.deciding import approve, approver_of, reject, withdraw
from auditor.approvals.record import Approval
from auditor.approvals.representation import approval_in_words
from auditor.web.api.approvals import has_asked, may_take_over, take_over_as, visible_approval, visible_approvals
from auditor.web.api.common import Approver, Viewer
from auditor.web.pages.common import KNOWN, Skip, page_router, parts_around, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50


@router.get("/approvals")
def approvals(call: Viewer, skip: Skip = 0) -> Response:
    """Show pending and decided approvals; without the right to approve, one's own requests."""
    found = visible_approvals(call)
    decided = [one for one in found if one.state != "pending"]
    return page(
        call,
        "approvals.html",
        waiting=[one for one in found if one.state == "pending"],
        decided=decided[skip : skip + _SHOWN],
        words=approval_in_words,
        **parts_around("/approvals", skip, _SHOWN, len(decided) > skip + _SHOWN),
    )


@router.get("/approvals/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an approval."""
    return _page(call, id)


@router.post("/approvals/{id}/approve")
def let_out(call: Approver, id: str) -> Response:
    """Release what is pending, if it still may be released now."""
    return _decided(call, id, lambda: approve(call.store, id, actor=call.person, clock=time.monotonic).approval)


@router.post("/approvals/{id}/reject")
def refuse(call: Approver, id: str, reason: Annotated[str, Form(max_length=1000)]) -> Response:
    """Reject it."""
    return _decided(call, id, lambda: reject(call.store, id, actor=call.person, reason=reason), "rejected")


@router.post("/approvals/{id}/withdraw")
def take_back(call: Viewer, id: str) -> Response:
    """Withdraw one's own request."""
    return _decided(call, id, lambda: withdraw(call.store, id, actor=call.person), "withdrawn")


@router.post("/approvals/{id}/take-over")
def take_over(call: Viewer, id: str) -> Response:
    """Make a frozen request one's own."""
    return _decided(call, id, lambda: take_over_as(call, id), "taken-over")


def _decided(call: Call, id: str, decide: Callable[[], Approval], word: str | None = None) -> Response:
    """Return the answer to a form about an approval; without a word it says whether it was approved."""
    visible_approval(call, id)
    try:
        done = decide()
    except KNOWN as error:
        return _page(call, id, **told(error))
    return said(f"/approvals/{id}", word or ("approved" if done.state == "approved" else "not-approved"))


def _page(call: Call, id: str, **given: Any) -> Response:
    one = visible_approval(call, id)
    shown = {
        "one": one,
        "words": approval_in_words(one),
        "mine": has_asked(call, one),
        "asked": is_one_of(call.person, one.asked_by, *one.earlier),
        "may_withdraw": is_one_of(call.person, one.asked_by, one.by),
        "may_take_over": one.frozen and may_take_over(call, one),
        "limit": call.policy.table.time_limit,
        **approver_of(one).shown(call.store, one),
        **given,
    }
    return page(call, "approval.html", **shown)
