"""All subjects with verdict, trend and next audit."""

from typing import Annotated

from fastapi import Query
from pydantic import AfterValidator, WithJsonSchema

from auditor.core.kinds import KINDS
from auditor.web.api.common import Part, Viewer, router_for
from auditor.web.api.models import Page
from auditor.web.overview import SubjectOut

router = router_for("overview")


def _known(name: str) -> str:
    if name not in KINDS:
        raise ValueError(f"must be one of {', '.join(KINDS)}")
    return name


KindName = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": [*KINDS]})]
KindNameOrAll = Annotated[str, AfterValidator(lambda name: name and _known(name))]
"""An empty one means all."""

Family = Annotated[KindName | None, Query(description="only subjects of this kind")]


@router.get("/overview")
def overview(call: Viewer, part: Part, family: Family = None) -> Page[SubjectOut]:
    """List all subjects, those with open violations first."""
    rows = [row for row in call.service.overview.rows() if family in (None, row.family)]
    return part.page(call, list(part.of(rows)))
