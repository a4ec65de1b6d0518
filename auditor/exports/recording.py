"""Exports in the store: recorded before the file appears, marked when it is in its place; or waiting for a person."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from auditor.approvals.deciding import approve_as_agreed
from auditor.approvals.record import NewApproval
from auditor.core.origin import Origin
from auditor.core.subject import AuditSubject
from auditor.exports.asked import asked_key
from auditor.exports.manifest import Manifest, manifest_path
from auditor.exports.record import NewExport, ScheduledExport
from auditor.exports.repository import Exports
from auditor.policy import Policy
from auditor.store import Store

if TYPE_CHECKING:
    from auditor.exports.publishing import Release


@dataclass(frozen=True, slots=True)
class ExportRecorder:
    """Records an export of a subject in a store."""

    store: Store
    subject: AuditSubject
    """As it was found before it was read: what is recorded later must be about this one."""
    policy: Policy
    """Where its `exports.approval` says so, the export awaits a second person."""
    actor: str
    """Who makes it."""
    method: str
    """Name of the engine's method."""
    keep_key: bool = True
    """Whether the store keeps the key, and with it the owner claim. A pending export keeps it until it is decided."""
    scheduled: ScheduledExport | None = None
    """The run of a schedule that it is made in."""
    origin: Origin = field(default_factory=Origin)
    """The token of the request, and earlier requesters."""
    beside: frozenset[str] | None = None
    """Ids of the exports that it was held against, where it was: there must be no other when it is recorded."""

    def record(self, manifest: Manifest, release: Release) -> str | None:
        """Record a verified export that is about to appear, with its claims and its entry in the ledger.

        Returns
        -------
        str or None
            Id of the approval that it awaits; None where it may appear.

        Raises
        ------
        NotFound, StoreConflict, StoreUnavailable
            If it cannot be recorded; it does not appear then.
        """
        path = release.destination.path
        facts = {"format": manifest.format, "method": self.method, "files": dict(manifest.files)}
        claim = {**manifest.claim, **facts}
        waits = self.policy.exports.approval == "second-person"
        wanted = self._wanted(manifest, release, claim) if waits else None
        Exports(self.store).record(
            NewExport(
                id=manifest.export,
                subject=self.subject.shown,
                number=self.subject.number,
                path=str(path.absolute()),
                checksum=manifest.files[path.name],
                claim=claim,
                verified_at=manifest.created_at,
                relabelling=release.key if self.keep_key or wanted is not None else None,
                actor=self.actor,
                terms=release.terms_record,
                wanted=wanted,
                scheduled=self.scheduled,
                beside=self.beside,
                name=release.destination.name,
                purpose=self.origin.purpose,
            )
        )
        return None if wanted is None else wanted.id

    def approved_as_agreed(self, approval: str) -> str | None:
        """Let an export appear that a second person agreed to beforehand; return their name, None if nobody did.

        Raises
        ------
        NotDelivered, AlreadyExists
            If it was approved and cannot appear in its place.
        """
        done = approve_as_agreed(self.store, approval, clock=time.monotonic)
        return done.approval.decided_by if done is not None and done.approval.state == "approved" else None

    def mark_published(self, export_id: str) -> None:
        """Note that the file is in its place."""
        Exports(self.store).mark_published(export_id)

    def _wanted(self, manifest: Manifest, release: Release, claim: Mapping[str, Any]) -> NewApproval:
        """Return what waits for a second person: the files by their checksums, the manifest's among them."""
        destination, subject = release.destination, self.subject.shown
        text = hashlib.sha256(manifest.text().encode()).hexdigest()
        what = {
            "export": manifest.export,
            "files": {**manifest.files, manifest_path(destination.path).name: text},
            "force": destination.force,
            "keep_key": self.keep_key,
        }
        about = f"export:{manifest.export}"
        beside, place = Exports(self.store).out_of(subject), str(destination.path.absolute())
        terms = asked_key(subject, self.subject.number, claim, what, beside, place)
        actor = self.actor
        return NewApproval("export", subject, actor, actor, what, about, self.policy, self.origin, terms=terms)
