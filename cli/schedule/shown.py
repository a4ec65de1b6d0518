"""How schedules and their times are shown."""

from datetime import datetime

from auditor.schedules.cron import Cron


def due_rows(cron: Cron, times: list[datetime]) -> list[tuple[str, str]]:
    """Return rows of due times, on the clocks of the zone and in UTC."""
    return [(local(cron, time), f"{time:%Y-%m-%d %H:%M}") for time in times]


def local(cron: Cron, time: datetime) -> str:
    """Return a time on the clocks of the zone."""
    return f"{time.astimezone(cron.zone):%a %Y-%m-%d %H:%M %z}"
