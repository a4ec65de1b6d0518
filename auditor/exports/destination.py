"""Where a protected version goes, and what goes with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.core.staging import check_destination
from auditor.exports.key_file import check_key_file, is_same
from auditor.exports.manifest import manifest_path


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a protected version goes, and what goes with it."""

    path: Path
    force: bool = False
    """Whether an existing release may be replaced (never the key file, never a file of the original)."""
    format: str | None = None
    """Name of a format; by default the suffix of `path` decides."""
    keep: Sequence[str] = ()
    """Vertex attributes that leave, too."""
    key_file: Path | None = None
    """Where it is written which one was which, mode 0600."""
    name: str | None = None
    """What people call the export of a stored subject; its id stays what tells it apart."""


def check_place(destination: Destination, sources: Sequence[Path] = (), *, beside: Sequence[Path] = ()) -> None:
    """Refuse a destination that could not, or must not, be written to.

    Parameters
    ----------
    destination : Destination
        Where a protected version is to go.
    sources : sequence of Path, optional
        Files of the original: they are never replaced, whatever was said.
    beside : sequence of Path, optional
        Other files that may be written.

    Raises
    ------
    NotFound, AlreadyExists, BadInput
        As :func:`auditor.core.staging.check_destination`, for the file and its manifest; if a file that is written is
        a source or the key file; or if the key file has the name of another format than CSV.
    """
    path = destination.path
    targets = [path, manifest_path(path)]
    for target in targets:
        check_destination(target, force=destination.force)
    targets += beside
    for target in targets:
        if any(is_same(target, source) for source in sources):
            raise BadInput(f"{target} is part of the original; choose another name for the output")
    if destination.key_file is not None:
        check_key_file(destination.key_file, (*targets, *sources), "the original or of its release")
