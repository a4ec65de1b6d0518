"""Publish a protected version: write aside, read back, verify, record, and only then let the files appear."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor.core.digests import file_digest
from auditor.core.errors import VerificationFailed
from auditor.core.staging import delivering, discard, publish, staging_folder, sync
from auditor.exports.destination import Destination
from auditor.exports.manifest import Manifest, manifest_path
from auditor.exports.recording import ExportRecorder
from auditor.exports.staged import hold
from graphkit.verification import Verification


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """Files that were checked after they were written."""

    release: "Release"
    manifest: Manifest
    files: tuple[Path, ...]
    """The release itself first, then what lies beside it."""
    approval: str | None
    """The approval that the files await, staged until then; None where they are in their places."""
    agreed_by: str | None = None
    """Who approved exactly this beforehand, when they returned a request for a change; None for all others."""


class Release(ABC):
    """A protected version under fresh ids that is about to be written: how that is done, and what it claims."""

    destination: Destination
    published: Any
    """The published id of every vertex, the published row of every record. As protected as the original itself."""
    format: str
    """Name of the format; known once it was read back."""

    @property
    def key(self) -> Any:
        """What the store keeps to verify it again, shape (numbers,). As protected as the original."""
        return self.published

    @property
    @abstractmethod
    def claim_record(self) -> Mapping[str, Any]:
        """What it claims in public, as JSON holds it: a `kind`, and nothing protected."""

    @property
    def terms_record(self) -> Mapping[str, Any]:
        """What is claimed to the owner alone, as JSON holds it. Protected."""
        return {}

    @abstractmethod
    def check_place(self) -> None:
        """Refuse a destination that cannot, or must not, be written to.

        Raises
        ------
        BadInput, AlreadyExists, NotFound
            As :func:`auditor.core.staging.check_destination`, for each file that is written.
        """

    def stale_beside(self, names: Sequence[str]) -> Sequence[Path]:
        """Return files of an earlier release that would be read as part of this one, whose files have such names."""
        return ()

    @abstractmethod
    def write(self, aside: Path) -> list[Path]:
        """Write the release, and return its files, the main one first.

        Raises
        ------
        NotDelivered
            If there is no room.
        """

    @abstractmethod
    def read_back(self, written: list[Path]) -> Verification:
        """Verify what was written, read from the disk, by code that does not import the engine."""

    @abstractmethod
    def write_key(self, path: Path) -> None:
        """Write which one was which, readable by the owner only; a key is never overwritten."""


def publish_release(
    release: Release, recorder: ExportRecorder | None = None, phase: Callable[[str], None] = lambda name: None
) -> Published:
    """Write a release, and let its files appear once they were verified and recorded.

    Parameters
    ----------
    release : Release
    recorder : ExportRecorder, optional
        Records the export after the verification and before the files appear, so that nothing is ever released without
        a record; a crash in between leaves a record of a file that is not there. Where the export awaits a second
        person, the files go to a hidden folder beside the destination instead.
    phase : callable, optional
        Called with what is being done.

    Raises
    ------
    BadInput, AlreadyExists, NotFound
        If the destination cannot be used; found before anything is written.
    NotDelivered, RoomExhausted
        If the file system refuses, or a database has no room.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    # once more: since the engine began, files may have appeared there
    release.check_place()
    destination, path, export_id = release.destination, release.destination.path, str(uuid.uuid4())
    with staging_folder(path) as folder:
        phase("write")
        written = release.write(folder / path.name)
        with delivering(path):
            for file in written:
                sync(file)
        phase("verify")
        verification = release.read_back(written)
        if not verification.passed:
            raise VerificationFailed(
                f"what was written to {path.name} fails its check ({verification.failed}); nothing was published"
            )
        digests = {file.name: file_digest(file) for file in written}
        manifest = Manifest(export_id, digests, release.claim_record, release.format, verification, datetime.now(UTC))
        manifest_aside = manifest_path(written[0])
        with delivering(path):
            manifest_aside.write_text(manifest.text(), encoding="utf-8")
            sync(manifest_aside)
        phase("record")
        approval = None if recorder is None else recorder.record(manifest, release)
        key = destination.key_file
        if key is not None:
            release.write_key(key)
        staged = [*written[1:], manifest_aside, written[0]]
        try:
            if approval is not None:
                files = hold(staged, path, export_id)
            else:
                if destination.force:
                    discard(release.stale_beside(list(digests)))
                files = publish(staged, path.parent, force=destination.force)
        except BaseException:
            # the key of an export that did not appear
            if key is not None:
                key.unlink(missing_ok=True)
            raise
    agreed_by = None
    if recorder is not None and approval is None:
        recorder.mark_published(export_id)
    elif recorder is not None and approval is not None:
        agreed_by = recorder.approved_as_agreed(approval)
        if agreed_by is not None:
            files, approval = [path.parent / file.name for file in files], None
    return Published(release, manifest, (files[-1], *files[:-1]), approval, agreed_by)
