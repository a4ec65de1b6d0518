"""Schedules."""

from typing import Any

from auditor.core.plain import plain
from auditor.core.subject import parse_subject
from auditor.schedules.cron import parse_cron
from auditor.schedules.repository import NewSchedule, Schedule, Schedules
from auditor.schedules.representation import ScheduleOut, known_due
from auditor.schedules.runs import Runs
from auditor.web.api.common import Limit, Part, Scheduler, Viewer, router_for
from auditor.web.api.models import Page, ScheduleIn
from auditor.web.security.identity import Call

router = router_for("schedules")

_SHOWN = 5


@router.get("/schedules")
def list_schedules(call: Viewer, part: Part) -> Page[ScheduleOut]:
    """List schedules by name, each with its next due time."""
    return part.page(call, [_out(call, schedule, 1) for schedule in part.of(Schedules(call.store).list())])


@router.post("/schedules", status_code=201)
def add_schedule(call: Scheduler, asked: ScheduleIn) -> ScheduleOut:
    """Add a schedule; 'auditor schedule run' makes its audits."""
    return _out(call, save_schedule(call, asked))


def save_schedule(call: Call, asked: ScheduleIn) -> Schedule:
    """Store a schedule that audits under the policy of the service.

    Raises
    ------
    BadInput, AlreadyExists, NotFound
        As :meth:`auditor.schedules.repository.Schedules.add`, or if the times cannot be understood.
    """
    return Schedules(call.store).add(
        NewSchedule(
            asked.name,
            cron=parse_cron(asked.cron, asked.timezone).expression,
            timezone=asked.timezone,
            subjects=[":".join(parse_subject(subject)) for subject in dict.fromkeys(asked.subjects)],
            policy_hash=call.policy.digest(),
            policy_text=call.policy.text(),
            catch_up=asked.catch_up,
            actor=call.person,
        )
    )


@router.post("/schedules/{name:path}/pause")
def pause(call: Scheduler, name: str) -> ScheduleOut:
    """Pause a schedule."""
    Schedules(call.store).pause(name, actor=call.person)
    return show_schedule(call, name)


@router.post("/schedules/{name:path}/resume")
def resume(call: Scheduler, name: str) -> ScheduleOut:
    """Resume a schedule."""
    Schedules(call.store).resume(name, actor=call.person)
    return show_schedule(call, name)


@router.get("/schedules/{name:path}/ticks")
def ticks(call: Viewer, name: str, limit: Limit = 20) -> dict[str, Any]:
    """Return the last runs of a schedule, newest first."""
    found = Runs(call.store).of_schedule(Schedules(call.store).show(name).id, limit)
    hidden = ("claim", "lease_until", "worker")
    return {"ticks": [{key: value for key, value in plain(tick).items() if key not in hidden} for tick in found]}


@router.get("/schedules/{name:path}")
def show_schedule(call: Viewer, name: str) -> ScheduleOut:
    """Return a schedule with its next due times."""
    return _out(call, Schedules(call.store).show(name))


@router.delete("/schedules/{name:path}", status_code=204)
def remove(call: Scheduler, name: str) -> None:
    """Remove a schedule; its runs and audits stay."""
    Schedules(call.store).remove(name, actor=call.person)


def _out(call: Call, schedule: Schedule, count: int = _SHOWN) -> ScheduleOut:
    return ScheduleOut.from_record(schedule, next_due=known_due(schedule, call.now(), count))
