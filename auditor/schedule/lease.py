"""A lease that is renewed for as long as the work goes on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import timedelta

from auditor.errors import StoreError
from auditor.schedule.room import TickBook
from auditor.store.recorded_ticks import Tick

__all__ = ["renewed_lease"]

_SHARE = 4


@contextlib.contextmanager
def renewed_lease(ticks: TickBook, tick: Tick, lease: timedelta) -> Iterator[None]:
    """Renew the lease of a tick while the block runs, four times within its length.

    A renewal that fails is not the end: the next one may succeed, and whether the tick is still held is decided where
    something is recorded.
    """
    over = threading.Event()

    def renew() -> None:
        while not over.wait(lease.total_seconds() / _SHARE):
            with contextlib.suppress(StoreError):
                if not ticks.renew(tick, lease):
                    return

    thread = threading.Thread(target=renew, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
