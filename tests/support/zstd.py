"""Zstandard in tests: bytes at once."""

import io

from auditor.core.zstd import ZstdFile


def compress(data: bytes) -> bytes:
    """Return data as one frame."""
    packed = io.BytesIO()
    with ZstdFile(packed, "wb") as file:
        file.write(data)
    return packed.getvalue()
