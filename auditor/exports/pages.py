"""Exports: what each claims, whether it was verified, and its file."""

from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.responses import Response

from auditor.audits.repository import Audits
from auditor.core.subject import kind_of_subject
from auditor.exports.api import download, download_one, export_out
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.exports.searching import ExportFilter, ExportSearch
from auditor.web.api.common import Viewer
from auditor.web.pages.common import Skip, page_router
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.listing import Listing
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50
_STATES = ("published", "recorded", "pending", "rejected", "withdrawn", "overtaken", "returned")

Text = Annotated[str, Query(max_length=200)]
State = Annotated[str, Query(max_length=50)]
Sort = Annotated[
    Literal["", "at", "-at", "name", "-name", "subject", "-subject", "state", "-state", "verified", "-verified"],
    Query(),
]
_MOST_AUDITS = 10


@router.get("/exports")
def exports(call: Viewer, text: Text = "", state: State = "", sort: Sort = "", skip: Skip = 0) -> Response:
    """Show exports, newest first."""
    asked, search = ExportFilter(text.strip(), state, sort or "-at"), ExportSearch(call.store)
    found = search.find(asked, limit=_SHOWN + 1, skip=skip)
    listing = Listing("/exports", {"text": asked.text, "state": state}, sort, skip, _SHOWN)
    return page(
        call,
        "exports/exports.html",
        exports=[(export, export_out(call, export)) for export in found[:_SHOWN]],
        listing=listing,
        states=_STATES,
        **listing.parts(len(found), search.count(asked)),
    )


@router.get("/exports/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an export."""
    return export_page(call, Exports(call.store).show(id))


# the files that the API gives, for the links of the page
router.get("/exports/{id}/file")(download)
router.get("/exports/{id}/files/{name}")(download_one)


def export_page(call: Call, export: Export, **given: Any) -> Response:
    """Return the page of an export; `given` is for what its kind of subject adds."""
    shown = {
        "export": export,
        # what it claims is said by the kind of its subject, in templates of its own
        "kind": kind_of_subject(export.subject).plural,
        "told": export_out(call, export),
        "audits": Audits(call.store).list(f"export:{export.id}", limit=_MOST_AUDITS),
        "stale": call.policy.exports.reverify_after_days,
        "figures": None,
    }
    return page(call, "exports/export.html", **{**shown, **given})
