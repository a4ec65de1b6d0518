"""Exports of networks: what each claims, whether it was verified, and its file."""

from typing import Any

from starlette.responses import Response

from auditor.audits.repository import Audits
from auditor.core.errors import BadInput, Refused
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.subjects.networks.api.exports import download, download_one, export_out
from auditor.subjects.networks.report.assembling import report_of_stored
from auditor.subjects.networks.report.public_edition import public_page
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import Exporter, Viewer
from auditor.web.pages.common import KNOWN, Skip, page_router, parts_around, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50
_MOST_AUDITS = 10
_MOST_EDGES = 200_000


@router.get("/exports")
def exports(call: Viewer, skip: Skip = 0) -> Response:
    """Show exports, newest first."""
    found = Exports(call.store).list(limit=_SHOWN + 1, skip=skip)
    shown = [(export, export_out(call, export)) for export in found[:_SHOWN]]
    parts = parts_around("/exports", skip, _SHOWN, len(found) > _SHOWN)
    return page(call, "networks/exports.html", exports=shown, **parts)


@router.get("/exports/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an export."""
    return _page(call, Exports(call.store).show(id))


@router.post("/exports/{id}/figures")
def figures(call: Exporter, id: str) -> Response:
    """Read the file again, verify it, and show what is in it: nothing that cannot be counted in the file."""
    export = Exports(call.store).show(id)
    try:
        found = _figures(call, export)
    except KNOWN as error:
        return _page(call, export, **told(error))
    return _page(call, export, figures=found)


# the files that the API gives, for the links of the page
router.get("/exports/{id}/file")(download)
router.get("/exports/{id}/files/{name}")(download_one)


def _figures(call: Call, export: Export) -> dict[str, Any]:
    name = export.subject.partition(":")[2]
    if Networks(call.store).show(name).edges > _MOST_EDGES:
        raise BadInput(f"the network has more than {_MOST_EDGES} edges; 'auditor report' shows what is in its release")
    report = report_of_stored(call.store, name, "public", export_id=export.id)
    release = report.release
    if release is None or release.risk is None:
        raise Refused("the released file does not hold its claim; its audit tells what is wrong")
    return public_page(release, release.risk, report.version)


def _page(call: Call, export: Export, **given: Any) -> Response:
    shown = {
        "export": export,
        "told": export_out(call, export),
        "audits": Audits(call.store).list(f"export:{export.id}", limit=_MOST_AUDITS),
        "stale": call.policy.exports.reverify_after_days,
        "figures": None,
    }
    return page(call, "networks/export.html", **{**shown, **given})
