"""Requests for marginals, and the bounds that the officer looks at."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fastapi import Response

from auditor.access.person import is_one_of
from auditor.core.origin import Origin
from auditor.subjects.tables.stored.releases import Releases
from auditor.web.api.common import Looker, Requester, Served, Viewer, router_for
from auditor.web.api.models import MarginalIn, RequestIn, RequestOut
from auditor.web.security.identity import Forbidden, Identity
from auditor.web.service import Service

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.recording import RequestAnswer
    from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
    from graphkit.tables.hierarchies.recoding import RecodedMarginal
    from graphkit.tables.structure.contingency import ContingencyTable

router = router_for("requests")

_MOST_CELLS = 10_000


@router.get("/tables/{name:path}/requests")
def answers(name: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return all answers about a table, the first one first; requesters see their own alone."""
    from auditor.core.plain import plain

    rows = plain(visible_answers(service, identity, name))
    return {"table": name, "requests": rows}


@router.post("/tables/{name:path}/requests")
def request_marginal(name: str, asked: RequestIn, identity: Requester, service: Served) -> RequestOut:
    """Ask for a marginal: the answer holds together with all that is out, and is recorded.

    Counts that may go out are to be had from the address for released counts.
    """
    from auditor.core.plain import plain
    from auditor.subjects.tables.representations.requests import explained_cells, reasons_of, request_data

    answer = ask_as(
        identity, service, name, asked.variables, asked.merged, by=asked.by or identity.person, explain=asked.explain
    )
    cells = explained_cells(answer, service.policy) if asked.explain else None
    data = plain(request_data(name, answer, None, cells, []))
    data.pop("file")
    return RequestOut(**data, reasons=reasons_of(answer, service.policy.table.refusals == "sampled"))


def ask_as(
    identity: Identity,
    service: Service,
    name: str,
    variables: Sequence[str],
    merged: Mapping[str, Iterable[Iterable[str]]],
    *,
    by: str,
    explain: bool,
) -> RequestAnswer:
    """Ask for a marginal in somebody's name, and return the answer as they may see it.

    Raises
    ------
    Forbidden
        If they ask for somebody else, or for the cells behind a refusal, without the right 'look'.
    NotFound, InvalidInput, StoreConflict
        As :func:`auditor.subjects.tables.releases.request.answer_request`.
    """
    from auditor.subjects.tables.releases.request import MarginalRequest, answer_request

    if explain and not identity.may("look"):
        raise Forbidden("the cells behind a refusal are for those with the right 'look'")
    if by != identity.person and not identity.may("look"):
        raise Forbidden("you ask as yourself; leave out 'by'")
    request = MarginalRequest(
        table=name,
        names=variables,
        merged=merged,
        policy=service.policy,
        by=by,
        actor=identity.person,
        explain=explain,
        origin=Origin(identity.token),
    )
    answer = answer_request(service.store, request, clock=time.monotonic)
    return replace(answer, recorded=_without_proposal(service, identity, answer.recorded))


@router.post("/tables/{name:path}/released-counts", response_class=Response)
def released_counts(name: str, asked: MarginalIn, identity: Requester, service: Served) -> Response:
    """Return the counts of a marginal that is out, as CSV; simulated ones say so in the name of their column."""
    from auditor.subjects.tables.api.released import released_text

    return Response(
        released_text(service.store, name, asked.variables, asked.merged),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="marginal.csv"'},
    )


@router.post("/tables/{name:path}/bounds")
def bounds(name: str, asked: MarginalIn, identity: Looker, service: Served) -> dict[str, Any]:
    """Return what follows for each cell from all that is out and one more marginal; the look is in the ledger."""
    return look_at_table(service, name, asked.variables, asked.merged, actor=identity.person)


def visible_answers(service: Service, identity: Identity, name: str) -> list[RecordedAnswer]:
    """Return the answers about a table that somebody may see, the first one first; proposals for who may see them."""
    found = Releases(service.store).of_table(name)
    if not identity.may("look") and not identity.may("ledger"):
        found = [answer for answer in found if is_one_of(identity.person, answer.actor, answer.by)]
    return [_without_proposal(service, identity, answer) for answer in found]


def _without_proposal(service: Service, identity: Identity, answer: RecordedAnswer) -> RecordedAnswer:
    """Return an answer, with what is proposed only for whom the policy names."""
    return answer if identity.role in service.policy.roles.see_proposals else replace(answer, proposal=None)


def look_at_table(
    service: Service, name: str, variables: Sequence[str], merged: Mapping[str, Iterable[Iterable[str]]], *, actor: str
) -> dict[str, Any]:
    """Return the bounds of all cells, given what is out and a marginal; recorded before."""
    from auditor.core.plain import plain
    from auditor.subjects.tables.releases.bounds import BoundsRequest, bound_cells
    from auditor.subjects.tables.representations.bounds import bounds_data

    look = look_at_marginal(service, name, variables, merged, actor=actor)
    limit = service.policy.table.time_limit
    found = bound_cells(look.table, BoundsRequest(look.given, time_limit=limit), clock=time.monotonic)
    data: dict[str, Any] = plain(bounds_data(name, found, counted=False, picture=None))
    for cell in data["cells"]:
        if cell["lower"] == cell["upper"]:
            # the count itself is nobody's to see
            cell.update(lower=None, upper=None, exactly_determined=True)
    return data


@dataclass(frozen=True, slots=True, eq=False)
class LookAtMarginal:
    """What somebody is about to see bounds of, which the ledger has by now. Protected."""

    table: ContingencyTable
    out: list[RecodedMarginal]
    """What is out."""
    given: list[RecodedMarginal]
    """That, and the marginal."""


def look_at_marginal(
    service: Service, name: str, variables: Sequence[str], merged: Mapping[str, Iterable[Iterable[str]]], *, actor: str
) -> LookAtMarginal:
    """Record that somebody will see what a marginal tells of the cells, and return what that follows from.

    Raises
    ------
    BadInput
        If the table has too many cells to show them all.
    """
    from auditor.core.errors import BadInput
    from auditor.subjects.tables.releases.bounds import BoundsRequest, record_view
    from auditor.subjects.tables.releases.history import surely_out

    state = Releases(service.store).state(name, variables, merged=merged)
    size = state.table.size
    if size > _MOST_CELLS:
        raise BadInput(f"the table has more than {_MOST_CELLS} cells; 'auditor table bounds' shows chosen ones")
    known = surely_out(state)
    out, given = (sorted(some, key=lambda one: one.rank) for some in (known, {*known, state.marginal}))
    record_view(service.store, state, BoundsRequest(given), actor=actor)
    return LookAtMarginal(state.table, out, given)
