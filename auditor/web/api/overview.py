"""All subjects with verdict, trend and next audit."""

from datetime import datetime
from typing import Annotated

from fastapi import Query

from auditor.core.representation import Representation
from auditor.web.api.common import Part, Viewer, router_for
from auditor.web.api.models import Page
from auditor.web.kind_name import KindName
from auditor.web.overview import OverviewRow

router = router_for("overview")

Family = Annotated[KindName | None, Query(description="only subjects of this kind")]


class SubjectOut(Representation):
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
def overview(call: Viewer, part: Part, family: Family = None) -> Page[SubjectOut]:
    """List all subjects, those with open violations first."""
    rows = [row for row in call.service.overview.rows() if family is None or row.subject.family == family]
    return part.page(call, [_out(row) for row in part.of(rows)])


def _out(row: OverviewRow) -> SubjectOut:
    return SubjectOut.from_record(row.subject, next_audit=row.next_audit, schedules=row.schedules)
