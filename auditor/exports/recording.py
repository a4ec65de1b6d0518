"""Exports in the store: recorded before the file appears, marked when it is in its place; or waiting for a person."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from auditor.approvals.record import NewApproval
from auditor.exports.claim import Manifest, manifest_path
from auditor.exports.owner_claim_record import terms_as_record
from auditor.exports.record import NewExport
from auditor.exports.repository import Exports

if TYPE_CHECKING:
    from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork
    from auditor.subjects.networks.exports.publishing import Release


@dataclass(frozen=True, slots=True)
class ExportRecorder:
    """Records an export of a stored network."""

    network: StoredNetwork
    request: ExportRequest
    method: str
    """Name of the engine's method."""

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
        info, request, path = self.network.info, self.request, self.request.destination.path
        wanted = self._wanted(manifest) if request.policy.exports.approval == "second-person" else None
        Exports(self.network.store).record(
            NewExport(
                id=manifest.export,
                subject=info.name,
                network=info.id,
                path=str(path.absolute()),
                checksum=manifest.files[path.name],
                claim={
                    **asdict(manifest.claim),
                    "attributes": list(manifest.kept_attributes),
                    "format": manifest.format,
                    "method": self.method,
                    "files": dict(manifest.files),
                },
                verified_at=manifest.created_at,
                relabelling=release.published if request.keep_key or wanted is not None else None,
                actor=request.actor,
                terms=terms_as_record(release.terms),
                wanted=wanted,
                scheduled=request.scheduled,
            )
        )
        return None if wanted is None else wanted.id

    def mark_published(self, export_id: str) -> None:
        """Note that the file is in its place."""
        Exports(self.network.store).mark_published(export_id)

    def _wanted(self, manifest: Manifest) -> NewApproval:
        """Return what waits for a second person: the files by their checksums, the manifest's among them."""
        destination, policy, actor = self.request.destination, self.request.policy, self.request.actor
        text = hashlib.sha256(manifest.text().encode()).hexdigest()
        what = {
            "export": manifest.export,
            "files": {**manifest.files, manifest_path(destination.path).name: text},
            "force": destination.force,
            "keep_key": self.request.keep_key,
        }
        subject, about = f"network:{self.network.info.name}", f"export:{manifest.export}"
        return NewApproval("export", subject, actor, actor, what, about, policy, self.request.origin)
