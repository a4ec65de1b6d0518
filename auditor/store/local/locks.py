"""Locks of the operating system on files: they end with the process that holds them, however it ends."""

from typing import IO

from filelock import lock_descriptor


def try_lock(file: IO[str]) -> bool:
    """Lock the open file for this process alone, until it is closed; return whether that was possible now."""
    return lock_descriptor(file.fileno(), blocking=False)
