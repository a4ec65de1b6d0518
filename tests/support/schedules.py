"""Schedules for tests, and a clock that goes where it is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from auditor.policy import Policy
from auditor.schedules.repository import CatchUp, NewSchedule, Schedule, Schedules
from auditor.store.connection import Connection
from auditor.store.opening import Store

__all__ = ["MONDAY", "SetClock", "add_schedule", "store_with_clock"]

MONDAY = datetime(2026, 1, 5, 5, 30, tzinfo=UTC)
"""Half an hour before the schedules of the tests are due."""


class SetClock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def go(self, **by: float) -> datetime:
        """Go on, or back, and return the time."""
        self.now += timedelta(**by)
        return self.now


def store_with_clock(connection: Connection, clock: SetClock) -> Store:
    """Return the store of a connection with a clock of one's own."""
    return Store(connection, clock)


def add_schedule(
    store: Store,
    name: str = "weekly",
    *,
    cron: str = "0 6 * * *",
    timezone: str = "UTC",
    subjects: tuple[str, ...] = ("network:n",),
    catch_up: CatchUp = "last",
) -> Schedule:
    """Add a schedule that audits a network `n` every day at six."""
    policy = Policy()
    return Schedules(store).add(
        NewSchedule(
            name,
            cron=cron,
            timezone=timezone,
            subjects=subjects,
            policy_hash=policy.digest(),
            policy_text=policy.text(),
            catch_up=catch_up,
            actor="ada",
        )
    )
