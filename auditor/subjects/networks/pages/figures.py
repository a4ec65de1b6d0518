"""What is in the file of an exported network: read again, verified, counted."""

from typing import Any

from starlette.responses import Response

from auditor.core.errors import BadInput, Refused
from auditor.core.subject import parse_subject
from auditor.exports.pages import export_page
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.subjects.networks.charts.before_and_after import NetworkPicture
from auditor.subjects.networks.report.assembling import report_of_stored
from auditor.subjects.networks.report.picture import picture_of_export
from auditor.subjects.networks.report.public_edition import public_page
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import Exporter, Looker
from auditor.web.pages.common import KNOWN, page_router, told
from auditor.web.security.identity import Call

router = page_router()

_MOST_EDGES = 200_000


@router.post("/exports/{id}/figures")
def figures(call: Exporter, id: str) -> Response:
    """Read the file again, verify it, and show what is in it: nothing that cannot be counted in the file."""
    export = Exports(call.store).show(id)
    try:
        found = _figures(call, export)
    except KNOWN as error:
        return export_page(call, export, **told(error))
    return export_page(call, export, figures=found)


@router.post("/exports/{id}/picture")
def picture(call: Looker, id: str) -> Response:
    """Show a sample of the network before and after, which the ledger records as a disclosure view."""
    export = Exports(call.store).show(id)
    try:
        found = _picture(call, export)
    except KNOWN as error:
        return export_page(call, export, **told(error))
    return export_page(call, export, picture=found)


def _picture(call: Call, export: Export) -> NetworkPicture:
    _check_readable(call, export)
    return picture_of_export(call.store, export, actor=call.person)


def _check_readable(call: Call, export: Export) -> str:
    """Return the name of the network of an export that is small enough to be read here."""
    kind, name = parse_subject(export.subject)
    if kind != "network":
        raise BadInput("only the files of networks are read here")
    if Networks(call.store).show(name).edges > _MOST_EDGES:
        raise BadInput(f"the network has more than {_MOST_EDGES} edges; 'auditor report' shows what is in its release")
    return name


def _figures(call: Call, export: Export) -> dict[str, Any]:
    name = _check_readable(call, export)
    report = report_of_stored(call.store, name, "public", export_id=export.id)
    release = report.release
    if release is None or release.risk is None:
        raise Refused("the released file does not hold its claim; its audit tells what is wrong")
    return public_page(release, release.risk, report.version)
