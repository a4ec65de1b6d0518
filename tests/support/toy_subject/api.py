"""Gardens in the API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import BaseModel

from auditor.web.api.common import DataKeeper, Part, Viewer, router_for
from auditor.web.api.models import Page
from tests.support.toy_subject.repository import Gardens

__all__ = ["router"]

router = router_for("gardens")


class GardenIn(BaseModel):
    """A garden to store."""

    name: str
    beds: int


@router.get("/gardens")
def list_gardens(call: Viewer, part: Part) -> Page[dict[str, Any]]:
    """List the gardens by name."""
    return part.page(call, [asdict(one) for one in part.of(Gardens(call.store).list())])


@router.post("/gardens", status_code=201)
def add_garden(call: DataKeeper, given: GardenIn) -> dict[str, Any]:
    """Store a garden."""
    return asdict(Gardens(call.store).add(given.name, given.beds, actor=call.person))
