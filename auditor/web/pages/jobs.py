"""Long work: how far it is, what came out, and the buttons that end or begin it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Form, Query, Request
from starlette.responses import Response

from auditor.web.api.common import Scheduler, Served, Viewer
from auditor.web.api.jobs import begin_job, cancel_job, resume_job, visible_job
from auditor.web.jobs.kinds import AuditIn, kind_of
from auditor.web.jobs.repository import Job, Jobs
from auditor.web.pages.common import KNOWN, page_router, parts_around, see_other, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()

_SHOWN = 50

Skip = Annotated[int, Query(ge=0, le=10_000_000)]


@router.get("/jobs")
def jobs(request: Request, identity: Viewer, service: Served, skip: Skip = 0) -> Response:
    """Show the jobs whose kind one may ask for, newest first."""
    found = Jobs(service.store).list(limit=_SHOWN + 1, skip=skip)
    shown = [job for job in found[:_SHOWN] if identity.may(kind_of(job.kind).right)]
    parts = parts_around("/jobs", skip, _SHOWN, len(found) > _SHOWN)
    return render(request, "jobs.html", identity, jobs=shown, **parts)


@router.get("/jobs/{id}")
def show(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Show a job."""
    return _page(request, identity, service, id)


@router.post("/jobs/{id}/cancel")
def cancel(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """End a job."""
    return _changed(cancel_job, request, identity, service, id)


@router.post("/jobs/{id}/resume")
def resume(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Do a job again from its beginning."""
    return _changed(resume_job, request, identity, service, id)


@router.post("/audits")
def audit(
    identity: Scheduler, service: Served, subject: Annotated[list[str], Form(min_length=1, max_length=1000)]
) -> Response:
    """Audit subjects."""
    return see_other(f"/jobs/{begin_job(service, identity, AuditIn(kind='audit', subjects=subject)).id}")


def _changed(
    change: Callable[[Service, Identity, str], Job], request: Request, identity: Identity, service: Service, id: str
) -> Response:
    try:
        change(service, identity, id)
    except KNOWN as error:
        return _page(request, identity, service, id, **told(error))
    return see_other(f"/jobs/{id}")


def _page(request: Request, identity: Identity, service: Service, id: str, **given: Any) -> Response:
    job = visible_job(service, identity, id)
    return render(request, "job.html", identity, job=job, mine=job.person == identity.person, **given)
