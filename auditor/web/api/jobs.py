"""Long work: asked for, watched, cancelled, resumed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Union

from fastapi import Body, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from auditor.audits.subjects import find_subject
from auditor.core.errors import NotFound
from auditor.core.subject import parse_subject
from auditor.web.api.common import Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import JobOut, Page
from auditor.web.jobs.kinds import JobInput, job_kinds, kind_of
from auditor.web.jobs.repository import Job, Jobs
from auditor.web.security.identity import Identity
from auditor.web.security.streams import Place
from auditor.web.service import Service

router = router_for("jobs")

_LOOK = 0.5
_LONGEST_STREAM = 3600.0


class WatchedJob(StreamingResponse):
    """A stream that gives its place back when it ends, also if it never began.

    Parameters
    ----------
    place : Place
        What it was given.
    """

    def __init__(self, place: Place, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until it ends or nobody listens any more."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._place.leave()


_INPUTS = tuple(kind.input for kind in job_kinds().values())
# every kind of subject adds its own
JobIn: Any = Annotated[Union[_INPUTS], Body(discriminator="kind")]  # noqa: UP007


@router.post("/jobs", status_code=202)
def add_job(requested: JobIn, identity: Viewer, service: Served, response: Response) -> JobOut:
    """Ask for long work; the answer says where to look."""
    job = begin_job(service, identity, requested)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return job_out(job, identity)


@router.get("/jobs")
def list_jobs(request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0) -> Page[JobOut]:
    """List the jobs whose kind one may ask for, newest first."""
    found = Jobs(service.store).list(limit=limit + 1, skip=skip)
    page = page_of(request, [job_out(job, identity) for job in found], limit, skip)
    page.items = [job for job in page.items if identity.may(kind_of(job.kind).right)]
    return page


@router.get("/jobs/{id}")
def show_job(id: str, identity: Viewer, service: Served) -> JobOut:
    """Return a job: how far it is, or what came out."""
    return job_out(visible_job(service, identity, id), identity)


@router.post("/jobs/{id}/cancel")
def cancel(id: str, identity: Viewer, service: Served) -> JobOut:
    """End a job."""
    return job_out(cancel_job(service, identity, id), identity)


@router.post("/jobs/{id}/resume", status_code=202)
def resume(id: str, identity: Viewer, service: Served) -> JobOut:
    """Do a job that was interrupted, cancelled or failed from its beginning."""
    return job_out(resume_job(service, identity, id), identity)


@router.get("/jobs/{id}/events", response_class=StreamingResponse)
def events(id: str, identity: Viewer, service: Served) -> StreamingResponse:
    """Stream how a job goes on (server-sent events), until it ends; some streams at once for each token."""
    visible_job(service, identity, id)
    place = service.streams.enter(identity.token)
    return WatchedJob(place, _events(service, id), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def begin_job(service: Service, identity: Identity, requested: JobInput) -> Job:
    """Queue a job in somebody's name.

    Parameters
    ----------
    service : Service
    identity : Identity
    requested : JobInput

    Raises
    ------
    Forbidden
        If they may not request it.
    Refused
        If the policy asks for more.
    NotFound, BadInput
        If it could not be done: a subject that is not there is an error at once.
    """
    kind = kind_of(requested.kind)
    identity.require(kind.right)
    named = requested.subjects_named()
    for subject in named:
        find_subject(service.store, *parse_subject(subject))
    kind.check(service.store, service.policy, requested)
    job = Jobs(service.store).add(
        requested.kind,
        requested.model_dump(exclude={"kind"}),
        subject=named[0] if len(named) == 1 else None,
        person=identity.person,
        token=identity.token,
    )
    service.wake()
    return job


def cancel_job(service: Service, identity: Identity, id: str) -> Job:
    """End a job that somebody may see; its process looks by itself.

    Raises
    ------
    NotFound, Refused
        As :func:`visible_job` and :meth:`auditor.web.jobs.repository.Jobs.cancel`.
    """
    visible_job(service, identity, id)
    return Jobs(service.store).cancel(id, actor=identity.person)


def resume_job(service: Service, identity: Identity, id: str) -> Job:
    """Let a job that somebody may see be done again, as their own request.

    Raises
    ------
    NotFound, Refused
        As :func:`visible_job` and :meth:`auditor.web.jobs.repository.Jobs.resume`.
    """
    visible_job(service, identity, id)
    job = Jobs(service.store).resume(id, person=identity.person, token=identity.token)
    service.wake()
    return job


def visible_job(service: Service, identity: Identity, id: str) -> Job:
    """Return a job that somebody may see: whoever may ask for one of its kind.

    Raises
    ------
    NotFound
        If there is none, or they may not see it: an answer of its own would tell that there is one.
    """
    job = Jobs(service.store).show(id)
    if not identity.may(kind_of(job.kind).right):
        raise NotFound(f"there is no job {id!r}")
    return job


def job_out(job: Job, identity: Identity) -> JobOut:
    """Return what is told of a job; some results are for the requester alone."""
    hidden = kind_of(job.kind).private and job.person != identity.person
    return JobOut(
        id=job.id,
        kind=job.kind,
        subject=job.subject,
        person=job.person,
        at=job.at,
        state=job.state,
        phase=job.phase,
        done=job.done,
        total=job.total,
        result=None if job.result is None or hidden else dict(job.result),
        reason=job.reason,
        finished_at=job.finished_at,
    )


async def _events(service: Service, id: str) -> AsyncIterator[str]:
    told, end = None, time.monotonic() + _LONGEST_STREAM
    while time.monotonic() < end:
        # a thread is busy for the moment of the look alone, however many watch
        job = await run_in_threadpool(Jobs(service.store).show, id)
        now = (job.state, job.phase, job.done, job.total)
        if now != told:
            told = now
            shown = {"state": job.state, "phase": job.phase, "done": job.done, "total": job.total}
            yield f"data: {json.dumps(shown)}\n\n"
        if job.ended:
            return
        await asyncio.sleep(_LOOK)
