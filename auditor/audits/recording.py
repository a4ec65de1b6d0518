"""Audits in the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from auditor.audits.network import NetworkAudit
from auditor.policy import Policy

if TYPE_CHECKING:
    from auditor.store import Store
    from auditor.store.networks import NetworkInfo

__all__ = ["record_network_audit"]


def record_network_audit(
    store: Store,
    network: NetworkInfo,
    policy: Policy,
    audit: NetworkAudit,
    *,
    trigger: str,
    seconds: float,
    actor: str,
    labels_shown: Mapping[str, int] | None = None,
) -> str:
    """Record the audit of a network, as it was found before it was read, with policy, findings and ledger entry.

    Parameters
    ----------
    labels_shown : mapping of str to int, optional
        How many vertices will be named to the actor, under each knowledge: an entry of its own, before that is done.

    Returns
    -------
    str
        Id of the audit.

    Raises
    ------
    NotFound, StoreConflict
        If the network is gone, or another one has its name by now.
    """
    return store.audits.record(
        subject=network.name,
        network=network.id,
        policy_hash=policy.digest(),
        policy_text=policy.text(),
        verdict=audit.verdict,
        findings=audit.findings,
        trigger=trigger,
        duration=seconds,
        actor=actor,
        labels_shown=labels_shown,
    )
