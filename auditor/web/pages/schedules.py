"""Schedules: audits at set times; the next due times of a new one are shown before it is saved."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Form, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from auditor.core.errors import BadInput
from auditor.operating.watch import watch_work
from auditor.schedules.cron import parse_cron
from auditor.schedules.repository import CatchUp, Schedules
from auditor.schedules.representation import known_due
from auditor.schedules.runs import Runs
from auditor.web.api.common import Scheduler, Viewer
from auditor.web.api.models import ScheduleIn
from auditor.web.api.schedules import save_schedule
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router, last = page_router(), page_router()

_DUE, _TICKS = 5, 20


class ScheduleDraft(BaseModel):
    """What a form says of a new schedule, with a box for each subject."""

    name: str = Field("", max_length=200)
    cron: str = Field("0 6 * * 1", max_length=200)
    timezone: str = Field("UTC", max_length=100)
    catch_up: CatchUp = "last"
    subjects: list[str] = Field(default_factory=list, alias="subject", max_length=1000)


class ScheduleForm(ScheduleIn, extra="ignore"):
    """A schedule to be saved, as that form sends it."""

    subjects: list[str] = Field(alias="subject", min_length=1, max_length=1000)


@router.get("/schedules")
def schedules(call: Viewer) -> Response:
    """Show all schedules."""
    now, latest = call.now(), Runs(call.store).latest()
    rows = [(one, known_due(one, now, 1), latest.get(one.id)) for one in Schedules(call.store).list()]
    return page(call, "schedules.html", rows=rows, work=watch_work(call.store))


@router.get("/schedules-new")
def new(call: Scheduler, given: Annotated[ScheduleDraft, Query()]) -> Response:
    """Ask for a new schedule, and show when it would be due."""
    if "name" not in call.request.query_params:
        return _new_page(call, given)
    try:
        if not given.name.strip() or not given.subjects:
            raise BadInput("a schedule needs a name, and at least one subject")
        times = parse_cron(given.cron, given.timezone)
        due = [(at, at.astimezone(times.zone)) for at in times.upcoming(call.now(), _DUE)]
    except KNOWN as error:
        return _new_page(call, given, **told(error))
    return _new_page(call, given, due=due)


@router.post("/schedules")
def add(call: Scheduler, given: Annotated[ScheduleForm, Form()]) -> Response:
    """Save a schedule."""
    try:
        schedule = save_schedule(call, given)
    except KNOWN as error:
        return _new_page(call, given, **told(error))
    return said(_address(schedule.name), "schedule-added")


@router.post("/schedules/{name:path}/pause")
def pause(call: Scheduler, name: str) -> Response:
    """Pause a schedule."""
    Schedules(call.store).pause(name, actor=call.person)
    return said(_address(name), "paused")


@router.post("/schedules/{name:path}/resume")
def resume(call: Scheduler, name: str) -> Response:
    """Resume a schedule."""
    Schedules(call.store).resume(name, actor=call.person)
    return said(_address(name), "resumed")


@router.post("/schedules/{name:path}/remove")
def remove(call: Scheduler, name: str) -> Response:
    """Remove a schedule."""
    Schedules(call.store).remove(name, actor=call.person)
    return said("/schedules", "schedule-removed")


@last.get("/schedules/{name:path}")
def show(call: Viewer, name: str) -> Response:
    """Show a schedule with its next due times, and its last runs."""
    one = Schedules(call.store).show(name)
    due, ticks = known_due(one, call.now(), _DUE), Runs(call.store).of_schedule(one.id, _TICKS)
    return page(call, "schedule.html", one=one, due=due, ticks=ticks)


def _address(name: str) -> str:
    return f"/schedules/{quote(name, safe='')}"


def _new_page(call: Call, given: ScheduleDraft | ScheduleForm, **more: Any) -> Response:
    known = sorted(call.service.overview.rows(), key=lambda one: one.subject)
    return page(call, "schedule_new.html", given=given, known=known, **{"due": None, **more})
