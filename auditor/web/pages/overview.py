"""The overview: all subjects, those with open violations first."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import Query
from markupsafe import Markup
from starlette.responses import Response

from auditor.audits.overview import Overview, OverviewFilter
from auditor.core.kinds import KINDS, kinds
from auditor.operating.watch import watch_work
from auditor.web.api.common import Viewer
from auditor.web.api.overview import KindNameOrAll
from auditor.web.overview import subject_rows
from auditor.web.pages.common import Skip, page_router
from auditor.web.pages.rendering import fragment, page
from auditor.web.pages.shown.listing import Listing
from auditor.web.security.identity import Call

router = page_router()

Family = Annotated[KindNameOrAll, Query()]
Verdict = Annotated[Literal["passed", "violated", "undecided", "none", ""], Query()]
Sort = Annotated[Literal["", "name", "-name", "verdict", "-verdict", "open", "-open", "at", "-at"], Query()]
Text = Annotated[str, Query(max_length=200)]

_SHOWN = 50


@router.get("/")
def overview(
    call: Viewer, family: Family = "", verdict: Verdict = "", text: Text = "", sort: Sort = "", skip: Skip = 0
) -> Response:
    """Show subjects with verdict, trend and next audit."""
    asked = OverviewFilter(family, verdict, text.strip(), sort=sort)
    # what is shown is the same for everybody, and is made anew only when it is another
    body = call.service.overview.drawn((asked, skip), lambda: _body(call, asked, skip))
    return page(call, "overview.html", body=Markup(body), work=watch_work(call.store))


def _body(call: Call, asked: OverviewFilter, skip: int) -> str:
    subjects = Overview(call.store)
    found = subjects.read_part(asked, limit=_SHOWN + 1, skip=skip)
    totals = subjects.totals(asked)
    filters = {name: value for name, value in asdict(asked).items() if name not in ("sort", "but")}
    listing = Listing("/", filters, asked.sort, skip, _SHOWN)
    return fragment(
        "overview_body.html",
        rows=subject_rows(call.store, found[:_SHOWN], call.now()),
        totals=totals,
        choices=[("", "all"), *((name, name) for name in KINDS)],
        listing=listing,
        first=[kind for kind in kinds() if kind.first is not None] if not totals["all"] else [],
        **listing.parts(len(found), totals["asked"]),
    )
