"""Schedules."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fastapi import Request

from auditor.schedules.repository import NewSchedule, Schedule, Schedules
from auditor.schedules.representation import known_due, schedule_data
from auditor.schedules.runs import Runs
from auditor.web.api.common import Limit, Scheduler, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page, ScheduleIn, ScheduleOut
from auditor.web.service import Service

router = router_for("schedules")

_SHOWN = 5


@router.get("/schedules")
def list_schedules(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[ScheduleOut]:
    """List schedules by name, each with its next due time."""
    now = service.store.ledger.clock()
    found = Schedules(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [_out(schedule, now, 1) for schedule in found], limit, skip)


@router.post("/schedules", status_code=201)
def add_schedule(asked: ScheduleIn, identity: Scheduler, service: Served) -> ScheduleOut:
    """Add a schedule; its audits are made by 'auditor schedule run'."""
    return _out(save_schedule(service, asked, actor=identity.person), service.store.ledger.clock(), _SHOWN)


def save_schedule(service: Service, asked: ScheduleIn, *, actor: str) -> Schedule:
    """Store a schedule that audits under the policy of the service.

    Raises
    ------
    BadInput, AlreadyExists, NotFound
        As :meth:`auditor.schedules.repository.Schedules.add`, or if the times cannot be understood.
    """
    from auditor.core.subject import parse_subject
    from auditor.schedules.cron import parse_cron

    times = parse_cron(asked.cron, asked.timezone)
    return Schedules(service.store).add(
        NewSchedule(
            asked.name,
            cron=times.expression,
            timezone=asked.timezone,
            subjects=[":".join(parse_subject(subject)) for subject in dict.fromkeys(asked.subjects)],
            policy_hash=service.policy.digest(),
            policy_text=service.policy.text(),
            catch_up=asked.catch_up,
            actor=actor,
        )
    )


@router.post("/schedules/{name:path}/pause")
def pause(name: str, identity: Scheduler, service: Served) -> ScheduleOut:
    """Let a schedule rest."""
    Schedules(service.store).pause(name, actor=identity.person)
    return show_schedule(name, identity, service)


@router.post("/schedules/{name:path}/resume")
def resume(name: str, identity: Scheduler, service: Served) -> ScheduleOut:
    """Go on with a schedule."""
    Schedules(service.store).resume(name, actor=identity.person)
    return show_schedule(name, identity, service)


@router.get("/schedules/{name:path}/ticks")
def ticks(name: str, identity: Viewer, service: Served, limit: Limit = 20) -> dict[str, Any]:
    """Return the last ticks of a schedule, the newest first."""
    from auditor.core.plain import plain

    schedule = Schedules(service.store).show(name)
    found = Runs(service.store).of_schedule(schedule.id, limit)
    hidden = ("claim", "lease_until", "worker")
    return {"ticks": [{key: value for key, value in plain(tick).items() if key not in hidden} for tick in found]}


@router.get("/schedules/{name:path}")
def show_schedule(name: str, identity: Viewer, service: Served) -> ScheduleOut:
    """Return a schedule with its next due times."""
    return _out(Schedules(service.store).show(name), service.store.ledger.clock(), _SHOWN)


@router.delete("/schedules/{name:path}", status_code=204)
def remove(name: str, identity: Scheduler, service: Served) -> None:
    """Remove a schedule; its ticks and audits stay."""
    Schedules(service.store).remove(name, actor=identity.person)


def _out(schedule: Schedule, now: datetime, count: int) -> ScheduleOut:
    return ScheduleOut(**schedule_data(schedule), next_due=known_due(schedule, now, count))
