"""Audits in the store."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from auditor.audits.record import NewAudit
from auditor.audits.repository import Audits
from auditor.core.subject import AuditSubject
from auditor.policy import Policy
from auditor.subjects.networks.auditing import NetworkAudit

if TYPE_CHECKING:
    from auditor.audits.record import Audit
    from auditor.store import Store
    from auditor.subjects.networks.repository import NetworkInfo


def record_network_audit(
    store: Store,
    network: NetworkInfo,
    policy: Policy,
    audit: NetworkAudit,
    *,
    trigger: str,
    seconds: float,
    actor: str,
    labels_shown: Collection[str] | None = None,
) -> Audit:
    """Record the audit of a network, as it was found before it was read, with policy, findings and ledger entry.

    Parameters
    ----------
    labels_shown : collection of str, optional
        Under which knowledge vertices will be named to the actor: an entry of its own, before that is done.

    Returns
    -------
    Audit
        As it was recorded.

    Raises
    ------
    NotFound, StoreConflict
        If the network is gone, or another one has its name by now.
    """
    subject = AuditSubject("network", network.name, f"network:{network.name}", network.checksum, network.id)
    new = NewAudit(subject, audit.findings, policy.digest(), policy.text(), trigger, seconds, actor)
    return Audits(store).record(new, labels_shown=labels_shown)
