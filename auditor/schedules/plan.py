"""What is to be done of a schedule at some moment: the next tick, and those before it that nobody will do."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from auditor.core.recorded_runs import SkippedRuns
from auditor.schedules.cron import Cron
from auditor.schedules.repository import CatchUp

GRACE = timedelta(minutes=10)
"""A tick that begins no later than this after its time was not missed."""

_COUNTED = 10_000
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing to settle of a schedule."""

    due: datetime | None
    """The tick to do; None where there are only some to skip."""
    skipped: SkippedRuns | None

    @property
    def at(self) -> datetime:
        """The last due time that it settles."""
        if self.due is not None:
            return self.due
        assert self.skipped is not None, "a step settles something"
        return self.skipped.last


def next_step(cron: Cron, catch_up: CatchUp, settled_until: datetime, now: datetime) -> Step | None:
    """Return the next thing to settle; None if nothing is due.

    Parameters
    ----------
    cron : Cron
    catch_up : {'none', 'last', 'all'}
        Of several due ticks ``all`` does each, ``last`` the last one, and ``none`` the last one only if its time is no
        longer ago than :data:`GRACE`.
    settled_until : datetime
        Where the last step ended.
    now : datetime

    Examples
    --------
    >>> from datetime import UTC
    >>> from auditor.schedules.cron import parse_cron
    >>> daily = parse_cron("0 6 * * *", "UTC")
    >>> step = next_step(daily, "last", datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC))
    >>> print(step.due, step.skipped.count)
    2026-03-04 06:00:00+00:00 3
    """
    first = next(cron.between(settled_until, now), None)
    if first is None:
        return None
    if catch_up == "all":
        return Step(first, None)
    last = cron.last_between(first - _MOMENT, now)
    assert last is not None, "the first one is one"
    if catch_up == "none" and now - last > GRACE:
        return Step(None, _skipped(cron, first, last))
    before = cron.last_between(first - _MOMENT, last - _MOMENT)
    return Step(last, None if before is None else _skipped(cron, first, before))


def _skipped(cron: Cron, first: datetime, last: datetime) -> SkippedRuns:
    count = sum(1 for _ in islice(cron.between(first - _MOMENT, last), _COUNTED + 1))
    return SkippedRuns(first, last, count if count <= _COUNTED else None)
