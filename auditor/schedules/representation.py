"""What is told of a schedule, and when it is due."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.core.errors import BadInput

if TYPE_CHECKING:
    from auditor.schedules.cron import Cron
    from auditor.schedules.repository import Schedule


def schedule_data(schedule: Schedule) -> dict[str, Any]:
    """Return what is told of a schedule."""
    return {
        "id": schedule.id,
        "name": schedule.name,
        "cron": schedule.cron,
        "timezone": schedule.timezone,
        "subjects": schedule.subjects,
        "policy": schedule.policy_hash,
        "catch_up": schedule.catch_up,
        "paused": schedule.paused,
        "created_at": schedule.created_at,
        "actor": schedule.actor,
        "removed_at": schedule.removed_at,
        "protect_k": schedule.protect_k,
        "protect_out": schedule.protect_out,
    }


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
