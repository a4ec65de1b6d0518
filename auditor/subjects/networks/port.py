"""Networks for audits: found, compared with what was read, audited; their exports audited again."""

from collections.abc import Callable, Sequence
from pathlib import Path

from auditor.approvals.review import Fact, Risk
from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort
from auditor.core.ports.happening import Happening, LedgerEvent
from auditor.core.subject import AuditSubject
from auditor.core.transactions import Transaction
from auditor.exports.destination import Destination
from auditor.exports.record import Export
from auditor.policy import Policy
from auditor.store import Store
from auditor.store.subjects import check_unchanged
from auditor.subjects.networks.repository import NetworkInfo, Networks
from graphkit.arrays import Ints
from graphkit.verification import Check

_VIEWS = ("labels_shown", "degrees_shown", "picture_shown")


def subject_of(info: NetworkInfo) -> AuditSubject:
    """Return a network as audits know it."""
    return AuditSubject("network", info.name, f"network:{info.name}", info.checksum, info.id)


def drift_of(store: Store, info: NetworkInfo, blocks: Ints) -> tuple[Finding, ...]:
    """Return what there is to say of the live graph that a network was read from: nothing, where it is the same.

    Parameters
    ----------
    store : Store
    info : NetworkInfo
    blocks : ndarray of int, shape (Δ+1,)
        Block sequence of the network as it is stored.
    """
    if info.live is None:
        return ()
    from auditor.config import load_settings
    from auditor.subjects.networks.live.origin import drift_findings

    settings = store.settings if store.settings is not None else load_settings()
    return drift_findings(settings, info.live, blocks)


class NetworkPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        return subject_of(Networks(store).show(name))

    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        check_unchanged(tx, subject.shown, subject.number)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        from auditor.subjects.networks.auditing import audit_graph, audit_network, wanted_knowledge

        networks, names = Networks(store), wanted_knowledge((), policy.network)
        info = networks.show(subject.name)
        if names:
            result = audit_graph(networks.load(subject.name).graph, policy.network, names)
        else:
            result = audit_network(networks.view_of(info).block_sequence(), policy.network)
        return (*result.findings, *drift_of(store, info, result.risk.block_sequence))

    def audit_release(
        self, store: Store, export: Export, policy: Policy, path: Path | None = None
    ) -> Sequence[Finding]:
        """Return what is wrong with an export's files and with what it claims."""
        from auditor.subjects.networks.exports.rechecking import audit_export

        return audit_export(store, export, policy.network, path)

    def release_checks(self, store: Store, export: Export, policy: Policy) -> tuple[Sequence[Check], Sequence[str]]:
        """Return the checks of an export, made again now, and what cannot be checked again."""
        from auditor.subjects.networks.exports.rechecking import checks_of_export

        return checks_of_export(store, export)

    def review_release(self, store: Store, export: Export) -> Sequence[Fact]:
        """Return what a second person sees of an export that awaits them."""
        from auditor.subjects.networks.report.release_risk import export_facts

        return export_facts(export)

    def release_risk(self, store: Store, export: Export, policy: Policy, path: Path) -> Risk:
        """Return the risk of a network before an export and after it. Protected."""
        from auditor.subjects.networks.report.release_risk import export_risk

        return export_risk(store, export, path)

    def check_release_place(self, destination: Destination) -> None:
        """Refuse a destination that an export could not, or must not, be written to."""
        from auditor.subjects.networks.exports.place import check_network_destination

        check_network_destination(destination)

    def stale_beside(self, destination: Destination, names: Sequence[str]) -> Sequence[Path]:
        """Return the vertex file of an export that is replaced by one without."""
        from auditor.subjects.networks.exports.place import stale_companion

        return stale_companion(destination, names)

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        """Return what an entry of the ledger means to a person who looks back on a period."""
        return (Happening("viewed"),) if event.kind in _VIEWS else super().happenings(event)
