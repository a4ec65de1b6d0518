"""Time as the store writes it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the time now, with its zone."""


def utc_now() -> datetime:
    """Return the time of this machine's clock, in UTC."""
    return datetime.now(UTC)


def time_text(at: datetime) -> str:
    """Return a time as text that sorts like the time: UTC, microseconds, Z.

    Examples
    --------
    >>> time_text(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '2026-03-01T12:00:00.000000Z'
    """
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> datetime:
    """Return the time that :func:`time_text` wrote.

    Examples
    --------
    >>> parse_time("2026-03-01T12:00:00.000000Z").isoformat()
    '2026-03-01T12:00:00+00:00'
    """
    return datetime.fromisoformat(text)
