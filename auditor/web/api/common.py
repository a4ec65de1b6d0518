"""What the modules of the API share: calls with the right that each needs, and parts of lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query

from auditor.web.api.kept_route import IdempotentRoute
from auditor.web.api.models import Page
from auditor.web.problems import PROBLEMS
from auditor.web.security.identity import Call, Needs
from auditor.web.service import Service, service_of

Item = TypeVar("Item")

Served = Annotated[Service, Depends(service_of)]
Viewer = Annotated[Call, Depends(Needs("view"))]
Requester = Annotated[Call, Depends(Needs("request"))]
Looker = Annotated[Call, Depends(Needs("look"))]
Exporter = Annotated[Call, Depends(Needs("export"))]
Approver = Annotated[Call, Depends(Needs("approve"))]
Waiver = Annotated[Call, Depends(Needs("waive"))]
Scheduler = Annotated[Call, Depends(Needs("schedule"))]
DataKeeper = Annotated[Call, Depends(Needs("data"))]
LedgerReader = Annotated[Call, Depends(Needs("ledger"))]
TokenKeeper = Annotated[Call, Depends(Needs("tokens"))]

Limit = Annotated[int, Query(ge=1, le=200, description="at most so many")]
Skip = Annotated[int, Query(ge=0, le=10_000_000, description="pass over so many")]


@dataclass(frozen=True, slots=True)
class PartOfList:
    """Which part of a list is requested."""

    limit: Limit = 50
    skip: Skip = 0

    @property
    def read(self) -> dict[str, Any]:
        """What a repository is given to read the part, and one more item, which shows that there is a next part."""
        return {"limit": self.limit + 1, "skip": self.skip}

    def of(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the part of a whole list, and one more item."""
        return items[self.skip : self.skip + self.limit + 1]

    def page(self, call: Call, items: list[Item]) -> Page[Item]:
        """Return the part with the address of the next one: that of the call, but for where it begins."""
        if len(items) <= self.limit:
            return Page(items=items)
        return Page(items=items[: self.limit], next=asked_again(call, skip=self.skip + self.limit, limit=self.limit))


Part = Annotated[PartOfList, Depends()]


def asked_again(call: Call, **changes: int) -> str:
    """Return the address of a call with other parameters: all that was asked stays in it."""
    url = call.request.url.include_query_params(**changes)
    return f"{url.path}?{url.query}"


def router_for(what: str) -> APIRouter:
    """Return a router for one concept."""
    return APIRouter(tags=[what], route_class=IdempotentRoute, responses=PROBLEMS)
