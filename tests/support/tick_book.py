"""Schedules and ticks in memory, by the rules of the store, for workers that need no database."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from auditor.core.recorded_runs import SkippedTicks, Tick, tick_id
from auditor.policy import Policy
from auditor.schedules.repository import CatchUp, Schedule
from auditor.schedules.runs import LeaseLost
from tests.support.schedules import MONDAY, SetClock

__all__ = ["MemoryBook"]


class MemoryBook:
    """What :class:`auditor.schedules.runs.Ticks` and the list of `Schedules` do, without a store.

    `audits` is what was recorded: ids of audits with their subject.
    """

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.schedules: dict[str, Schedule] = {}
        self.ticks: dict[str, Tick] = {}
        self.audits: dict[str, str] = {}
        self._claims = (f"claim {number}" for number in itertools.count())

    def add(
        self,
        name: str = "daily",
        *,
        cron: str = "0 6 * * *",
        timezone: str = "UTC",
        subjects: tuple[str, ...] = ("network:n",),
        catch_up: CatchUp = "last",
    ) -> Schedule:
        """Add a schedule that begins on :data:`MONDAY`."""
        policy = Policy()
        values = (policy.digest(), policy.text(), catch_up, False, MONDAY, "ada", MONDAY, MONDAY)
        self.schedules[name] = Schedule(name, name, cron, timezone, subjects, *values)
        return self.schedules[name]

    def list(self) -> list[Schedule]:
        return [*self.schedules.values()]

    def claim(
        self,
        schedule: str,
        *,
        seen: datetime,
        due: datetime | None,
        skipped: SkippedTicks | None,
        worker: str,
        lease: timedelta,
    ) -> tuple[Tick | None, datetime | None]:
        settled = self.schedules[schedule].settled_until
        if self.schedules[schedule].paused:
            return None, None
        if settled != seen:
            return None, settled
        if due is not None and tick_id(schedule, due) in self.ticks:
            self._settle(schedule, due)
            return None, due
        if skipped is not None:
            blank = Tick(tick_id(schedule, skipped.last), schedule, skipped.last, "skipped", 0, *[None] * 8)  # type: ignore[arg-type]
            self.ticks.setdefault(blank.id, replace(blank, first_due=skipped.first, count=skipped.count))
            self._settle(schedule, skipped.last)
        if due is None:
            return None, self.schedules[schedule].settled_until
        tick = Tick(tick_id(schedule, due), schedule, due, "claimed", 1, *[None] * 8)  # type: ignore[arg-type]
        self._settle(schedule, due)
        return self._held(tick, worker, lease), due

    def set_back(self, schedule: str, *, seen: datetime, now: datetime) -> datetime | None:
        if self.schedules[schedule].settled_until != seen:
            return None
        of_it = [tick for tick in self.ticks.values() if tick.schedule == schedule]
        ahead = [tick for tick in of_it if tick.status == "skipped" and tick.due > now]
        for tick in ahead:
            del self.ticks[tick.id]
        firsts = [tick.first_due - timedelta(microseconds=1) for tick in ahead if tick.first_due is not None]
        self._settle(schedule, max(min([now, *firsts]), self.schedules[schedule].begins_at))
        return self.schedules[schedule].settled_until

    def take_over(self, tick: Tick, *, worker: str, lease: timedelta, most: int) -> Tick | None:
        found = self.ticks[tick.id]
        free_at = found.lease_until or found.retry_at
        if free_at is None or free_at > self.clock():
            return None
        if found.attempts >= most:
            self.ticks[tick.id] = replace(found, status="failed", reason="ended", lease_until=None, retry_at=None)
            return self.ticks[tick.id]
        return self._held(replace(found, status="claimed", attempts=found.attempts + 1), worker, lease)

    def renew(self, tick: Tick, lease: timedelta) -> bool:
        return True

    def hold(self, tx: Any, tick: Tick, *, last: bool = False) -> None:
        found = self.ticks[tick.id]
        if found.claim != tick.claim or found.status != "claimed":
            raise LeaseLost("another worker has taken this tick over")
        if last:
            self.ticks[tick.id] = replace(found, status="done", lease_until=None)

    def finish(self, tick: Tick) -> None:
        self.hold(None, tick)
        self.ticks[tick.id] = replace(self.ticks[tick.id], status="done", lease_until=None)

    def fail(self, tick: Tick, reason: str, retry_at: datetime | None) -> None:
        self.hold(None, tick)
        failed = replace(self.ticks[tick.id], status="failed", reason=reason, lease_until=None, retry_at=retry_at)
        self.ticks[tick.id] = failed

    def release(self, tick: Tick) -> None:
        self.hold(None, tick)
        self.ticks[tick.id] = replace(self.ticks[tick.id], lease_until=self.clock())

    def free(self) -> list[Tick]:
        free = [tick for tick in self.ticks.values() if (tick.lease_until or tick.retry_at) is not None]
        return [tick for tick in free if (tick.lease_until or tick.retry_at) <= self.clock()]  # type: ignore[operator]

    def next_free(self) -> datetime | None:
        times = [tick.lease_until or tick.retry_at for tick in self.ticks.values()]
        return min((time for time in times if time is not None), default=None)

    def perform(self, subject: str, policy: Policy, audit_id: str, finish: Any) -> str:
        """Record an audit once, as the store does."""
        if audit_id not in self.audits:
            finish(None)
            self.audits[audit_id] = subject
        return "passed"

    def of_status(self, *statuses: str) -> list[datetime]:
        """Return the due times of all ticks of these statuses, in order."""
        return sorted(tick.due for tick in self.ticks.values() if tick.status in statuses)

    def _held(self, tick: Tick, worker: str, lease: timedelta) -> Tick:
        held = replace(tick, worker=worker, claim=next(self._claims), retry_at=None, lease_until=self.clock() + lease)
        self.ticks[tick.id] = held
        return held

    def _settle(self, schedule: str, until: datetime) -> None:
        self.schedules[schedule] = replace(self.schedules[schedule], settled_until=until)
