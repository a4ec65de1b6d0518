"""The public manifest: what a published file claims, and how to recognize the file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from auditor import __version__
from graphkit.networks.verify import DegreeClaim, Verification

__all__ = ["Manifest", "file_digest", "manifest_path"]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What may be known about an export. Holds no seed, no number or list of added edges, no label."""

    export: str
    """Random id of the export."""
    files: dict[str, str]
    """SHA-256 by file name."""
    claim: DegreeClaim
    kept_attributes: tuple[str, ...]
    format: str
    """Name of the file's format."""
    verification: Verification
    created_at: datetime

    def as_dict(self) -> dict[str, Any]:
        """Return the manifest as JSON holds it."""
        return {
            "manifest": 1,
            "export": self.export,
            "format": self.format,
            "files": {name: {"sha256": digest} for name, digest in self.files.items()},
            "claim": {"kind": "k-degree-anonymous network", **asdict(self.claim), "attributes": self.kept_attributes},
            "verification": [asdict(check) for check in self.verification.checks],
            "created_at": self.created_at.isoformat(timespec="seconds"),
            "made_by": f"disclosure-auditor {__version__}",
        }

    def text(self) -> str:
        """Return the manifest as it is written."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"


def manifest_path(path: Path) -> Path:
    """Return where the manifest of an export lies: beside it.

    Examples
    --------
    >>> manifest_path(Path("released.csv.gz")).name
    'released.csv.gz.manifest.json'
    """
    return path.with_name(path.name + ".manifest.json")


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
