"""What is published of an approval, and what it is about, in words."""

from typing import Any

from auditor.approvals.record import Approval
from auditor.formats.tables.words import in_words

_SHOWN = ("id", "kind", "subject", "asked_by", "by", "at", "state", "frozen", "decided_by", "decided_at", "reason")
_OF_WHAT = ("marginal", "merged", "answer", "export")


def approval_data(approval: Approval) -> dict[str, Any]:
    """Return the object; docs/approvals.md explains its keys."""
    shown = {name: getattr(approval, name) for name in _SHOWN}
    return shown | {name: approval.what.get(name) for name in _OF_WHAT} | {"policy": approval.policy_hash}


def approval_in_words(approval: Approval) -> str:
    """Return what awaits approval, on one line."""
    if approval.kind == "export":
        return f"export {approval.what['export'][:8]}"
    simulated = " (simulated)" if approval.what["answer"] == "simulate" else ""
    return in_words(approval.what["marginal"], approval.what["merged"]) + simulated
