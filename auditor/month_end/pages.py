"""The page of the report on a period: a summary, the first rows of each section, and all rows for printing."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from starlette.responses import Response

from auditor.core.errors import BadInput
from auditor.month_end.api import period_of
from auditor.month_end.document import is_complete, report_on, section_on
from auditor.month_end.period import month_of
from auditor.month_end.rows import SECTIONS
from auditor.month_end.shown import section_of, sections_of, tiles_of
from auditor.web.api.common import LedgerReader
from auditor.web.pages.common import Skip, page_router, told
from auditor.web.pages.rendering import page

router = page_router()

_FIRST = 10
"""Rows of a section on the page of all sections."""
_PART = 100
"""Rows on the page of one section."""


@router.get("/month")
def month(
    call: LedgerReader,
    period: Annotated[str, Query(max_length=100)] = "",
    section: Annotated[str, Query(max_length=50)] = "",
    rows: Annotated[str, Query(max_length=10)] = "",
    skip: Skip = 0,
) -> Response:
    """Show the report on a period; one section of it, or every row."""
    try:
        wanted, problem = period_of(call, period), {}
    except BadInput as error:
        wanted, problem = month_of(call.now()), told(error)
    if section in SECTIONS:
        document = section_on(call.store, wanted, section)
        shown = [section_of(document, section, _PART, skip)]
    else:
        document = report_on(call.store, wanted, patient=False)
        section, shown = "", sections_of(document, None if rows == "all" else _FIRST)
    return page(
        call,
        "month.html",
        document=document,
        ledger=document["ledger"],
        period=wanted,
        entered=period if problem else wanted.name,
        complete=is_complete(document),
        tiles=[] if section else tiles_of(document),
        sections=shown,
        only=section,
        everything=rows == "all",
        address=_address,
        newer=_address(wanted.name, section=section, skip=max(skip - _PART, 0)) if section and skip else None,
        older=_older(wanted.name, section, skip, shown[0].total),
        **problem,
    )


def _older(period: str, section: str, skip: int, total: int) -> str | None:
    more = section and skip + _PART < total
    return _address(period, section=section, skip=skip + _PART) if more else None


def _address(period: str, **query: object) -> str:
    return f"/month?{urlencode({'period': period, **{name: value for name, value in query.items() if value}})}"
