"""Requests for marginals, and the bounds that an officer views."""

import time
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Response

from auditor.access.person import is_one_of
from auditor.approvals.words import purpose_of
from auditor.core.errors import BadInput, NotFound
from auditor.core.origin import Origin
from auditor.core.plain import plain
from auditor.store import Store
from auditor.subjects.tables.releases.bounds import BoundsRequest, bound_cells, record_view
from auditor.subjects.tables.releases.files import marginal_text
from auditor.subjects.tables.releases.history import surely_out
from auditor.subjects.tables.releases.pending import follows_from_out
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.representations.bounds import bounds_data
from auditor.subjects.tables.representations.requests import RequestOut, explained_cells, reasons_of, request_out
from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
from auditor.subjects.tables.stored.releases import Releases
from auditor.web.api.common import Looker, Requester, Viewer, router_for
from auditor.web.api.models import MarginalIn, RequestIn
from auditor.web.security.identity import Call, Forbidden
from auditor.web.security.turns import MEASURING
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

router = router_for("requests")

_MOST_CELLS = 10_000


@router.get("/tables/{name:path}/requests")
def answers(call: Viewer, name: str) -> dict[str, Any]:
    """Return all answers about a table, oldest first; requesters see only their own."""
    return {"table": name, "requests": plain(visible_answers(call, name))}


@router.post("/tables/{name:path}/requests")
def request_marginal(call: Requester, name: str, asked: RequestIn) -> RequestOut:
    """Request a marginal: the answer takes everything released into account, and is recorded.

    The released counts are at `released-counts`.
    """
    answer = ask_as(call, name, asked)
    cells = explained_cells(answer, call.policy) if asked.explain else None
    return request_out(name, answer, reasons_of(answer, call.policy.table.refusals == "sampled"), cells, [])


def ask_as(call: Call, name: str, asked: RequestIn) -> RequestAnswer:
    """Request a marginal in the name of the person who sends the call; return the answer as they may see it.

    Raises
    ------
    Forbidden
        If they request for another person, or the cells behind a refusal, without the right 'look'.
    NotFound, InvalidInput, StoreConflict
        As :func:`auditor.subjects.tables.releases.request.answer_request`.
    """
    by = asked.by or call.person
    if asked.explain and not call.may("look"):
        raise Forbidden("the cells behind a refusal are for those with the right 'look'")
    if by != call.person and not call.may("look"):
        raise Forbidden("you ask as yourself; leave out 'by'")
    request = MarginalRequest(
        table=name,
        names=asked.variables,
        merged=asked.merged,
        policy=call.policy,
        by=by,
        actor=call.person,
        explain=asked.explain,
        origin=Origin(call.identity.token, purpose=purpose_of(asked.purpose)),
    )
    answer = answer_request(call.store, request, clock=time.monotonic)
    return replace(answer, recorded=_without_proposal(call, answer.recorded))


@router.post("/tables/{name:path}/released-counts", response_class=Response)
def released_counts(call: Requester, name: str, asked: MarginalIn) -> Response:
    """Return the counts of a released marginal as CSV; the name of the column says if they are simulated."""
    return released_file(call.store, name, asked)


@router.post("/tables/{name:path}/bounds")
def bounds(call: Looker, name: str, asked: MarginalIn) -> dict[str, Any]:
    """Return the bounds of each cell, given everything released and one more marginal; the ledger records the view."""
    with MEASURING.one():
        look = look_at_marginal(call, name, asked)
        limit = call.policy.table.time_limit
        found = bound_cells(look.table, BoundsRequest(look.given, time_limit=limit), clock=time.monotonic)
    data: dict[str, Any] = plain(bounds_data(name, found, counted=False, picture=None))
    for cell in data["cells"]:
        if cell["lower"] == cell["upper"]:
            # the count itself is nobody's to see
            cell.update(lower=None, upper=None, exactly_determined=True)
    return data


def released_file(store: Store, name: str, asked: MarginalIn) -> Response:
    """Return a marginal that was released, as a CSV file: the released counts, or what they add up to.

    Raises
    ------
    NotFound
        If it is not out, and does not follow from a marginal that is.
    """
    headers = {"Content-Disposition": 'attachment; filename="marginal.csv"'}
    return Response(_released_text(store, name, asked), media_type="text/csv; charset=utf-8", headers=headers)


def _released_text(store: Store, name: str, asked: MarginalIn) -> str:
    state = Releases(store).state(name, tuple(asked.variables), merged=asked.merged)
    out = state.present
    if out is not None and out.cells is not None and out.counts is not None:
        counts = ContingencyTable(state.marginal.counts(state.table).variables, out.cells, out.counts)
        return marginal_text(counts, simulated=out.simulated)
    true = state.released()
    if any(state.marginal.within(marginal) for marginal in true):
        # the same data, so the sums of what went out are those of the table
        return marginal_text(state.marginal.counts(state.table))
    if state.simulated is not None and follows_from_out(state):
        return marginal_text(state.marginal.counts(state.simulated), simulated=True)
    raise NotFound(f"this marginal of the table {name!r} is not out; request it first")


def visible_answers(call: Call, name: str) -> list[RecordedAnswer]:
    """Return the answers about a table that a person may see, the first one first; proposals for who may see them."""
    found = Releases(call.store).of_table(name)
    if not call.may("look") and not call.may("ledger"):
        found = [answer for answer in found if is_one_of(call.person, answer.actor, answer.by)]
    return [_without_proposal(call, answer) for answer in found]


def _without_proposal(call: Call, answer: RecordedAnswer) -> RecordedAnswer:
    """Return an answer, with what is proposed only for whom the policy names."""
    return answer if call.identity.role in call.policy.roles.see_proposals else replace(answer, proposal=None)


@dataclass(frozen=True, slots=True, eq=False)
class LookAtMarginal:
    """A recorded view of bounds: the table, and what they follow from. Protected."""

    table: ContingencyTable
    out: list[RecodedMarginal]
    """What was released."""
    given: list[RecodedMarginal]
    """That, and the marginal."""


def look_at_marginal(call: Call, name: str, asked: MarginalIn) -> LookAtMarginal:
    """Record a view of what a marginal tells of the cells, and return what that follows from.

    Raises
    ------
    BadInput
        If the table has too many cells to show them all.
    """
    state = Releases(call.store).state(name, tuple(asked.variables), merged=asked.merged)
    size = state.table.size
    if size > _MOST_CELLS:
        raise BadInput(f"the table has more than {_MOST_CELLS} cells; 'auditor table bounds' shows chosen ones")
    known = surely_out(state)
    out, given = (sorted(some, key=lambda one: one.rank) for some in (known, {*known, state.marginal}))
    record_view(call.store, state, BoundsRequest(given), actor=call.person)
    return LookAtMarginal(state.table, out, given)
