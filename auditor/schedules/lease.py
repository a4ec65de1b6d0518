"""A lease that is renewed for as long as the work goes on."""

import contextlib
from collections.abc import Iterator
from datetime import timedelta

from auditor.core.recorded_runs import Run
from auditor.schedules.repeating import repeated
from auditor.schedules.runs import Runs

_SHARE = 4


@contextlib.contextmanager
def renewed_lease(runs: Runs, run: Run, lease: timedelta) -> Iterator[None]:
    """Renew the lease of a tick while the block runs, four times within its length.

    A renewal that fails is not the end: the next one may succeed, and whether the tick is still held is decided where
    something is recorded.
    """
    with repeated(lambda: runs.renew(run, lease), lease.total_seconds() / _SHARE, name="lease", at_once=False):
        yield
