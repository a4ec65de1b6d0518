"""What is told of something that waits for a second person, and of what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.formats.tables.words import in_words

if TYPE_CHECKING:
    from auditor.approvals.record import Approval


def approval_data(approval: Approval) -> dict[str, Any]:
    """Return the object; docs/approvals.md explains its keys."""
    told = dict.fromkeys(("marginal", "merged", "answer", "export"))
    return {
        "id": approval.id,
        "kind": approval.kind,
        "subject": approval.subject,
        **told | {key: approval.what[key] for key in told if key in approval.what},
        "asked_by": approval.asked_by,
        "by": approval.by,
        "at": approval.at,
        "policy": approval.policy_hash,
        "state": approval.state,
        "frozen": approval.frozen,
        "decided_by": approval.decided_by,
        "decided_at": approval.decided_at,
        "reason": approval.reason,
    }


def approval_in_words(approval: Approval) -> str:
    """Return what waits, on one line."""
    if approval.kind == "export":
        return f"export {approval.what['export'][:8]}"
    simulated = " (simulated)" if approval.what["answer"] == "simulate" else ""
    return in_words(approval.what["marginal"], approval.what["merged"]) + simulated
