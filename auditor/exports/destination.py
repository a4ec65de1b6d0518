"""Where a protected network goes: refused before any work if it could not, or must not, be written there."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.core.digests import file_digest
from auditor.core.errors import AlreadyExists, BadInput
from auditor.core.staging import check_destination
from auditor.exports.claim import manifest_path
from auditor.exports.key_file import check_key_file, is_same
from auditor.formats.networks import check_format, companion_path, may_have_companion


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a protected network goes, and what goes with it."""

    path: Path
    force: bool = False
    """Whether an existing release may be replaced (never the key file, never a file of the original)."""
    format: str | None = None
    """Name of a format; by default the suffix of `path` decides."""
    keep: Sequence[str] = ()
    """Vertex attributes that leave, too."""
    key_file: Path | None = None
    """Where the relabelling is written, mode 0600."""


def check_network_destination(destination: Destination, sources: Sequence[Path] = ()) -> None:
    """Refuse a destination that could not, or must not, be written to.

    Parameters
    ----------
    destination : Destination
        Where a protected network is to go.
    sources : sequence of Path, optional
        Files of the original: they are never replaced, whatever was said.

    Raises
    ------
    BadInput
        As :func:`auditor.core.staging.check_destination`, for every file that an export writes; if one of them is a
        source or the key file; if the key file has the name of another format than CSV; or if a vertex file lies
        there that belongs to no earlier release.
    """
    path = destination.path
    check_destination(path, force=destination.force)
    check_format(path, destination.format)
    targets = [path, manifest_path(path)]
    check_destination(manifest_path(path), force=destination.force)
    if may_have_companion(path, destination.format):
        targets.append(companion_path(path))
        _check_companion(path, companion_path(path), force=destination.force)
    for target in targets:
        if any(is_same(target, source) for source in sources):
            raise BadInput(f"{target} is part of the network that is protected; choose another name for the output")
    if destination.key_file is not None:
        check_key_file(destination.key_file, (*targets, *sources), "the network or of its release")


def discard_companion(destination: Destination) -> None:
    """Remove the vertex file of the release that is replaced by one without: it would be read as that one's."""
    if may_have_companion(destination.path, destination.format):
        companion_path(destination.path).unlink(missing_ok=True)


def _check_companion(path: Path, companion: Path, *, force: bool) -> None:
    """Let a vertex file be replaced only if it came with the release that is replaced: names may stand in it."""
    if not os.path.lexists(companion):
        return
    if not _belongs_to_release(path, companion):
        raise AlreadyExists(
            f"{companion} would be taken for the vertices of {path.name} and belongs to no earlier release of that "
            "name; move it away or choose another name for the output"
        )
    check_destination(companion, force=force)


def _belongs_to_release(path: Path, companion: Path) -> bool:
    """Whether the manifest of the release at `path` lists the vertex file as it is."""
    try:
        listed = json.loads(manifest_path(path).read_text(encoding="utf-8"))["files"][companion.name]["sha256"]
        return bool(listed == file_digest(companion))
    except (OSError, ValueError, KeyError, TypeError):
        return False
