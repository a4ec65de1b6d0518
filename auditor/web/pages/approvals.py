"""Approvals: what waits, the page of one request, and what those who decide and the requester do with it."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from fastapi import Form
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import Response

from auditor.access.person import is_one_of
from auditor.approvals.agreed import AGREED_FOR
from auditor.approvals.conversation import Conversation
from auditor.approvals.deciding import approve, approver_of, reject, withdraw
from auditor.approvals.record import Approval
from auditor.approvals.representation import approval_in_words, change_in_words
from auditor.approvals.review import ChangeField, Review
from auditor.approvals.words import MOST_LETTERS, MOST_OF_COMMENT
from auditor.core.errors import BadInput
from auditor.web.api.approvals import (
    approve_if_as,
    comment_as,
    has_asked,
    may_comment,
    may_take_over,
    risk_for,
    take_over_as,
    visible_approval,
    visible_approvals,
    waiting_for,
)
from auditor.web.api.common import Approver, Looker, Viewer
from auditor.web.pages.common import KNOWN, Skip, page_router, parts_around, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50
Reason = Annotated[str, Form(max_length=MOST_LETTERS)]


@router.get("/approvals")
def approvals(call: Viewer, skip: Skip = 0) -> Response:
    """Show pending and decided approvals; without the right to approve, one's own requests."""
    found = visible_approvals(call)
    mine = waiting_for(call)
    first = {one.id for one in (*mine.to_decide, *mine.to_change)}
    decided = [one for one in found if one.state != "pending" and one.id not in first]
    return page(
        call,
        "approvals.html",
        first=[one for one in found if one.id in first],
        waiting=[one for one in found if one.state == "pending" and one.id not in first],
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


@router.post("/approvals/{id}/approve-if")
async def let_out_changed(call: Approver, id: str) -> Response:
    """Return it to its requester: it counts as approved, if it is changed so."""
    form = await call.request.form(max_files=0, max_fields=2000)
    return await run_in_threadpool(_returned, call, id, form)


def _returned(call: Call, id: str, form: FormData) -> Response:
    fields = _review(call, visible_approval(call, id)).fields
    return _decided(
        call,
        id,
        lambda: approve_if_as(call, id, change_of(fields, form), str(form.get("reason", ""))),
        "returned",
        entered=form,
    )


@router.post("/approvals/{id}/reject")
def refuse(call: Approver, id: str, reason: Reason) -> Response:
    """Reject it."""
    return _decided(call, id, lambda: reject(call.store, id, actor=call.person, reason=reason), "rejected")


@router.post("/approvals/{id}/risk")
def risk(call: Looker, id: str) -> Response:
    """Show the risk before and after it."""
    return _page(call, id, risk=risk_for(call, id))


@router.post("/approvals/{id}/comments")
def comment(call: Viewer, id: str, text: Annotated[str, Form(max_length=2 * MOST_OF_COMMENT)]) -> Response:
    """Comment on it."""
    visible_approval(call, id)
    try:
        comment_as(call, id, text)
    except KNOWN as error:
        return _page(call, id, said=text, **told(error))
    return said(f"/approvals/{id}", "commented")


@router.post("/approvals/{id}/withdraw")
def take_back(call: Viewer, id: str) -> Response:
    """Withdraw one's own request."""
    return _decided(call, id, lambda: withdraw(call.store, id, actor=call.person), "withdrawn")


@router.post("/approvals/{id}/take-over")
def take_over(call: Viewer, id: str) -> Response:
    """Make a frozen request one's own."""
    return _decided(call, id, lambda: take_over_as(call, id), "taken-over")


def _decided(call: Call, id: str, decide: Callable[[], Approval], word: str | None = None, **given: Any) -> Response:
    """Return the answer to a form about an approval; without a word it says whether it was approved."""
    visible_approval(call, id)
    try:
        done = decide()
    except KNOWN as error:
        return _page(call, id, **given, **told(error))
    return said(f"/approvals/{id}", word or ("approved" if done.state == "approved" else "not-approved"))


def change_of(fields: Sequence[ChangeField], form: FormData) -> dict[str, Any]:
    """Return the change that a form describes, by the fields of its kind.

    Raises
    ------
    BadInput
        If a number is none.
    """
    found: dict[str, Any] = {}
    for field in fields:
        given = [str(value) for value in form.getlist(field.name)]
        if field.sort == "number":
            text = given[0].strip() if given else ""
            if not text.isascii() or not text.isdigit() or len(text) > 15:
                raise BadInput(f"{field.label} must be a whole number {field.hint}")
            found[field.name] = int(text)
        elif field.sort == "choices":
            found[field.name] = given
        else:
            found[field.name] = [line.strip() for text in given for line in text.splitlines() if line.strip()]
    return found


def _review(call: Call, one: Approval) -> Review:
    found: Review = approver_of(one).review(call.store, one)
    return found


def _page(call: Call, id: str, **given: Any) -> Response:
    one = visible_approval(call, id)
    approver = approver_of(one)
    shown: Mapping[str, Any] = {
        "one": one,
        "words": approval_in_words(one),
        "change": change_in_words(one),
        "ended": one.agreed_until is not None and one.agreed_until <= call.now(),
        "review": _review(call, one),
        "risk": None,
        "comments": Conversation(call.store).about(one.id),
        "mine": has_asked(call, one),
        "asked": is_one_of(call.person, one.asked_by, *one.earlier),
        "may_withdraw": is_one_of(call.person, one.asked_by, one.by),
        "may_take_over": one.frozen and may_take_over(call, one),
        "may_comment": may_comment(call, one),
        "limit": call.policy.table.time_limit,
        "days": AGREED_FOR.days,
        "longest": MOST_OF_COMMENT,
        "entered": None,
        "said": "",
        "change_url": approver.change_url(call.store, one) if one.state == "returned" else None,
        "counts": approver.counts_url(call.store, one) if call.may("request") else None,
    }
    return page(call, "approval.html", **{**shown, **given})
