"""How long a call takes."""

import time
from collections.abc import Callable


def seconds_of(work: Callable[[], object]) -> float:
    """Return the seconds by the clock that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
