"""Pages about gardens."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from auditor.web.api.common import Served, Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import render
from tests.support.toy_subject.repository import Gardens

__all__ = ["router"]

router = page_router()


@router.get("/gardens")
def gardens(request: Request, identity: Viewer, service: Served) -> Response:
    """Show the gardens."""
    return render(request, "gardens/gardens.html", identity, gardens=Gardens(service.store).list())


@router.get("/gardens/{name:path}")
def garden(request: Request, name: str, identity: Viewer, service: Served) -> Response:
    """Show a garden."""
    return render(request, "gardens/gardens.html", identity, gardens=[Gardens(service.store).show(name)])
