"""How long a schedule has been waiting for a worker."""

from datetime import datetime, timedelta

from auditor.schedules.cron import parse_cron
from auditor.schedules.repository import Schedule


def lateness(schedule: Schedule, now: datetime) -> timedelta:
    """Return how long ago the oldest due time was that nobody took; 0 if there is none.

    Parameters
    ----------
    schedule : Schedule
    now : datetime

    Raises
    ------
    BadInput
        If its times cannot be read here: another version wrote them, or the time zone is unknown.
    """
    if schedule.paused or schedule.settled_until >= now:
        return timedelta(0)
    due = next(parse_cron(schedule.cron, schedule.timezone).between(schedule.settled_until, now), None)
    return timedelta(0) if due is None else now - due
