"""Wait for something with a deadline instead of for a fixed time."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable

__all__ = ["wait_until"]


def wait_until(
    holds: Callable[[], bool], seconds: float = 60.0, *, pause: float = 0.01, found: Callable[[], object] | None = None
) -> None:
    """Ask again and again until it holds; when the time is up, fail and say what did not come to hold.

    Parameters
    ----------
    holds : callable
        Its source is what the failure shows.
    seconds, pause : float
        The longest wait, and the time between two questions.
    found : callable, optional
        What there is instead, for the failure.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            there = "" if found is None else f"\nthere is {found()}"
            raise AssertionError(f"not within {seconds:g} s: {_source(holds)}{there}")
        time.sleep(pause)


def _source(holds: Callable[[], bool]) -> str:
    """Return the lines that a condition is written in, or its name where these are not to be had."""
    try:
        return inspect.getsource(holds).strip()
    except (OSError, TypeError):
        return repr(holds)
