"""Wait for something with a deadline instead of for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["wait_until"]


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Ask again and again until it holds; fail when the time is up."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
