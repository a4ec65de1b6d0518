"""Exports of networks: what was claimed and verified, and the files that were made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.responses import FileResponse

from auditor.core.errors import NotFound, Refused
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.web.api.common import Exporter, Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page
from auditor.web.service import Service

router = router_for("exports")


@router.get("/exports")
def list_exports(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[dict[str, Any]]:
    """List exports, newest first."""
    found = Exports(service.store).list(limit=limit + 1, skip=skip)
    return page_of(request, [export_out(export, service) for export in found], limit, skip)


@router.get("/exports/{id}")
def show_export(id: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return an export: its claim, when it was verified, its state."""
    return export_out(Exports(service.store).show(id), service)


@router.get("/exports/{id}/file", response_class=FileResponse)
def download(id: str, identity: Exporter, service: Served) -> FileResponse:
    """Return the file of an export that was made here, if it is still the one that was verified."""
    path = file_of(service, Exports(service.store).show(id))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.get("/exports/{id}/files/{name}", response_class=FileResponse)
def download_one(id: str, name: str, identity: Exporter, service: Served) -> FileResponse:
    """Return one of the files of an export: vertices without an edge may be in a second one."""
    path = file_of(service, Exports(service.store).show(id), name)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


def export_out(export: Export, service: Service) -> dict[str, Any]:
    """Return what is told of an export: not where its file lies."""
    from auditor.core.plain import plain

    hidden = ("path", "checksum", "key_kept")
    shown = {name: value for name, value in plain(export).items() if name not in hidden}
    shown["claim"] = {name: value for name, value in shown["claim"].items() if name != "files"}
    names = {"file": Path(export.path).name, "files": list(export.files)}
    return {**shown, **names, "served": _is_served(service, export)}


def file_of(service: Service, export: Export, name: str | None = None) -> Path:
    """Return a file of an export: the network's own, or the one of that name.

    Raises
    ------
    NotFound
        If it was not made here, or is gone, or no file of the export has that name.
    Refused
        If it is not out, or not all of its files are what was verified.
    """
    from auditor.exports.file_digests import look_at_files

    if not _is_served(service, export):
        raise NotFound("the file of this export was not made by the service; it lies where the command wrote it")
    if export.state != "published":
        raise Refused(f"the export is {export.state}, and its file is not out")
    path = Path(export.path)
    # the files belong together: none is given out where one of them is not what was verified
    now = look_at_files(path, export.files)
    if now.missing:
        raise NotFound("the file of this export is gone; make another one")
    if now.changed:
        raise Refused("the file is not the one that was verified; it was changed, and is not given out")
    if name is not None and name not in export.files:
        raise NotFound("this export has no file of that name")
    return path if name is None else path.with_name(name)


def _is_served(service: Service, export: Export) -> bool:
    folder = service.folder.resolve()
    return folder in Path(export.path).resolve().parents
