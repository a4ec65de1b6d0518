"""All routes of the API."""

from __future__ import annotations

from fastapi import APIRouter

from auditor.subjects.networks.api import exports, networks
from auditor.subjects.tables.api import requests, table_maps, tables
from auditor.web.api import approvals, audits, jobs, ledger, me, overview, schedules, tokens

__all__ = ["api_router"]

api_router = APIRouter(prefix="/api/v1")
for _router in (
    me.router,
    overview.router,
    networks.router,
    tables.router,
    table_maps.router,
    requests.router,
    tables.last,
    audits.router,
    schedules.router,
    exports.router,
    approvals.router,
    jobs.router,
    ledger.router,
    tokens.router,
):
    api_router.include_router(_router)
