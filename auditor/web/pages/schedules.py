"""Schedules: audits at set times; the next due times of a new one are shown before it is saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Form, Query, Request
from starlette.responses import Response

from auditor.core.errors import BadInput
from auditor.operating.watch import watch_work
from auditor.schedules.cron import parse_cron
from auditor.schedules.repository import Schedules
from auditor.schedules.representation import known_due
from auditor.schedules.runs import Runs
from auditor.web.api.common import Scheduler, Served, Viewer
from auditor.web.api.models import ScheduleIn
from auditor.web.api.schedules import save_schedule
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router, last = page_router(), page_router()

_DUE, _TICKS = 5, 20
_USUAL = {"name": "", "cron": "0 6 * * 1", "timezone": "UTC", "catch_up": "last", "subjects": []}

CatchUp = Literal["none", "last", "all"]
Text = Annotated[str, Form(max_length=200)]


@router.get("/schedules")
def schedules(request: Request, identity: Viewer, service: Served) -> Response:
    """Show all schedules."""
    now = service.store.ledger.clock()
    latest = Runs(service.store).latest()
    rows = [(one, known_due(one, now, 1), latest.get(one.id)) for one in Schedules(service.store).list()]
    return render(request, "schedules.html", identity, rows=rows, work=watch_work(service.store))


@router.get("/schedules-new")
def new(
    request: Request,
    identity: Scheduler,
    service: Served,
    name: Annotated[str | None, Query(max_length=200)] = None,
    cron: Annotated[str, Query(max_length=200)] = "",
    timezone: Annotated[str, Query(max_length=100)] = "",
    catch_up: Annotated[CatchUp, Query()] = "last",
    subject: Annotated[list[str] | None, Query(max_length=1000)] = None,
) -> Response:
    """Ask for a new schedule, and show when it would be due."""
    if name is None:
        return _new_page(request, identity, service, {**_USUAL, "subjects": subject or []})
    given = {"name": name, "cron": cron, "timezone": timezone, "catch_up": catch_up, "subjects": subject or []}
    try:
        if not name.strip() or not subject:
            raise BadInput("a schedule needs a name, and at least one subject")
        times = parse_cron(cron, timezone)
        due = [(at, at.astimezone(times.zone)) for at in times.upcoming(service.store.ledger.clock(), _DUE)]
    except KNOWN as error:
        return _new_page(request, identity, service, given, **told(error))
    return _new_page(request, identity, service, given, due=due)


@router.post("/schedules")
def add(
    request: Request,
    identity: Scheduler,
    service: Served,
    name: Text,
    cron: Text,
    timezone: Text,
    subject: Annotated[list[str], Form(min_length=1, max_length=1000)],
    catch_up: Annotated[CatchUp, Form()] = "last",
) -> Response:
    """Save a schedule."""
    given = {"name": name, "cron": cron, "timezone": timezone, "catch_up": catch_up, "subjects": subject}
    try:
        schedule = save_schedule(service, ScheduleIn.model_validate(given), actor=identity.person)
    except KNOWN as error:
        return _new_page(request, identity, service, given, **told(error))
    return said(f"/schedules/{quote(schedule.name, safe='')}", "schedule-added")


@router.post("/schedules/{name:path}/pause")
def pause(name: str, identity: Scheduler, service: Served) -> Response:
    """Let a schedule rest."""
    return _changed(Schedules(service.store).pause, name, identity, "paused")


@router.post("/schedules/{name:path}/resume")
def resume(name: str, identity: Scheduler, service: Served) -> Response:
    """Go on with a schedule."""
    return _changed(Schedules(service.store).resume, name, identity, "resumed")


@router.post("/schedules/{name:path}/remove")
def remove(name: str, identity: Scheduler, service: Served) -> Response:
    """Remove a schedule."""
    Schedules(service.store).remove(name, actor=identity.person)
    return said("/schedules", "schedule-removed")


@last.get("/schedules/{name:path}")
def show(request: Request, name: str, identity: Viewer, service: Served) -> Response:
    """Show a schedule with its next due times, and its last ticks."""
    one = Schedules(service.store).show(name)
    return render(
        request,
        "schedule.html",
        identity,
        one=one,
        due=known_due(one, service.store.ledger.clock(), _DUE),
        ticks=Runs(service.store).of_schedule(one.id, _TICKS),
    )


def _changed(change: Callable[..., None], name: str, identity: Identity, word: str) -> Response:
    change(name, actor=identity.person)
    return said(f"/schedules/{quote(name, safe='')}", word)


def _new_page(request: Request, identity: Identity, service: Service, given: dict[str, Any], **more: Any) -> Response:
    known = [row.subject for row in sorted(service.overview.rows(), key=lambda row: row.subject.subject)]
    return render(request, "schedule_new.html", identity, given=given, known=known, **{"due": None, **more})
