"""The public manifest: what published files claim, and how to recognize them."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from auditor import __version__
from auditor.core.errors import BadInput
from auditor.exports.file_digests import files_check
from graphkit.parameters import is_whole
from graphkit.verification import Check, Verification

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What may be known about an export. Holds no seed, no number or list of added edges, no label."""

    export: str
    """Random id of the export."""
    files: dict[str, str]
    """SHA-256 by file name."""
    claim: Mapping[str, Any]
    """What is claimed, as JSON holds it; its `kind` says what the other keys mean."""
    format: str
    """Name of the file's format."""
    verification: Verification
    created_at: datetime

    def as_dict(self) -> dict[str, Any]:
        """Return the manifest as JSON holds it."""
        return {
            "manifest": _VERSION,
            "export": self.export,
            "format": self.format,
            "files": {name: {"sha256": digest} for name, digest in self.files.items()},
            # what `sha256sum --check` reads: jq -r '.check[]' MANIFEST | sha256sum --check
            "check": check_lines(self.files),
            "claim": dict(self.claim),
            "verification": [asdict(check) for check in self.verification.checks],
            "created_at": self.created_at.isoformat(timespec="seconds"),
            "made_by": f"disclosure-auditor {__version__}",
        }

    def text(self) -> str:
        """Return the manifest as it is written."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in a file, whichever version of the program wrote it.

    Raises
    ------
    BadInput
        If the file cannot be read, or is no manifest that this version knows.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["manifest"] != _VERSION:
            raise BadInput(f"{path.name} is a manifest of another version; use the version that wrote it")
        return Manifest(
            export=str(found["export"]),
            files={str(name): str(entry["sha256"]) for name, entry in found["files"].items()},
            claim=dict(found["claim"]),
            format=str(found["format"]),
            verification=Verification(tuple(Check(**check) for check in found["verification"])),
            created_at=datetime.fromisoformat(found["created_at"]),
        )
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read ({error.strerror or 'unknown reason'}); it belongs beside the released file"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{path.name} is no manifest of an export; copy it again") from error


def manifest_path(path: Path) -> Path:
    """Return where the manifest of an export lies: beside it.

    Examples
    --------
    >>> manifest_path(Path("released.csv.gz")).name
    'released.csv.gz.manifest.json'
    """
    return path.with_name(path.name + ".manifest.json")


def is_as_released(path: Path) -> bool | None:
    """Whether a file, and what was released with it, is what its manifest beside it says; None without a manifest."""
    try:
        manifest = read_manifest(manifest_path(path))
    except BadInput:
        return None
    return files_check(path, manifest.files).passed


def remark_of_change(path: Path, kind: str) -> str:
    """Return what is said of a file that is not what its manifest says.

    Examples
    --------
    >>> remark_of_change(Path("r.csv"), "network")
    'r.csv is not the file that was released, as its manifest beside it says: auditor network verify r.csv'
    >>> remark_of_change(Path("p.csv"), "microdata").endswith("auditor microdata verify ORIGINAL p.csv")
    True
    """
    original = "" if kind == "network" else "ORIGINAL "
    command = f"auditor {kind} verify {original}{shlex.quote(str(path))}"
    return f"{path} is not the file that was released, as its manifest beside it says: {command}"


def check_lines(digests: Mapping[str, str]) -> list[str]:
    """Return what ``sha256sum --check`` reads: a line a file.

    Examples
    --------
    >>> check_lines({"h.csv": "e8d0", "h.vertices.csv": "254a"})
    ['e8d0  h.csv', '254a  h.vertices.csv']
    """
    return [f"{digest}  {name}" for name, digest in digests.items()]


def claimed_number(value: Any, least: int) -> int:
    """Return a whole number of a claim.

    Parameters
    ----------
    value : Any
        As JSON holds it.
    least : int
        Less makes no sense there.

    Raises
    ------
    ValueError
        If it is something else, or less.

    Examples
    --------
    >>> claimed_number(3, 2)
    3
    """
    if not is_whole(value) or value < least:
        raise ValueError("not a whole number in its range")
    return int(value)
