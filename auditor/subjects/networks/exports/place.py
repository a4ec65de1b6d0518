"""Where a protected network goes: a format that is known, and vertices without edges in a file beside it."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from auditor.config.addresses import is_meant_as_graph
from auditor.core.digests import file_digest
from auditor.core.errors import AlreadyExists, BadInput
from auditor.core.staging import check_destination
from auditor.exports.destination import Destination, check_place
from auditor.exports.manifest import manifest_path
from auditor.formats.networks import check_format, companion_path, may_have_companion


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
    NotFound, AlreadyExists, BadInput
        As :func:`auditor.exports.destination.check_place`; if the format is not known; if a vertex file lies there
        that belongs to no earlier release; or if it is the address of a graph database.
    """
    path, beside = destination.path, list[Path]()
    if is_meant_as_graph(path):
        raise BadInput(
            "a graph database takes a released file; write one, then: auditor network deliver FILE --to URL "
            "--as-label LABEL"
        )
    check_destination(path, force=destination.force)
    check_format(path, destination.format)
    if may_have_companion(path, destination.format):
        beside.append(companion_path(path))
        _check_companion(path, companion_path(path), force=destination.force)
    check_place(destination, sources, beside=beside)


def stale_companion(destination: Destination, names: Sequence[str]) -> list[Path]:
    """Return the vertex file of a release that files of such names replace: it would be read as one of them."""
    companion = companion_path(destination.path)
    may_have_one = may_have_companion(destination.path, destination.format)
    return [companion] if may_have_one and companion.name not in names else []


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
