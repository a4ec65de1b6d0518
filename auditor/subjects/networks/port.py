"""Networks for audits: found, held against what was seen, audited; their exports looked at again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.kinds import SubjectPort
from auditor.core.names import is_name
from auditor.core.subject import AuditSubject
from auditor.store.subjects import check_unchanged, missing_subject
from auditor.subjects.networks.repository import Networks

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.core.finding import Finding
    from auditor.exports.record import Export
    from auditor.policy import Policy
    from auditor.store import Store

# read
_NETWORK = "MATCH (n:AuditorNetwork {name: $name}) RETURN n.id AS number, n.checksum AS checksum"


class NetworkPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        records = store.connection.read(_NETWORK, name=name) if is_name(name) else []
        if not records:
            raise missing_subject("network", name)
        return AuditSubject("network", name, f"network:{name}", str(records[0]["checksum"]), records[0]["number"])

    def check_same(self, tx: ManagedTransaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        check_unchanged(tx, subject.shown, subject.number)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        from auditor.subjects.networks.auditing import audit_network
        from auditor.subjects.networks.knowledge import measure_risks, wanted_knowledge

        names = wanted_knowledge((), policy.network)
        if not names:
            return audit_network(Networks(store).block_sequence(subject.name), policy.network).findings
        graph = Networks(store).load(subject.name).graph
        given = measure_risks(graph, policy.network, names)
        return audit_network(graph.block_sequence(), policy.network, given).findings

    def audit_release(
        self, store: Store, export: Export, policy: Policy, path: Path | None = None
    ) -> Sequence[Finding]:
        """Return what is wrong with an export's files and with what it claims."""
        from auditor.subjects.networks.exports.auditing import audit_export

        return audit_export(store, export, policy.network, path)
