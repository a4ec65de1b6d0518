"""Jobs: their progress, their results, and the buttons that end or resume them."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

from fastapi import Form, Query
from starlette.responses import Response

from auditor.web.api.common import Scheduler, Viewer
from auditor.web.api.jobs import begin_job, cancel_job, resume_job, visible_job
from auditor.web.jobs.kinds import AuditIn, job_kinds, kind_of
from auditor.web.jobs.repository import Job, Jobs, JobState
from auditor.web.pages.common import KNOWN, Skip, page_router, see_other, told
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.listing import Listing
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50

Text = Annotated[str, Query(max_length=200)]
State = Annotated[JobState | Literal[""], Query()]
Kind = Annotated[str, Query(max_length=50)]


@router.get("/jobs")
def jobs(call: Viewer, text: Text = "", state: State = "", kind: Kind = "", skip: Skip = 0) -> Response:
    """Show the jobs of the kinds that one may request, newest first."""
    kinds = [name for name in job_kinds() if call.may(kind_of(name).right)]
    wanted = [name for name in kinds if kind in ("", name)]
    found = Jobs(call.store).list(limit=_SHOWN + 1, skip=skip, kinds=wanted, state=state, text=text.strip())
    listing = Listing("/jobs", {"text": text.strip(), "state": state, "kind": kind}, "", skip, _SHOWN)
    return page(
        call,
        "jobs.html",
        jobs=found[:_SHOWN],
        # what is at work changes by itself: the list follows it
        live=any(not job.ended for job in found[:_SHOWN]),
        kinds=kinds,
        states=get_args(JobState),
        listing=listing,
        **listing.parts(len(found)),
    )


@router.get("/jobs/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show a job."""
    return _page(call, id)


@router.post("/jobs/{id}/cancel")
def cancel(call: Viewer, id: str) -> Response:
    """End a job."""
    return _changed(cancel_job, call, id)


@router.post("/jobs/{id}/resume")
def resume(call: Viewer, id: str) -> Response:
    """Do a job again from its beginning."""
    return _changed(resume_job, call, id)


@router.post("/audits")
def audit(call: Scheduler, subject: Annotated[list[str], Form(min_length=1, max_length=1000)]) -> Response:
    """Audit subjects."""
    return see_other(f"/jobs/{begin_job(call, AuditIn(kind='audit', subjects=subject)).id}")


def _changed(change: Callable[[Call, str], Job], call: Call, id: str) -> Response:
    try:
        change(call, id)
    except KNOWN as error:
        return _page(call, id, **told(error))
    return see_other(f"/jobs/{id}")


def _page(call: Call, id: str, **given: Any) -> Response:
    job = visible_job(call, id)
    return page(call, "job.html", job=job, mine=job.person == call.person, **given)
