"""The report on a period as a page that is complete in itself."""

from auditor.core.clock import parse_time
from auditor.month_end.document import Document, is_complete
from auditor.month_end.period import parse_period
from auditor.month_end.shown import sections_of, tiles_of
from auditor.month_end.signing import SLOT
from auditor.reports.pages import report_environment
from auditor.web.pages.shown.breaking import breakable

_PACKAGE = "auditor.month_end"


def render_report(document: Document) -> str:
    """Return the page of a report, with :data:`~auditor.month_end.signing.SLOT` where its signed line goes.

    Notes
    -----
    The page is static: no script runs, nothing is loaded. It has a print style for A4.
    """
    period = document["period"]
    template = report_environment(_PACKAGE).get_template("report.html")
    return template.render(
        edition="internal month-end",
        version=document["made"]["version"],
        document=document,
        ledger=document["ledger"],
        title=parse_period(period["name"]).title,
        since=parse_time(period["since"]),
        as_of=parse_time(period["as_of"]),
        made_at=parse_time(document["made"]["at"]),
        complete=is_complete(document),
        sections=sections_of(document),
        tiles=tiles_of(document),
        name=breakable,
        slot=SLOT,
    )
