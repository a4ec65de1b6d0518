"""Whether what is due is done: how late schedules are, and whether a worker gives signs of life."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from auditor.core.errors import BadInput
from auditor.schedules.cron import parse_cron
from auditor.schedules.repository import Schedule, Schedules
from auditor.schedules.workers import Workers, WorkerSign
from auditor.store import Store

LATE_AFTER = timedelta(minutes=2)
"""A due time that nobody took for so long is late: a worker looks every half minute."""


@dataclass(frozen=True, slots=True)
class WorkState:
    """What became of what is due."""

    scheduled: int
    """Schedules that are not paused."""
    late: tuple[str, ...]
    """Names of those with a due time that nobody took."""
    workers: Sequence[WorkerSign]
    now: datetime

    @property
    def working(self) -> int:
        """How many workers give signs of life."""
        return sum(worker.state(self.now) == "working" for worker in self.workers)

    @property
    def problems(self) -> tuple[str, ...]:
        """What an operator should look at, in words; nothing if all is well."""
        found = []
        if self.scheduled and not self.working:
            last = max((worker.at for worker in self.workers), default=None)
            seen = "" if last is None else f"; the last sign of one is of {last:%Y-%m-%d %H:%M} UTC"
            found.append(f"no worker runs: nothing that is scheduled is done ('auditor schedule run'){seen}")
        if self.late:
            more = "" if len(self.late) == 1 else f" and {len(self.late) - 1} more"
            found.append(f"late: the schedule {self.late[0]!r}{more} has a due time that no worker claimed")
        return tuple(found)


def watch_work(store: Store) -> WorkState:
    """Return whether what is due is done: two small queries."""
    now, schedules = store.ledger.clock(), Schedules(store).list()
    late = tuple(sorted(late_schedules(schedules, now)))
    return WorkState(sum(not one.paused for one in schedules), late, Workers(store).list(), now)


def late_schedules(schedules: Sequence[Schedule], now: datetime) -> set[str]:
    """Return the names of schedules with a due time that nobody took in time."""
    found = set()
    for schedule in schedules:
        try:
            if lateness(schedule, now) > LATE_AFTER:
                found.add(schedule.name)
        except BadInput:
            # another version wrote its times: a figure of its own
            continue
    return found


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
