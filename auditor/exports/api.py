"""Exports: what was claimed and verified, and the files that were made here."""

from pathlib import Path
from typing import Any

from starlette.responses import FileResponse

from auditor.core.errors import NotFound, Refused
from auditor.core.plain import plain
from auditor.exports.file_digests import look_at_files
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.web.api.common import Exporter, Part, Viewer, router_for
from auditor.web.api.models import Page
from auditor.web.security.identity import Call

router = router_for("exports")


@router.get("/exports")
def list_exports(call: Viewer, part: Part) -> Page[dict[str, Any]]:
    """List exports, newest first."""
    return part.page(call, [export_out(call, export) for export in Exports(call.store).list(**part.read)])


@router.get("/exports/{id}")
def show_export(call: Viewer, id: str) -> dict[str, Any]:
    """Return an export: its claim, its state, and when it was verified."""
    return export_out(call, Exports(call.store).show(id))


@router.get("/exports/{id}/file", response_class=FileResponse)
def download(call: Exporter, id: str) -> FileResponse:
    """Return the file of an export that the service made, if it is unchanged since its verification."""
    return file_of_export(call, id)


@router.get("/exports/{id}/files/{name}", response_class=FileResponse)
def download_one(call: Exporter, id: str, name: str) -> FileResponse:
    """Return one of the files of an export; a second one may contain the vertices without an edge."""
    return file_of_export(call, id, name)


def export_out(call: Call, export: Export) -> dict[str, Any]:
    """Return what is published of an export: not where its file lies."""
    hidden = ("path", "checksum", "key_kept")
    shown = {name: value for name, value in plain(export).items() if name not in hidden}
    shown["claim"] = {name: value for name, value in shown["claim"].items() if name != "files"}
    names = {"file": Path(export.path).name, "files": list(export.files)}
    return {**shown, **names, "served": _is_served(call, export)}


def file_of_export(call: Call, id: str, name: str | None = None) -> FileResponse:
    """Return a file of an export: the main one, or the one of that name.

    Raises
    ------
    NotFound
        If it was not made here, or is gone, or no file of the export has that name.
    Refused
        If it is not out, or not all of its files are what was verified.
    """
    export = Exports(call.store).show(id)
    if not _is_served(call, export):
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
    name = path.name if name is None else name
    return FileResponse(path.with_name(name), filename=name, media_type="application/octet-stream")


def _is_served(call: Call, export: Export) -> bool:
    return call.service.folder.resolve() in Path(export.path).resolve().parents
