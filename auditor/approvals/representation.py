"""What is published of an approval, and what it is about, in words."""

from typing import Any

from auditor.approvals.record import Approval
from auditor.formats.tables.words import in_words


def approval_data(approval: Approval) -> dict[str, Any]:
    """Return the object; docs/approvals.md explains its keys."""
    what = {key: approval.what.get(key) for key in ("marginal", "merged", "answer", "export")}
    return {
        **_fields(approval, "id", "kind", "subject"),
        **what,
        **_fields(approval, "asked_by", "by", "at"),
        "policy": approval.policy_hash,
        **_fields(approval, "state", "frozen", "decided_by", "decided_at", "reason"),
    }


def _fields(approval: Approval, *names: str) -> dict[str, Any]:
    return {name: getattr(approval, name) for name in names}


def approval_in_words(approval: Approval) -> str:
    """Return what awaits approval, on one line."""
    if approval.kind == "export":
        return f"export {approval.what['export'][:8]}"
    simulated = " (simulated)" if approval.what["answer"] == "simulate" else ""
    return in_words(approval.what["marginal"], approval.what["merged"]) + simulated
