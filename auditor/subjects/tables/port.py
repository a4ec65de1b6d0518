"""Tables for audits: found, held against what was seen, audited."""

from collections.abc import Callable, Sequence

from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort
from auditor.core.ports.happening import Happening, LedgerEvent
from auditor.core.subject import AuditSubject
from auditor.core.transactions import Transaction
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.tables.stored.releases import Releases
from auditor.subjects.tables.stored.rows import lock_table, read_row


class TablePort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        row = store.connection.read_transaction(lambda tx: read_row(tx, name))
        return AuditSubject("table", name, f"table:{row.population}", f"{row.data}/{row.revision}", row.revision)

    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        lock_table(tx, subject.name, revision=subject.number)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        from auditor.subjects.tables.auditing import audit_table

        return audit_table(Releases(store).state(subject.name), policy.table, clock)

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        """Return what an entry of the ledger means to a person who looks back on a period."""
        from auditor.subjects.tables.releases.told import happenings_of_table

        return happenings_of_table(event) or super().happenings(event)
