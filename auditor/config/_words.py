"""What sections have in common."""

from __future__ import annotations

MEMORY = r"^[1-9][0-9]*[kmg]$"


def reason_of(error: Exception) -> str:
    """Return why a file could not be read, without anything that it holds."""
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
