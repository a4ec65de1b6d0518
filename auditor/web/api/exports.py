"""Exports of networks: what was claimed and verified, and the files that were made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.responses import FileResponse

from auditor.errors import NotFound, Refused
from auditor.store.exports import Export
from auditor.web.api.common import Exporter, Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page
from auditor.web.service import Service

__all__ = ["export_out", "file_of", "router"]

router = router_for("exports")


@router.get("/exports")
def list_exports(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[dict[str, Any]]:
    """List exports, newest first."""
    found = service.store.exports.list(limit=limit + 1, skip=skip)
    return page_of(request, [export_out(export, service) for export in found], limit, skip)


@router.get("/exports/{id}")
def show_export(id: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return an export: its claim, when it was verified, its state."""
    return export_out(service.store.exports.show(id), service)


@router.get("/exports/{id}/file", response_class=FileResponse)
def download(id: str, identity: Exporter, service: Served) -> FileResponse:
    """Return the file of an export that was made here, if it is still the one that was verified."""
    path = file_of(service, service.store.exports.show(id))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


def export_out(export: Export, service: Service) -> dict[str, Any]:
    """Return what is told of an export: not where its file lies."""
    from auditor.answers.plain import plain

    hidden = ("path", "checksum", "key_kept")
    shown = {name: value for name, value in plain(export).items() if name not in hidden}
    return {**shown, "file": Path(export.path).name, "served": _is_served(service, export)}


def file_of(service: Service, export: Export) -> Path:
    """Return the file of an export.

    Raises
    ------
    NotFound
        If it was not made here, or is gone.
    Refused
        If it is not out, or not what was verified.
    """
    from auditor.exports.claim import file_digest

    if not _is_served(service, export):
        raise NotFound("the file of this export was not made by the service; it lies where the command wrote it")
    if export.state != "published":
        raise Refused(f"the export is {export.state}, and its file is not out")
    path = Path(export.path)
    try:
        same = file_digest(path) == export.checksum
    except OSError:
        raise NotFound("the file of this export is gone; make another one") from None
    if not same:
        raise Refused("the file is not the one that was verified; it was changed, and is not given out")
    return path


def _is_served(service: Service, export: Export) -> bool:
    folder = service.folder.resolve()
    return folder in Path(export.path).resolve().parents
