"""All subjects with verdict, trend and next audit."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel

from auditor.web.api.common import Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page
from auditor.web.kind_name import KindName
from auditor.web.overview import OverviewRow

router = router_for("overview")

Family = Annotated[KindName | None, Query(description="only subjects of this kind")]


class SubjectOut(BaseModel):
    """A subject with what its newest audit said."""

    subject: str
    family: str
    name: str
    state: str | None
    of: str | None
    verdict: str | None
    audit: str | None
    at: datetime | None
    open: int
    waived: int
    trend: list[int]
    next_audit: datetime | None
    schedules: list[str]


@router.get("/overview")
def overview(
    request: Request,
    identity: Viewer,
    service: Served,
    family: Family = None,
    limit: Limit = 50,
    skip: Skip = 0,
) -> Page[SubjectOut]:
    """List all subjects, those with open violations first."""
    rows = [row for row in service.overview.rows() if family is None or row.subject.family == family]
    return page_of(request, [_out(row) for row in rows[skip : skip + limit + 1]], limit, skip)


def _out(row: OverviewRow) -> SubjectOut:
    one = row.subject
    return SubjectOut(
        subject=one.subject,
        family=one.family,
        name=one.name,
        state=one.state,
        of=one.of,
        verdict=one.verdict,
        audit=one.audit,
        at=one.at,
        open=one.open,
        waived=one.waived,
        trend=list(one.trend),
        next_audit=row.next_audit,
        schedules=list(row.schedules),
    )
