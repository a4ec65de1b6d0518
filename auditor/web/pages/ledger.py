"""The ledger: its entries, and whether nobody changed them."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query
from starlette.responses import Response

from auditor.ledger.kinds import entry_kinds
from auditor.web.api.common import LedgerReader
from auditor.web.pages.common import KNOWN, page_router, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50
_MOST_FAULTS = 50


@router.get("/ledger")
def entries(
    call: LedgerReader,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    about: Annotated[str, Query(max_length=300)] = "",
    kind: Annotated[str, Query(max_length=50)] = "",
) -> Response:
    """Show entries, newest first."""
    return _page(call, before, about.strip(), kind)


@router.post("/ledger/verify")
def verify(call: LedgerReader) -> Response:
    """Check every entry."""
    report = call.store.ledger.verify()
    return _page(call, report=report, faults=report.faults[:_MOST_FAULTS])


def _page(call: Call, before: int | None = None, about: str = "", kind: str = "", **given: Any) -> Response:
    shown: dict[str, Any] = {"found": [], "older": None, "report": None, "faults": [], **given}
    try:
        found = call.store.ledger.show(_SHOWN + 1, before, about or None, kinds=[kind] if kind else [])
        shown["found"] = found[:_SHOWN]
        if len(found) > _SHOWN:
            query = {"before": found[_SHOWN - 1].seq, "about": about, "kind": kind}
            shown["older"] = f"/ledger?{urlencode({name: value for name, value in query.items() if value})}"
    except KNOWN as error:
        shown |= told(error)
    return page(call, "ledger.html", about=about, kind=kind, kinds=entry_kinds(), before=before, **shown)
