"""The overview: all subjects, those with open violations first."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Query
from markupsafe import Markup
from starlette.responses import Response

from auditor.core.kinds import KINDS
from auditor.operating.watch import watch_work
from auditor.web.api.common import Viewer
from auditor.web.api.overview import KindNameOrAll
from auditor.web.overview import SubjectOut
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import fragment, page

router = page_router()

Family = Annotated[KindNameOrAll, Query()]
Verdict = Annotated[Literal["passed", "violated", "undecided", "none", ""], Query()]


@router.get("/")
def overview(call: Viewer, family: Family = "", verdict: Verdict = "") -> Response:
    """Show all subjects with verdict, trend and next audit."""
    # what is shown is the same for everybody, and is made anew only when it is another
    body = call.service.overview.drawn((family, verdict), lambda rows: _body(rows, family, verdict))
    return page(call, "overview.html", body=Markup(body), work=watch_work(call.store))


def _body(rows: Sequence[SubjectOut], family: str, verdict: str) -> str:
    verdicts = Counter(row.verdict or "none" for row in rows)
    totals = {name: verdicts[name] for name in ("passed", "violated", "undecided", "none")}
    totals |= {"all": len(rows), "open": sum(row.open for row in rows)}
    shown = [
        row
        for row in rows
        if (not family or row.family == family) and (not verdict or (row.verdict or "none") == verdict)
    ]
    return fragment(
        "overview_body.html", rows=shown, totals=totals, families=list(KINDS), family=family, verdict=verdict
    )
