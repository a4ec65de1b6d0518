"""Locks of the operating system on files: they end with the process that holds them, however it ends."""

from __future__ import annotations

import fcntl
from typing import IO

__all__ = ["try_lock", "unlock", "wait_for_lock"]


def try_lock(file: IO[str]) -> bool:
    """Lock the open file for this process alone, until it is closed; return whether that was possible now."""
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_for_lock(file: IO[str]) -> None:
    """Lock the open file for this process alone, until it is closed, as soon as nobody else holds it."""
    fcntl.flock(file.fileno(), fcntl.LOCK_EX)


def unlock(file: IO[str]) -> None:
    """Let go of the lock while the file stays open."""
    fcntl.flock(file.fileno(), fcntl.LOCK_UN)
