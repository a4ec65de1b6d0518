"""What the modules of the API share: who asks, the store, parts of lists."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request

from auditor.web.api.kept_route import IdempotentRoute
from auditor.web.api.models import Page
from auditor.web.problems import PROBLEMS
from auditor.web.security.identity import Identity, Needs
from auditor.web.service import Service, service_of

Item = TypeVar("Item")

Served = Annotated[Service, Depends(service_of)]
Viewer = Annotated[Identity, Depends(Needs("view"))]
Requester = Annotated[Identity, Depends(Needs("request"))]
Looker = Annotated[Identity, Depends(Needs("look"))]
Exporter = Annotated[Identity, Depends(Needs("export"))]
Approver = Annotated[Identity, Depends(Needs("approve"))]
Waiver = Annotated[Identity, Depends(Needs("waive"))]
Scheduler = Annotated[Identity, Depends(Needs("schedule"))]
DataKeeper = Annotated[Identity, Depends(Needs("data"))]
LedgerReader = Annotated[Identity, Depends(Needs("ledger"))]
TokenKeeper = Annotated[Identity, Depends(Needs("tokens"))]

Limit = Annotated[int, Query(ge=1, le=200, description="at most so many")]
Skip = Annotated[int, Query(ge=0, le=10_000_000, description="pass over so many")]


def router_for(what: str) -> APIRouter:
    """Return a router for one concept."""
    responses: dict[int | str, dict[str, Any]] = dict(PROBLEMS)
    return APIRouter(tags=[what], route_class=IdempotentRoute, responses=responses)


def page_of(request: Request, items: list[Item], limit: int, skip: int) -> Page[Item]:
    """Return a part of a list, from items of which one more than `limit` was read.

    Parameters
    ----------
    request : Request
        Its address is that of the next part, but for where it begins.
    items : list
        Up to ``limit + 1``.
    limit, skip : int
    """
    if len(items) <= limit:
        return Page(items=items)
    url = request.url.include_query_params(skip=skip + limit, limit=limit)
    return Page(items=items[:limit], next=f"{url.path}?{url.query}")
