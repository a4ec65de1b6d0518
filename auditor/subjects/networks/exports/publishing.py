"""Publish a protected network: write aside, read back, verify, record, and only then let the file appear."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, NotDelivered, VerificationFailed
from auditor.core.staging import delivering, publish, staging_folder, sync
from auditor.exports.claim import Manifest, file_digest, manifest_path
from auditor.exports.destination import Destination, check_network_destination, discard_companion
from auditor.exports.staged import hold
from auditor.formats.networks import read_network, write_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
from auditor.subjects.networks.exports.key_file import discard_key, write_key
from graphkit.machine import fresh_permutation
from graphkit.networks.graphs.graph import DroppedEdges
from graphkit.networks.releasing.relabelling import relabel
from graphkit.networks.verify import Check, DegreeClaim, Terms, Verification, verify_release


@dataclass(frozen=True, slots=True, eq=False)
class PublishedNetwork:
    """A file that was checked after it was written."""

    manifest: Manifest
    files: tuple[Path, ...]
    """The network first."""
    released: LoadedNetwork
    """The network as it was read back: labels are the published ids."""
    published: NDArray[np.int64] = field(repr=False)
    """``published[v]`` is the id of the original's vertex v. As protected as the network itself."""
    approval: str | None = None
    """What it waits for; the files are held until then."""


class ExportRecorder(Protocol):
    """Where exports are recorded before their file appears."""

    def record(self, manifest: Manifest, path: Path, published: NDArray[np.int64], terms: Terms) -> str | None:
        """Record a verified export that is about to appear at `path`; raise, and it does not appear.

        Returns
        -------
        str or None
            Id of the approval that it waits for: its files are held. None where it may appear.
        """

    def mark_published(self, export_id: str) -> None:
        """Note that the file is in its place."""


def publish_network(
    original: LoadedNetwork,
    added: NDArray[np.int64],
    k: int,
    destination: Destination,
    recorder: ExportRecorder | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    phase: Callable[[str], None] = lambda name: None,
    *,
    deleted: NDArray[np.int64] | None = None,
    claim: DegreeClaim | None = None,
    terms: Terms | None = None,
) -> PublishedNetwork:
    """Write the original with the changed edges under fresh ids, and let it appear once it was verified.

    Parameters
    ----------
    original : LoadedNetwork
        The network.
    added : ndarray of int64, shape (s, 2)
        New edges between its vertices.
    k : int
        Required block size.
    destination : Destination
        Where it goes.
    recorder : ExportRecorder, optional
        Asked to record the export after verification and before the file appears, so that nothing is ever out
        without a record; a crash in between leaves a record of a file that is not there. Where the record says that
        it waits for a second person, the files go to a hidden folder beside the destination instead.
    clock, phase : callable, optional
        The time, and where to tell what is being done.
    deleted : ndarray of int64, shape (d, 2), optional
        Edges of the original that are left out; none by default.
    claim : DegreeClaim, optional
        What is claimed in public; that every degree that occurs occurs at least k times by default.
    terms : Terms, optional
        What is promised to the owner besides; the number of added edges by default.

    Raises
    ------
    BadInput, AlreadyExists, NotFound
        If the destination cannot be used or a kept attribute does not exist; found before anything is written.
    Refused
        If kept attributes single somebody out.
    NotDelivered
        If the file system refuses.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    check_network_destination(destination)
    kept = choose_attributes(original.attributes, destination.keep)
    published = fresh_permutation(original.graph.n)
    graph = relabel(original.graph, added, published, deleted)
    attributes = {name: _moved(values, published) for name, values in kept.items()}
    claim = DegreeClaim(k=k, n=graph.n) if claim is None else claim
    terms = Terms(additions=int(added.shape[0])) if terms is None else terms
    protected = None if terms.subset is None else published[terms.subset]
    check_attributes(graph.degrees(), attributes, k, protected)
    network = LoadedNetwork(graph, np.arange(graph.n), attributes)
    export_id = str(uuid.UUID(bytes=os.urandom(16), version=4))
    with staging_folder(destination.path) as folder:
        phase("write")
        aside = folder / destination.path.name
        written = _written(aside, network, destination)
        phase("verify")
        released, verification = _read_back(aside, destination.format, claim, terms, original, published, network)
        digests = {path.name: file_digest(path) for path in written}
        manifest = Manifest(export_id, digests, claim, tuple(kept), released.notes.format, verification, clock())
        with delivering(destination.path):
            manifest_aside = manifest_path(aside)
            manifest_aside.write_text(manifest.text(), encoding="utf-8")
            sync(manifest_aside)
        phase("record")
        approval = None
        if recorder is not None:
            approval = recorder.record(manifest, destination.path, published, terms)
        if destination.key_file is not None:
            write_key(destination.key_file, original.labels, published)
        staged = [*written[1:], manifest_aside, aside]
        try:
            if approval is not None:
                files = hold(staged, destination.path, export_id)
            else:
                if destination.force and len(written) == 1:
                    discard_companion(destination)
                files = publish(staged, destination.path.parent, force=destination.force)
        except BaseException:
            if destination.key_file is not None:
                discard_key(destination.key_file)
            raise
    if recorder is not None and approval is None:
        recorder.mark_published(export_id)
    return PublishedNetwork(manifest, (files[-1], *files[:-1]), released, published, approval)


def _written(aside: Path, network: LoadedNetwork, destination: Destination) -> list[Path]:
    """Write a network aside and return its files, on the disk."""
    try:
        with delivering(destination.path):
            written = write_network(aside, network, format=destination.format)
            for path in written:
                sync(path)
    except NotDelivered as error:
        # the writer knows only the hidden place
        with delivering(destination.path):
            if isinstance(error.__cause__, OSError):
                raise error.__cause__ from None
        raise
    return written


def _moved(values: NDArray[np.object_], published: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return attribute values in the order of the new ids."""
    moved = np.empty_like(values)
    moved[published] = values
    return moved


def _read_back(
    path: Path,
    format: str | None,
    claim: DegreeClaim,
    terms: Terms,
    original: LoadedNetwork,
    published: NDArray[np.int64],
    intended: LoadedNetwork,
) -> tuple[LoadedNetwork, Verification]:
    """Read what was written and return it with its verification.

    Raises
    ------
    VerificationFailed
        Naming the checks that failed.
    """
    try:
        released = read_network(path, format=format)
    except BadInput as error:
        raise VerificationFailed(f"what was written to {path.name} cannot be read; nothing was published") from error
    # ids that are no numbers fail the check of the vertices
    ids = released.labels if released.labels.dtype == np.int64 else np.full(released.graph.n, -1)
    ids = ids.astype(np.int64, copy=False)
    nothing_dropped = released.notes.dropped == DroppedEdges() and not released.notes.dropped_columns
    checks = (
        Check("file", nothing_dropped, "no loop, repetition or edge column was read back"),
        Check("attributes", _same_attributes(released, intended), "exactly the attributes that were meant to leave"),
        *verify_release(claim, ids[released.graph.edges], ids, original.graph, published, terms).checks,
    )
    verification = Verification(checks)
    if not verification.passed:
        failed = ", ".join(check.name for check in checks if not check.passed)
        raise VerificationFailed(f"what was written to {path.name} fails its check ({failed}); nothing was published")
    return released, verification


def _same_attributes(released: LoadedNetwork, intended: LoadedNetwork) -> bool:
    return released.attributes.keys() == intended.attributes.keys() and all(
        np.array_equal(released.attributes[name].astype(str), values.astype(str))
        for name, values in intended.attributes.items()
    )
