"""Exports for audits: found with the files as they are now, and held against what they claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort, kind_named
from auditor.core.names import is_name
from auditor.core.subject import AuditSubject, parse_subject
from auditor.core.transactions import Transaction
from auditor.exports.file_digests import present_digests
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.policy import Policy
from auditor.store import Store
from auditor.store.subjects import missing_subject, require_subject

# read
_EXPORT = """
MATCH (x:AuditorExport {id: $name})
OPTIONAL MATCH (x)-[:FROM]->(n:AuditorNetwork)
RETURN x.checksum AS checksum, n.id AS number, x.key_kept AS key_kept
"""


class ExportPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`; what lies outside of the store are its files."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        records = store.connection.read(_EXPORT, name=name) if is_name(name) else []
        if not records:
            raise missing_subject("export", name)
        record = records[0]
        state = f"{record['number']}/{record['checksum']}/{record['key_kept']}"
        return AuditSubject("export", name, f"export:{name}", state)

    def with_outside(self, store: Store, subject: AuditSubject) -> AuditSubject:
        """Return a subject whose state also tells what its files are now."""
        export = Exports(store).show(subject.name)
        # the state of an export of one file stays what it was in earlier versions of the program
        files = "+".join(present_digests(Path(export.path), export.files))
        return replace(subject, state=f"{subject.state}/{files}")

    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        require_subject(tx, subject.family, subject.name)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        export = Exports(store).show(subject.name)
        if export.state not in ("recorded", "published"):
            raise BadInput(f"the export {export.id} is not out, it is {export.state}; only what is out can be audited")
        return audit_release(store, export, policy)


def audit_release(store: Store, export: Export, policy: Policy, path: Path | None = None) -> Sequence[Finding]:
    """Return what is wrong with an export's files, at another `path` where given, and with what it claims."""
    kind, _ = parse_subject(export.subject)
    return kind_named(kind).load().audit_release(store, export, policy, path)
