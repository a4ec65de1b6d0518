"""All pages."""

from __future__ import annotations

from fastapi import APIRouter

from auditor.subjects.networks.pages import exports, network, networks
from auditor.subjects.tables.pages import marginal, marginal_bounds, table, tables
from auditor.web.pages import approvals, audits, findings, jobs, ledger, login, overview, policy, schedules, tokens

__all__ = ["pages_router"]

pages_router = APIRouter()
for _router in (
    login.router,
    overview.router,
    tables.router,
    marginal.router,
    marginal_bounds.router,
    jobs.router,
    table.router,
    networks.router,
    network.router,
    network.last,
    audits.router,
    findings.router,
    exports.router,
    schedules.router,
    schedules.last,
    ledger.router,
    tokens.router,
    policy.router,
    approvals.router,
    table.last,
):
    pages_router.include_router(_router)
