"""The checksum of a file."""

import hashlib
from pathlib import Path


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
