"""What is published of an approval, and what it is about, in words."""

from dataclasses import asdict
from typing import Any

from auditor.approvals.conversation import Comment
from auditor.approvals.record import Approval
from auditor.approvals.review import Review, Risk
from auditor.formats.tables.words import in_words

_SHOWN = ("id", "kind", "subject", "asked_by", "by", "at", "state", "frozen", "decided_by", "decided_at", "reason")
_MORE = ("purpose", "change", "agreed_until", "replaces", "replaced_by")
_OF_WHAT = ("marginal", "merged", "answer", "export")


def approval_data(approval: Approval) -> dict[str, Any]:
    """Return the object; docs/approvals.md explains its keys."""
    shown = {name: getattr(approval, name) for name in (*_SHOWN, *_MORE)}
    return shown | {name: approval.what.get(name) for name in _OF_WHAT} | {"policy": approval.policy_hash}


def approval_in_words(approval: Approval) -> str:
    """Return what awaits approval, on one line."""
    if approval.kind == "export":
        return f"export {approval.what['export'][:8]}"
    simulated = " (simulated)" if approval.what["answer"] == "simulate" else ""
    return in_words(approval.what["marginal"], approval.what["merged"]) + simulated


def change_in_words(approval: Approval) -> str | None:
    """Return the change that a second person approves, on one line; None where there is none."""
    if approval.change is None:
        return None
    if "marginal" in approval.change:
        return in_words(approval.change["marginal"], approval.change["merged"])
    return ", ".join(f"{name} = {value}" for name, value in approval.change.items())


def comment_data(comment: Comment) -> dict[str, Any]:
    """Return the object of a comment."""
    return asdict(comment)


def review_data(review: Review) -> dict[str, Any]:
    """Return the object of what a second person sees of a request."""
    return {
        "facts": [{"name": fact.name, "value": fact.value} for fact in review.facts],
        "released": [{"name": one.name, "at": one.at, "what": one.what} for one in review.out],
        "changeable": [asdict(field) for field in review.fields],
        "gone": review.gone,
    }


def risk_data(risk: Risk) -> dict[str, Any]:
    """Return the object of the risk before and after a release; the figures of its charts are in it. Protected."""
    charts = [{"title": one.title, "about": one.about, "columns": one.columns, "rows": one.rows} for one in risk.charts]
    return {"rows": [asdict(row) for row in risk.rows], "charts": charts, "remark": risk.remark or None}
