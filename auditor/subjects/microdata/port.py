"""Files of records for audits: found, compared with the file as it is now, audited."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from auditor.approvals.review import Fact, Risk
from auditor.config import EdgeTableSettings
from auditor.core.digests import file_digest
from auditor.core.errors import BadFile, BadInput
from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort
from auditor.core.ports.happening import Happening, LedgerEvent
from auditor.core.subject import AuditSubject
from auditor.core.transactions import Transaction
from auditor.exports.destination import Destination
from auditor.exports.record import Export
from auditor.formats.records.opening import OpenRecords, file_state, open_records
from auditor.formats.records.remote import fetched, is_remote, remote_digest
from auditor.policy import Policy
from auditor.store import Store
from auditor.store.subjects import check_unchanged
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.verification import Check

FILE = "file"
Done = TypeVar("Done")


def subject_of(info: MicrodataInfo) -> AuditSubject:
    """Return a file of records as audits know it."""
    return AuditSubject("microdata", info.name, f"microdata:{info.name}", info.checksum, info.number)


class MicrodataPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`; what lies outside of the store is the file."""

    def find(self, store: Store, name: str) -> AuditSubject:
        """Return a subject as it is now."""
        return subject_of(Microdata(store).show(name))

    def with_outside(self, store: Store, subject: AuditSubject) -> AuditSubject:
        """Return a subject whose state also tells what its file is now."""
        info = Microdata(store).show(subject.name)
        state = f"{subject.state}/{present_checksum(info)}"
        populations = info.declared.populations
        if populations is not None:
            state += f"/{_digest(Path(populations))}"
        return replace(subject, state=state)

    def check_same(self, tx: Transaction, subject: AuditSubject) -> None:
        """Make sure, in the transaction of a record, that a subject is there and is the same."""
        check_unchanged(tx, subject.shown, subject.number)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        """Return what a policy finds in a subject."""
        from auditor.subjects.microdata.auditing import audit_records

        info = Microdata(store).show(subject.name)

        def audited() -> tuple[Finding, ...]:
            with open_unchanged(info, EdgeTableSettings()) as opened:
                return audit_records(opened, info.declared, policy.microdata).findings

        return audited_or_changed(info, audited)

    def audit_release(
        self, store: Store, export: Export, policy: Policy, path: Path | None = None
    ) -> Sequence[Finding]:
        """Return what is wrong with an export's file, and with what it claims."""
        from auditor.subjects.microdata.exports.rechecking import audit_export

        return audit_export(store, export, policy.microdata, path)

    def release_checks(self, store: Store, export: Export, policy: Policy) -> tuple[Sequence[Check], Sequence[str]]:
        """Return the checks of an export, made again now, and what cannot be checked again."""
        from auditor.subjects.microdata.exports.rechecking import recheck_export

        found = recheck_export(store, export, policy.microdata)
        return found.checks, found.not_checked

    def release_state(self, store: Store, export: Export) -> str:
        """Return what of the original, and of other exports of its respondents, an audit depends on."""
        from auditor.subjects.microdata.exports.together import state_together

        return state_together(store, export)

    def review_release(self, store: Store, export: Export) -> Sequence[Fact]:
        """Return what a second person sees of an export that awaits them."""
        from auditor.subjects.microdata.report.release_risk import export_facts

        return export_facts(export)

    def release_risk(self, store: Store, export: Export, policy: Policy, path: Path) -> Risk:
        """Return the risk of records before an export and after it. Protected."""
        from auditor.subjects.microdata.report.release_risk import export_risk

        return export_risk(store, export)

    def asked_of_release(self, claim: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what of a recorded claim its requester chose: how many records are left out follows from k."""
        return {name: value for name, value in claim.items() if name not in ("files", "n", "suppressed", "notation")}

    def check_release_place(self, destination: Destination) -> None:
        """Refuse a destination that an export could not, or must not, be written to."""
        from auditor.subjects.microdata.exports.released_file import check_records_place

        check_records_place(destination)

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        """Return what an entry of the ledger means to a person who looks back on a period."""
        return (Happening("viewed"),) if event.kind == "records_shown" else super().happenings(event)


def audited_or_changed(info: MicrodataInfo, audit: Callable[[], Done]) -> Done | tuple[Finding, ...]:
    """Return what an audit of stored records returns, or what is wrong with their file where that ended the audit.

    Parameters
    ----------
    info : MicrodataInfo
    audit : callable
        Opens the records by :func:`open_unchanged`.

    Raises
    ------
    BadFile
        If the audit ended for another reason than that the file is gone, or is another one than was added.
    """
    try:
        return audit()
    except BadFile:
        # what is wrong with the file itself is what the audit finds
        if changed := file_findings(info):
            return changed
        raise


@contextmanager
def open_unchanged(info: MicrodataInfo, settings: EdgeTableSettings) -> Iterator[OpenRecords]:
    """Give the records of a file that is the one that was added, open until the block ends.

    Raises
    ------
    BadFile
        If it is another one, is gone, or changed since.
    """
    with _local(info, settings) as path:
        before = file_state(path) if path.is_file() else ()
        for finding in _findings(info, path):
            raise BadFile(f"{info.name}: {finding.message}")
        with open_records(path, settings, delimiter=info.delimiter, missing=info.missing) as opened:
            # the path of a copy that the store keeps tells its owner nothing
            opened.source.name = info.name
            if opened.opened_at != before:
                raise BadFile(f"{info.name}: the file of the records changed since it was added; add it again")
            yield opened


def present_checksum(info: MicrodataInfo) -> str | None:
    """Return the SHA-256 of a file as it is now; None where it cannot be read."""
    try:
        return remote_digest(info.path) if is_remote(info.path) else file_digest(Path(info.path))
    except (OSError, BadInput):
        return None


def _digest(path: Path) -> str | None:
    try:
        return file_digest(path)
    except OSError:
        return None


def file_findings(info: MicrodataInfo) -> tuple[Finding, ...]:
    """Return what is wrong with a file itself: it is gone, or another one than was added."""
    try:
        with _local(info, EdgeTableSettings()) as path:
            return _findings(info, path)
    except BadInput:
        return (_GONE,)


def _local(info: MicrodataInfo, settings: EdgeTableSettings) -> AbstractContextManager[Path]:
    """Give the file of records, or a copy where it is at an address."""
    return fetched(info.path, settings.folder) if is_remote(info.path) else nullcontext(Path(info.path))


def _findings(info: MicrodataInfo, path: Path) -> tuple[Finding, ...]:
    try:
        found = file_digest(path)
    except OSError:
        return (_GONE,)
    if found == info.checksum:
        return ()
    if _other_columns(info, path):
        return (_finding("the file of the records has other columns than when it was added; add it again"),)
    return (_finding("the file of the records changed since it was added; add it again"),)


def _other_columns(info: MicrodataInfo, path: Path) -> bool:
    try:
        with open_records(path, EdgeTableSettings(), delimiter=info.delimiter, missing=info.missing) as opened:
            return tuple(column.name for column in opened.columns) != info.columns
    except BadInput:
        return False


def _finding(message: str) -> Finding:
    return Finding("same_file", FILE, "violation", 1, 0, message)


_GONE = _finding("the file of the records cannot be read; put it back, or add it again")
