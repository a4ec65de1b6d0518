"""Exports of networks: what each claims, whether it was verified, and its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query, Request
from starlette.responses import FileResponse, Response

from auditor.audits.repository import Audits
from auditor.core.errors import BadInput, Refused
from auditor.exports.repository import Exports
from auditor.subjects.networks.api.exports import export_out, file_of
from auditor.subjects.networks.report.assembling import report_of_stored
from auditor.subjects.networks.report.public_edition import public_page
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import Exporter, Served, Viewer
from auditor.web.pages.common import KNOWN, page_router, parts_around, told
from auditor.web.pages.rendering import render

if TYPE_CHECKING:
    from auditor.exports.record import Export
    from auditor.web.security.identity import Identity
    from auditor.web.service import Service

router = page_router()

_SHOWN = 50
_MOST_AUDITS = 10
_MOST_EDGES = 200_000


@router.get("/exports")
def exports(
    request: Request, identity: Viewer, service: Served, skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0
) -> Response:
    """Show exports, newest first."""
    found = Exports(service.store).list(limit=_SHOWN + 1, skip=skip)
    return render(
        request,
        "networks/exports.html",
        identity,
        exports=[(export, export_out(export, service)) for export in found[:_SHOWN]],
        **parts_around("/exports", skip, _SHOWN, len(found) > _SHOWN),
    )


@router.get("/exports/{id}")
def show(request: Request, id: str, identity: Viewer, service: Served) -> Response:
    """Show an export."""
    return _page(request, identity, service, Exports(service.store).show(id))


@router.post("/exports/{id}/figures")
def figures(request: Request, id: str, identity: Exporter, service: Served) -> Response:
    """Read the file again, verify it, and show what is in it: nothing that whoever has the file could not count."""
    export = Exports(service.store).show(id)
    try:
        found = _figures(service, export)
    except KNOWN as error:
        return _page(request, identity, service, export, **told(error))
    return _page(request, identity, service, export, figures=found)


@router.get("/exports/{id}/file")
def download(id: str, identity: Exporter, service: Served) -> FileResponse:
    """Return the file of an export."""
    path = file_of(service, Exports(service.store).show(id))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.get("/exports/{id}/files/{name}")
def download_one(id: str, name: str, identity: Exporter, service: Served) -> FileResponse:
    """Return one of the files of an export."""
    path = file_of(service, Exports(service.store).show(id), name)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


def _figures(service: Service, export: Export) -> dict[str, Any]:
    name = export.subject.partition(":")[2]
    if Networks(service.store).show(name).edges > _MOST_EDGES:
        raise BadInput(f"the network has more than {_MOST_EDGES} edges; 'auditor report' shows what is in its release")
    report = report_of_stored(service.store, name, "public", export_id=export.id)
    release = report.release
    if release is None or release.risk is None:
        raise Refused("the released file does not hold its claim; its audit tells what is wrong")
    return public_page(release, release.risk, report.version)


def _page(request: Request, identity: Identity, service: Service, export: Export, **given: Any) -> Response:
    shown = {
        "export": export,
        "told": export_out(export, service),
        "audits": Audits(service.store).list(f"export:{export.id}", limit=_MOST_AUDITS),
        "stale": service.policy.exports.reverify_after_days,
        "figures": None,
    }
    return render(request, "networks/export.html", identity, **{**shown, **given})
