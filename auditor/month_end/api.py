"""The report on a period in the API: its figures, and its sections in parts."""

from typing import Annotated, Any

from fastapi import Query

from auditor.core.errors import NotFound
from auditor.month_end.document import report_on, section_on
from auditor.month_end.period import Period, month_of, parse_period
from auditor.month_end.rows import SECTIONS
from auditor.web.api.common import LedgerReader, Part, router_for
from auditor.web.api.models import Page
from auditor.web.security.identity import Call

router = router_for("month-end")

Wanted = Annotated[
    str | None,
    Query(max_length=30, description="2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15; by default this month"),
]


@router.get("/month-end")
def report(call: LedgerReader, period: Wanted = None) -> dict[str, Any]:
    """Return the figures of the report on a period, and which entries of the ledger it follows from."""
    document = report_on(call.store, period_of(call, period), patient=False)
    return {name: value for name, value in document.items() if name not in SECTIONS}


@router.get("/month-end/{section}")
def section(call: LedgerReader, part: Part, section: str, period: Wanted = None) -> Page[dict[str, Any]]:
    """List the rows of a section of the report on a period."""
    if section not in SECTIONS:
        raise NotFound(f"a report has no section {section!r}; it has {', '.join(SECTIONS)}")
    return part.page(call, [*part.of(section_on(call.store, period_of(call, period), section)[section])])


def period_of(call: Call, period: str | None) -> Period:
    """Return the period that is asked for; this month by default."""
    return parse_period(period.strip()) if period and period.strip() else month_of(call.now())
