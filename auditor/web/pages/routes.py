"""All pages."""

from fastapi import APIRouter

from auditor.core.kinds import kinds, parts
from auditor.web.pages import (
    approvals,
    findings,
    jobs,
    ledger,
    login,
    overview,
    policy,
    provider_login,
    schedules,
    searching,
    tokens,
)


def pages_router() -> APIRouter:
    """Return the pages of every kind of subject, and those that all share; those that take every name come last."""
    router = APIRouter()
    before = [found for kind in kinds() for found in parts(kind.pages)]
    after = [found for kind in kinds() for found in parts(kind.last_pages)]
    shared = (findings, schedules, ledger, tokens, policy, approvals, searching)
    for one in (
        login.router,
        provider_login.router,
        overview.router,
        jobs.router,
        *before,
        *(module.router for module in shared),
        *parts(("auditor.month_end.pages:router",)),
        schedules.last,
        *after,
    ):
        router.include_router(one)
    return router
