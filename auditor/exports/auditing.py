"""Exports for audits: found with the files as they are now, and held against what they claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort
from auditor.core.ports.happening import Happening, LedgerEvent, ReleaseOut, audited
from auditor.core.subject import AuditSubject, kind_of_subject
from auditor.core.transactions import Transaction
from auditor.exports.file_digests import present_digests
from auditor.exports.record import OUT, Export
from auditor.exports.repository import Exports
from auditor.policy import Policy
from auditor.store import Store
from auditor.store.subjects import require_subject
from graphkit.verification import Check

# read: the audit before that time, of each export that had been released by then
_OUT_BEFORE = """
MATCH (x:AuditorExport) WHERE x.state IN $out
WITH x, coalesce(properties(x)['let_out_at'], x.at) AS at WHERE at < $until
CALL (x) {
  OPTIONAL MATCH (a:AuditorAudit {key: 'export:' + x.id}) WHERE a.at < $until
  RETURN a ORDER BY a.at DESC LIMIT 1
}
RETURN x.id AS id, x.subject AS subject, at, coalesce(a.at, x.verified_at) AS verified_at,
  coalesce(a.verdict, '') AS verdict
ORDER BY at, id
"""


class ExportPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`; what lies outside of the store are its files."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        exports = Exports(store)
        export = exports.show(name)
        origin = exports.origin(export)
        state = f"{None if origin is None else origin.number}/{export.checksum}/{export.key_kept}"
        return AuditSubject("export", export.id, f"export:{export.id}", state)

    def with_outside(self, store: Store, subject: AuditSubject) -> AuditSubject:
        """Return a subject whose state also tells what its files are now."""
        export = Exports(store).show(subject.name)
        # the state of an export of one file stays what it was in earlier versions of the program
        files = "+".join(present_digests(Path(export.path), export.files))
        beside = kind_of_subject(export.subject).load().release_state(store, export)
        return replace(subject, state="/".join((subject.state, files, *([beside] if beside else []))))

    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        require_subject(tx, subject.family, subject.name)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        export = Exports(store).show(subject.name)
        if not export.is_out:
            raise BadInput(f"the export {export.id} is not out, it is {export.state}; only what is out can be audited")
        return [_with_successor(store, export, finding) for finding in audit_release(store, export, policy)]

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        """Return what an entry of the ledger means to a person who looks back on a period."""
        if event.kind == "export":
            k = event.payload.get("claim", {}).get("k")
            detail = f"k = {k}" if isinstance(k, int) else ""
            return (Happening("released", about=f"export {event.payload['export']}", detail=detail),)
        if event.kind == "audit":
            found = audited(event)
            return (found, replace(found, what="reverified"))
        return ()

    def releases_out(self, tx: Transaction, until: str) -> Sequence[ReleaseOut]:
        """Return the exports that had been released before a time."""
        return [ReleaseOut(**record) for record in tx.run(_OUT_BEFORE, out=[*OUT], until=until)]


def _with_successor(store: Store, export: Export, finding: Finding) -> Finding:
    """Return a finding about changed files with the export that was written over them, where one was (`--force`)."""
    newer = Exports(store).written_over(export.id) if finding.rule == "checksum" else None
    if newer is None:
        return finding
    return replace(finding, message=f"{finding.message}: export {newer[:8]} was written over it")


def audit_release(store: Store, export: Export, policy: Policy, path: Path | None = None) -> Sequence[Finding]:
    """Return what is wrong with an export's files, at another `path` where given, and with what it claims."""
    return kind_of_subject(export.subject).load().audit_release(store, export, policy, path)


def checks_of_release(store: Store, id: str, policy: Policy) -> tuple[Sequence[Check], Sequence[str]]:
    """Return the checks of an export as at its release, made again now, and what cannot be checked again, and why.

    Raises
    ------
    NotFound
        If there is no export of that id.
    """
    export = Exports(store).show(id)
    return kind_of_subject(export.subject).load().release_checks(store, export, policy)
