"""Gardens in the API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import Request
from pydantic import BaseModel

from auditor.web.api.common import DataKeeper, Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page
from tests.support.toy_subject.repository import Gardens

__all__ = ["router"]

router = router_for("gardens")


class GardenIn(BaseModel):
    """A garden to store."""

    name: str
    beds: int


@router.get("/gardens")
def list_gardens(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[dict[str, Any]]:
    """List the gardens by name."""
    found = Gardens(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [asdict(one) for one in found], limit, skip)


@router.post("/gardens", status_code=201)
def add_garden(identity: DataKeeper, service: Served, given: GardenIn) -> dict[str, Any]:
    """Store a garden."""
    return asdict(Gardens(service.store).add(given.name, given.beds, actor=identity.person))
