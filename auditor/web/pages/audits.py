"""The page of an audit: its findings, and, on request, where they are and what was measured."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from auditor.audits.open_findings import look_at_findings
from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.web.api.common import Looker, Served, Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import render
from auditor.web.pages.rules import rules_in_words
from auditor.web.security.identity import Identity

router = page_router()


@router.get("/audits/{id}")
def show(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Show an audit: which rules are broken, not where."""
    return _page(request, identity, Audits(service.store).show(id), detailed=False)


@router.post("/audits/{id}/details")
def details(request: Request, id: str, identity: Looker, service: Served) -> Response:
    """Show where the findings of an audit are."""
    store = service.store
    audit = look_at_findings(store, id, actor=identity.person)
    return _page(request, identity, audit, detailed=True)


def _page(request: Request, identity: Identity, audit: Audit, **given: Any) -> Response:
    return render(request, "audit.html", identity, audit=audit, rules=rules_in_words(), **given)
