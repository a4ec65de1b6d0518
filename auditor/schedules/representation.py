"""What is published of a schedule, and when it is due."""

from datetime import datetime
from typing import Any

from pydantic import Field

from auditor.core.errors import BadInput
from auditor.core.representation import Representation
from auditor.schedules.cron import Cron
from auditor.schedules.repository import Schedule


class ScheduleFields(Representation):
    """A schedule."""

    id: str
    name: str
    cron: str
    timezone: str
    subjects: list[str]
    policy: str = Field(validation_alias="policy_hash")
    catch_up: str
    paused: bool
    created_at: datetime
    actor: str
    removed_at: datetime | None


class ScheduleOut(ScheduleFields):
    """A schedule."""

    next_due: list[datetime]


class ScheduleWithExports(ScheduleFields):
    """A schedule, with the protected exports that it makes."""

    protect_k: int | None
    protect_out: str | None


def schedule_data(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule for `--json`."""
    return ScheduleWithExports.from_record(schedule).model_dump()


def cron_of(schedule: Schedule) -> Cron:
    """Return when a schedule is due."""
    from auditor.schedules.cron import parse_cron

    return parse_cron(schedule.cron, schedule.timezone)


def next_due(schedule: Schedule, now: datetime, count: int) -> list[datetime]:
    """Return the next due times; none of a schedule that is paused or removed.

    Raises
    ------
    BadInput
        If its times cannot be understood here: another version wrote it, or its time zone is unknown.
    """
    if schedule.paused or schedule.removed_at is not None:
        return []
    return cron_of(schedule).upcoming(max(now, schedule.begins_at), count)


def known_due(schedule: Schedule, now: datetime, count: int) -> list[datetime]:
    """Return the next due times as :func:`next_due` does; none where they cannot be understood here."""
    try:
        return next_due(schedule, now, count)
    except BadInput:
        return []
