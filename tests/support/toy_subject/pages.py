"""Pages about gardens."""

from __future__ import annotations

from starlette.responses import Response

from auditor.web.api.common import Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import page
from tests.support.toy_subject.repository import Gardens

__all__ = ["router"]

router = page_router()


@router.get("/gardens")
def gardens(call: Viewer) -> Response:
    """Show the gardens."""
    return page(call, "gardens/gardens.html", gardens=Gardens(call.store).list())


@router.get("/gardens/{name:path}")
def garden(call: Viewer, name: str) -> Response:
    """Show a garden."""
    return page(call, "gardens/gardens.html", gardens=[Gardens(call.store).show(name)])
