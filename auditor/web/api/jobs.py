"""Jobs: requested, watched, cancelled, resumed."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Annotated, Any, Union

from fastapi import Body
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from auditor.audits.subjects import find_subject
from auditor.core.errors import NotFound
from auditor.core.subject import parse_subject
from auditor.web.api.common import Part, Viewer, router_for
from auditor.web.api.models import JobOut, Page
from auditor.web.jobs.kinds import JobInput, job_kinds, kind_of
from auditor.web.jobs.repository import Job, Jobs
from auditor.web.security.identity import Call
from auditor.web.service import Service

router = router_for("jobs")

_LOOK = 0.5
_LONGEST_STREAM = 3600.0


class WatchedJob(StreamingResponse):
    """A stream that gives its place back when it ends, also if it never began.

    Parameters
    ----------
    place : ExitStack
        Gives it back when it is closed.
    """

    def __init__(self, place: ExitStack, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until it ends or nobody listens any more."""
        with self._place:
            await super().__call__(scope, receive, send)


_INPUTS = tuple(kind.input for kind in job_kinds().values())
# every kind of subject adds its own
JobIn: Any = Annotated[Union[_INPUTS], Body(discriminator="kind")]  # noqa: UP007


@router.post("/jobs", status_code=202)
def add_job(call: Viewer, requested: JobIn, response: Response) -> JobOut:
    """Request a job; the answer contains its address."""
    job = begin_job(call, requested)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return _out(call, job)


@router.get("/jobs")
def list_jobs(call: Viewer, part: Part) -> Page[JobOut]:
    """List the jobs of the kinds that the token may request, newest first."""
    page = part.page(call, [_out(call, job) for job in Jobs(call.store).list(**part.read)])
    page.items = [job for job in page.items if call.may(kind_of(job.kind).right)]
    return page


@router.get("/jobs/{id}")
def show_job(call: Viewer, id: str) -> JobOut:
    """Return a job: its progress or its result."""
    return _out(call, visible_job(call, id))


@router.post("/jobs/{id}/cancel")
def cancel(call: Viewer, id: str) -> JobOut:
    """End a job."""
    return _out(call, cancel_job(call, id))


@router.post("/jobs/{id}/resume", status_code=202)
def resume(call: Viewer, id: str) -> JobOut:
    """Run a job again from its beginning after it was interrupted or cancelled, or failed."""
    return _out(call, resume_job(call, id))


@router.get("/jobs/{id}/events", response_class=StreamingResponse)
def events(call: Viewer, id: str) -> StreamingResponse:
    """Stream the progress of a job (server-sent events) until it ends; a token can have a few streams at once."""
    visible_job(call, id)
    place = call.service.streams.enter(call.identity.token)
    headers = {"X-Accel-Buffering": "no"}
    return WatchedJob(place, _events(call.service, id), media_type="text/event-stream", headers=headers)


def begin_job(call: Call, requested: JobInput) -> Job:
    """Queue a job in the name of the person who sends the call.

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
    call.identity.require(kind.right)
    named = requested.subjects_named()
    for subject in named:
        find_subject(call.store, *parse_subject(subject))
    kind.check(call.store, call.policy, requested)
    job = Jobs(call.store).add(
        requested.kind,
        requested.model_dump(exclude={"kind"}),
        subject=named[0] if len(named) == 1 else None,
        person=call.person,
        token=call.identity.token,
    )
    call.service.wake()
    return job


def cancel_job(call: Call, id: str) -> Job:
    """End a job that the person may see; its process notices by itself.

    Raises
    ------
    NotFound, Refused
        As :func:`visible_job` and :meth:`auditor.web.jobs.repository.Jobs.cancel`.
    """
    visible_job(call, id)
    return Jobs(call.store).cancel(id, actor=call.person)


def resume_job(call: Call, id: str) -> Job:
    """Let a job that the person may see be done again, as their own request.

    Raises
    ------
    NotFound, Refused
        As :func:`visible_job` and :meth:`auditor.web.jobs.repository.Jobs.resume`.
    """
    visible_job(call, id)
    job = Jobs(call.store).resume(id, person=call.person, token=call.identity.token)
    call.service.wake()
    return job


def visible_job(call: Call, id: str) -> Job:
    """Return a job of a kind that the person may request.

    Raises
    ------
    NotFound
        If there is none, or they may not see it: an answer of its own would tell that there is one.
    """
    job = Jobs(call.store).show(id)
    if not call.may(kind_of(job.kind).right):
        raise NotFound(f"there is no job {id!r}")
    return job


def _out(call: Call, job: Job) -> JobOut:
    """Return what is published of a job; some results are for the requester alone."""
    hidden = kind_of(job.kind).private and job.person != call.person
    return JobOut.from_record(job, result=None if hidden else job.result)


async def _events(service: Service, id: str) -> AsyncIterator[str]:
    told, end = None, time.monotonic() + _LONGEST_STREAM
    while time.monotonic() < end:
        # a thread is busy for the moment of the look alone, however many watch
        job = await run_in_threadpool(Jobs(service.store).show, id)
        now = json.dumps({"state": job.state, "phase": job.phase, "done": job.done, "total": job.total})
        if now != told:
            told = now
            yield f"data: {now}\n\n"
        if job.ended:
            return
        await asyncio.sleep(_LOOK)
