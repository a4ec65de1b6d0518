"""What is done again and again in the background, for as long as a block runs: leases renewed, signs of life given."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta

from auditor.core.errors import StoreError
from auditor.core.recorded_runs import Run
from auditor.schedules.runs import Runs
from auditor.schedules.workers import Workers

BEAT = timedelta(seconds=20)
"""How often a worker gives a sign of life; a third of the silence after which it counts as late."""

_SHARE = 4


@contextlib.contextmanager
def repeated(act: Callable[[], object], seconds: float, *, name: str, at_once: bool) -> Iterator[None]:
    """Do something each so many seconds while the block runs, until it returns False.

    A store that fails is not the end: the next time may succeed.

    Parameters
    ----------
    act : callable
        Runs in a thread of its own.
    seconds : float
        How long to wait in between.
    name : str
        Of the thread.
    at_once : bool
        Whether it is also done at the beginning.
    """
    over = threading.Event()

    def run() -> None:
        if not at_once and over.wait(seconds):
            return
        while True:
            with contextlib.suppress(StoreError):
                if act() is False:
                    return
            if over.wait(seconds):
                return

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def renewed_lease(runs: Runs, run: Run, lease: timedelta) -> Iterator[None]:
    """Renew the lease of a run while the block runs, four times within its length.

    A renewal that fails is not the end: the next one may succeed, and whether the run is still held is decided where
    something is recorded.
    """
    with repeated(lambda: runs.renew(run, lease), lease.total_seconds() / _SHARE, name="lease", at_once=False):
        yield


@contextlib.contextmanager
def heartbeat(workers: Workers, name: str) -> Iterator[None]:
    """Give signs of life while the block runs, and take leave at its end.

    A sign that the store does not take is not the end: the next one may arrive.
    """
    try:
        with repeated(lambda: workers.beat(name), BEAT.total_seconds(), name="heartbeat", at_once=True):
            yield
    finally:
        with contextlib.suppress(StoreError):
            workers.leave(name)
