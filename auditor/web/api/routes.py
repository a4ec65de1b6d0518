"""All routes of the API."""

from fastapi import APIRouter

from auditor.core.kinds import kinds, parts
from auditor.web.api import approvals, audits, jobs, ledger, me, overview, schedules, tokens


def api_router() -> APIRouter:
    """Return the routes of every kind of subject, and those that all share."""
    router = APIRouter(prefix="/api/v1")
    of_kinds = [found for kind in kinds() for found in parts(kind.api)]
    shared = (audits, schedules, approvals, jobs, ledger, tokens)
    # it rests on what the service gives, so it is named and not imported
    month_end = parts(("auditor.month_end.api:router",))
    for one in (me.router, overview.router, *of_kinds, *month_end, *(module.router for module in shared)):
        router.include_router(one)
    return router
