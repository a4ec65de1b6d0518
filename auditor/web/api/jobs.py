"""Long work: asked for, watched, cancelled, resumed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Body, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from auditor.core.errors import BadInput, NotFound, Refused
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import JobOut, Page
from auditor.web.jobs.kinds import kind_of
from auditor.web.jobs.repository import Job, Jobs
from auditor.web.security.identity import Identity
from auditor.web.security.streams import Place
from auditor.web.service import Service

__all__ = ["begin_job", "cancel_job", "job_out", "resume_job", "router", "visible_job"]

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


class AnonymizeIn(BaseModel):
    """Make a protected export of a network."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: Literal["anonymize"]
    network: str
    k: int = Field(ge=2, le=1_000_000)
    format: Literal["csv", "graphml", "gml", "parquet"] = "csv"
    keep: list[str] = Field(default_factory=list, max_length=100, description="vertex attributes that leave, too")
    seed: int = Field(default=0, ge=0, le=2**53)
    time_limit: float | None = Field(default=None, gt=0, le=86_400)


class AuditIn(BaseModel):
    """Audit subjects under the policy of the service."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: Literal["audit"]
    subjects: list[str] = Field(min_length=1, max_length=1000)


class FrontierIn(BaseModel):
    """Find out what of a table could still go out."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: Literal["frontier"]
    table: str
    time_limit: float = Field(default=60.0, gt=0, le=3600)


JobIn = Annotated[AnonymizeIn | AuditIn | FrontierIn, Body(discriminator="kind")]


@router.post("/jobs", status_code=202)
def add_job(asked: JobIn, identity: Viewer, service: Served, response: Response) -> JobOut:
    """Ask for long work; the answer says where to look."""
    job = begin_job(service, identity, asked.kind, asked.model_dump(exclude={"kind"}))
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


def begin_job(service: Service, identity: Identity, kind: str, parameters: dict[str, Any]) -> Job:
    """Ask for a job in somebody's name.

    Raises
    ------
    Forbidden
        If they may not.
    Refused
        If the policy asks for more.
    BadInput
        If it could not be done: subjects that are not there are told at once.
    """
    from auditor.audits.subjects import find_subject
    from auditor.core.subject import parse_subject

    identity.require(kind_of(kind).right)
    least = service.policy.network.k
    if kind == "anonymize" and parameters["k"] < least:
        raise Refused(f"the policy of this service asks for k = {least} (network.k); k = {parameters['k']} is less")
    if kind == "audit":
        named = list(parameters["subjects"])
    else:
        named = [f"network:{parameters['network']}" if kind == "anonymize" else f"table:{parameters['table']}"]
    for subject in named:
        find_subject(service.store.connection, *parse_subject(subject))
    if kind == "anonymize" and parameters["k"] > Networks(service.store).show(parameters["network"]).vertices:
        raise BadInput(f"k = {parameters['k']} is more than the network has vertices; take a smaller one")
    job = Jobs(service.store).add(
        kind,
        parameters,
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
    """Return what is told of a job. What could still go out of a table is for who asked: the ledger has that look."""
    hidden = job.kind == "frontier" and job.person != identity.person
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
