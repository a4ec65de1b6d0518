"""Signs of life of a worker, in a thread: a long audit is no silence."""

import contextlib
from collections.abc import Iterator
from datetime import timedelta

from auditor.core.errors import StoreError
from auditor.schedules.repeating import repeated
from auditor.schedules.workers import Workers

BEAT = timedelta(seconds=20)
"""How often; a third of the silence after which a worker counts as late."""


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
