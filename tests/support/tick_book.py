"""Schedules and ticks in memory, by the rules of the store, for workers that need no database."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from auditor.core.recorded_runs import Run, run_id
from auditor.policy import Policy
from auditor.schedules.plan import Step
from auditor.schedules.repository import CatchUp, Schedule
from auditor.schedules.runs import LeaseLost
from tests.support.schedules import MONDAY, SetClock

__all__ = ["MemoryBook"]


class MemoryBook:
    """What :class:`auditor.schedules.runs.Runs` and the list of `Schedules` do, without a store.

    `audits` is what was recorded: ids of audits with their subject.
    """

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.schedules: dict[str, Schedule] = {}
        self.runs: dict[str, Run] = {}
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
        given = (name, cron, timezone, policy.digest(), policy.text(), catch_up, "ada")
        times = dict.fromkeys(("created_at", "begins_at", "settled_until"), MONDAY)
        self.schedules[name] = Schedule(*given, id=name, subjects=subjects, paused=False, **times)
        return self.schedules[name]

    def list(self) -> list[Schedule]:
        return [*self.schedules.values()]

    def claim(
        self, schedule: str, step: Step, *, seen: datetime, worker: str, lease: timedelta
    ) -> tuple[Run | None, datetime | None]:
        settled, due, skipped = self.schedules[schedule].settled_until, step.due, step.skipped
        if self.schedules[schedule].paused:
            return None, None
        if settled != seen:
            return None, settled
        if due is not None and run_id(schedule, due) in self.runs:
            self._settle(schedule, due)
            return None, due
        if skipped is not None:
            blank = Run(run_id(schedule, skipped.last), schedule, skipped.last, "skipped", 0)
            self.runs.setdefault(blank.id, replace(blank, first_due=skipped.first, count=skipped.count))
            self._settle(schedule, skipped.last)
        if due is None:
            return None, self.schedules[schedule].settled_until
        run = Run(run_id(schedule, due), schedule, due, "claimed", 1)
        self._settle(schedule, due)
        return self._held(run, worker, lease), due

    def set_back(self, schedule: str, *, seen: datetime, now: datetime) -> datetime | None:
        if self.schedules[schedule].settled_until != seen:
            return None
        of_it = [run for run in self.runs.values() if run.schedule == schedule]
        ahead = [run for run in of_it if run.status == "skipped" and run.due > now]
        for run in ahead:
            del self.runs[run.id]
        firsts = [run.first_due - timedelta(microseconds=1) for run in ahead if run.first_due is not None]
        self._settle(schedule, max(min([now, *firsts]), self.schedules[schedule].begins_at))
        return self.schedules[schedule].settled_until

    def take_over(self, run: Run, *, worker: str, lease: timedelta, most: int) -> Run | None:
        found = self.runs[run.id]
        free_at = found.lease_until or found.retry_at
        if free_at is None or free_at > self.clock():
            return None
        if found.attempts >= most:
            self.runs[run.id] = replace(found, status="failed", reason="ended", lease_until=None, retry_at=None)
            return self.runs[run.id]
        return self._held(replace(found, status="claimed", attempts=found.attempts + 1), worker, lease)

    def renew(self, run: Run, lease: timedelta) -> bool:
        return True

    def hold(self, tx: Any, run: Run, *, last: bool = False) -> None:
        found = self.runs[run.id]
        if found.claim != run.claim or found.status != "claimed":
            raise LeaseLost("another worker has taken over this run")
        if last:
            self.runs[run.id] = replace(found, status="done", lease_until=None)

    def finish(self, run: Run) -> None:
        self.hold(None, run)
        self.runs[run.id] = replace(self.runs[run.id], status="done", lease_until=None)

    def fail(self, run: Run, reason: str, retry_at: datetime | None) -> None:
        self.hold(None, run)
        failed = replace(self.runs[run.id], status="failed", reason=reason, lease_until=None, retry_at=retry_at)
        self.runs[run.id] = failed

    def release(self, run: Run) -> None:
        self.hold(None, run)
        self.runs[run.id] = replace(self.runs[run.id], lease_until=self.clock())

    def free(self) -> list[Run]:
        free = [run for run in self.runs.values() if (run.lease_until or run.retry_at) is not None]
        return [run for run in free if (run.lease_until or run.retry_at) <= self.clock()]  # type: ignore[operator]

    def next_free(self) -> datetime | None:
        times = [run.lease_until or run.retry_at for run in self.runs.values()]
        return min((time for time in times if time is not None), default=None)

    def perform(self, subject: str, policy: Policy, audit_id: str, finish: Any) -> str:
        """Record an audit once, as the store does."""
        if audit_id not in self.audits:
            finish(None)
            self.audits[audit_id] = subject
        return "passed"

    def of_status(self, *statuses: str) -> list[datetime]:
        """Return the due times of all ticks of these statuses, in order."""
        return sorted(run.due for run in self.runs.values() if run.status in statuses)

    def _held(self, run: Run, worker: str, lease: timedelta) -> Run:
        held = replace(run, worker=worker, claim=next(self._claims), retry_at=None, lease_until=self.clock() + lease)
        self.runs[run.id] = held
        return held

    def _settle(self, schedule: str, until: datetime) -> None:
        self.schedules[schedule] = replace(self.schedules[schedule], settled_until=until)
