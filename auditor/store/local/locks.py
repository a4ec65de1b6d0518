"""Locks of the operating system on files: they end with the process that holds them, however it ends."""

from typing import IO

from filelock import lock_descriptor, unlock_descriptor


def try_lock(file: IO[str]) -> bool:
    """Lock the open file for this process alone, until it is closed; return whether that was possible now."""
    return lock_descriptor(file.fileno(), blocking=False)


def wait_for_lock(file: IO[str]) -> None:
    """Lock the open file for this process alone, until it is closed, as soon as nobody else holds it."""
    lock_descriptor(file.fileno())


def unlock(file: IO[str]) -> None:
    """Let go of the lock while the file stays open."""
    unlock_descriptor(file.fileno())
