"""When a schedule is due: a cron expression, read on the clocks of a time zone.

The expression is that of crontab(5). The trigger of APScheduler finds the local times, in a calendar without daylight
saving time; here every local time becomes an instant. So the clock changes are decided in one place: **each local time
that exists is due once**. One that is skipped in spring is not due that day; one that comes twice in autumn is due the
first time.
"""

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from zoneinfo import ZoneInfo

from auditor.schedules.cron_fields import check_fields, weekday_names
from auditor.schedules.zones import find_zone

# 29 February on a given weekday comes again after 40 years at most, across a century without a leap day
_HORIZON = timedelta(days=366 * 41)
_SECOND = timedelta(seconds=1)
_FIRST_LOOK = timedelta(minutes=1)


# no slots: the zone is looked up when it is first asked for
@dataclass(frozen=True)
class Cron:
    """A cron expression and a time zone that were checked by :func:`parse_cron`.

    Examples
    --------
    >>> cron = parse_cron("30 2 * * *", "Europe/Berlin")
    >>> for due in cron.between(datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC)):
    ...     print(due)  # on the 29th there is no 02:30 in Berlin
    2026-03-28 01:30:00+00:00
    2026-03-30 00:30:00+00:00
    """

    expression: str
    timezone: str

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone."""
        return find_zone(self.timezone)

    def next_after(self, after: datetime) -> datetime | None:
        """Return the first due time after an instant, in UTC; None if there is none within 41 years."""
        return next(self.between(after, after + _HORIZON), None)

    def upcoming(self, after: datetime, count: int) -> list[datetime]:
        """Return the next due times after an instant, in UTC, at most `count`."""
        return list(islice(self.between(after, after + _HORIZON), count))

    def between(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """Yield all due times that are later than `after` and not later than `until`, in order, in UTC.

        Notes
        -----
        Lazily, 15 µs each.
        """
        last = until.astimezone(self.zone).replace(tzinfo=None, fold=0)
        first = after.astimezone(self.zone).replace(tzinfo=None, fold=0)
        # the clock may be set back between the two: what is later than `after` is later on the wall, or repeated
        for wall in self._walls(first, max(first, last) + timedelta(days=1)):
            due = wall.replace(tzinfo=self.zone).astimezone(UTC)
            if due > until:
                return
            # a local time that is skipped comes back as another one
            if due > after and due.astimezone(self.zone).replace(tzinfo=None) == wall:
                yield due

    def last_between(self, after: datetime, until: datetime) -> datetime | None:
        """Return the last due time that is later than `after` and not later than `until`, in UTC.

        Notes
        -----
        It looks back further and further, so that years without a look cost no more than the last due time is away.
        """
        span = _FIRST_LOOK
        while after < until:
            begin = max(after, until - span)
            found = deque(self.between(begin, until), maxlen=1)
            if found:
                return found[0]
            until, span = begin, 4 * span
        return None

    def _walls(self, first: datetime, last: datetime) -> Iterator[datetime]:
        """Yield the local times, as the calendar has them, from `first` to `last`."""
        minute, hour, day, month, weekday = self.expression.split()
        days = weekday_names(weekday)
        fields = {"minute": minute, "hour": hour, "day": day, "month": month, "day_of_week": days}
        if day.startswith("*") or weekday.startswith("*"):
            yield from _times(fields, first, last)
            return
        # crontab(5): where both are restricted, either is enough
        both = [_times({**fields, name: "*"}, first, last) for name in ("day", "day_of_week")]
        before = None
        for wall in heapq.merge(*both):
            if wall != before:
                yield wall
            before = wall


def parse_cron(expression: str, timezone: str) -> Cron:
    """Return a cron expression on the clocks of a time zone.

    Parameters
    ----------
    expression : str
        Five fields: minute, hour, day of the month, month, day of the week. Weekdays are 0 to 7, Sunday being 0 and 7,
        or ``mon`` to ``sun``; the day of the month may be ``last``.
    timezone : str
        Its name in the IANA database, such as ``Europe/Berlin``.

    Raises
    ------
    BadInput
        If it is no such expression, is never due, or there is no such time zone; the nearest one is named.

    Examples
    --------
    >>> parse_cron("0 6 * * 1", "Europe/Berlin").next_after(datetime(2026, 10, 22, tzinfo=UTC)).isoformat()
    '2026-10-26T05:00:00+00:00'
    """
    from auditor.core.errors import BadInput

    fields = expression.split()
    check_fields(expression, fields)
    cron = Cron(" ".join(fields).lower(), timezone)
    find_zone(timezone)
    # a day that no month has; the year is one after which every weekday meets 29 February before the horizon
    if cron.next_after(datetime(2024, 1, 1, tzinfo=UTC)) is None:
        raise BadInput(f"cron expression {expression!r}: there is no such day; check day and month")
    return cron


def _times(fields: dict[str, str], first: datetime, last: datetime) -> Iterator[datetime]:
    from apscheduler.triggers.cron import CronTrigger

    # a calendar without clock changes
    trigger = CronTrigger(timezone=UTC, end_date=last.replace(tzinfo=UTC), **fields)
    at: datetime | None = first.replace(tzinfo=UTC)
    while (at := trigger.get_next_fire_time(None, at)) is not None:
        yield at.replace(tzinfo=None)
        at += _SECOND
