"""Audits in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.audits.network import NetworkAudit
from auditor.policy import Policy

if TYPE_CHECKING:
    from auditor.store import Store

__all__ = ["record_network_audit"]


def record_network_audit(
    store: Store, network: str, policy: Policy, audit: NetworkAudit, *, trigger: str, seconds: float, actor: str
) -> str:
    """Record an audit with its policy and findings, and an entry in the ledger; return its id."""
    return store.audits.record(
        subject=network,
        policy_hash=policy.digest(),
        policy_text=policy.text(),
        verdict=audit.verdict,
        findings=audit.findings,
        trigger=trigger,
        duration=seconds,
        actor=actor,
    )
