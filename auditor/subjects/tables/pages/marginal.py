"""The page of a marginal: its status, the request for it, and the answer with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Form, Request
from starlette.responses import Response

from auditor.approvals.repository import Approvals
from auditor.subjects.tables.api.released import released_text
from auditor.subjects.tables.api.requests import ask_as, visible_answers
from auditor.subjects.tables.pages.requested_marginal import (
    AskedMarginal,
    MergedForm,
    MergedQuery,
    VariablesForm,
    VariablesQuery,
    asked_marginal,
)
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice, read_lattice
from auditor.subjects.tables.releases.pending import follows_from_out
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.representations.requests import explained_cells, proven_cells, reasons_in_words, reasons_of
from auditor.subjects.tables.stored.releases import Releases
from auditor.web.api.common import Requester, Served, Viewer
from auditor.web.pages.addresses import marginal_query, marginal_url
from auditor.web.pages.common import KNOWN, page_router, see_other, told
from auditor.web.pages.rendering import render
from graphkit.tables.structure.hypergraph import mask_of
from graphkit.tables.structure.lattice import MOST_VARIABLES

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo
    from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
    from auditor.web.security.identity import Identity
    from auditor.web.service import Service

router = page_router()

_MOST_CATEGORIES = 60
_GROUPS = 4


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A marginal with one variable more, or less."""

    variable: str
    names: list[str]
    status: str


@router.get("/tables/{name:path}/marginal")
def marginal(
    request: Request,
    name: str,
    identity: Viewer,
    service: Served,
    v: VariablesQuery,
    m: MergedQuery,
) -> Response:
    """Show a marginal."""
    info = Tables(service.store).show(name)
    # the form for merged categories names each category with its group; from then on groups stand in the address
    groups = _groups(request.query_params.getlist("g"))
    asked = asked_marginal(info.variables, v, [*m, *groups])
    if "g" in request.query_params:
        return see_other(marginal_url(name, info.variables, asked.names, asked.merged))
    return marginal_page(request, identity, service, info, asked)


@router.post("/tables/{name:path}/request")
def ask(
    request: Request,
    name: str,
    identity: Requester,
    service: Served,
    v: VariablesForm,
    m: MergedForm,
    by: Annotated[str, Form(max_length=200)] = "",
    explain: Annotated[bool, Form()] = False,
) -> Response:
    """Ask for a marginal."""
    info = Tables(service.store).show(name)
    asked = asked_marginal(info.variables, v, m)
    try:
        person = by.strip() or identity.person
        answer = ask_as(identity, service, name, asked.names, asked.merged, by=person, explain=explain)
    except KNOWN as error:
        return marginal_page(request, identity, service, info, asked, **told(error))
    if not explain and answer.decision.ended_by is None:
        return see_other(marginal_url(name, info.variables, asked.names, asked.merged) + "#answer")
    # what is shown once cannot be shown again without another look: no redirect; what ended it is not recorded
    return marginal_page(
        request,
        identity,
        service,
        info,
        asked,
        cells=explained_cells(answer, service.policy) if explain else None,
        proven=proven_cells(answer) if explain else None,
        reasons=reasons_of(answer, service.policy.table.refusals == "sampled"),
    )


@router.get("/tables/{name:path}/marginal.csv")
def counts(
    name: str,
    identity: Requester,
    service: Served,
    v: VariablesQuery,
    m: MergedQuery,
) -> Response:
    """Return the counts of a marginal that is out."""
    asked = asked_marginal(Tables(service.store).show(name).variables, v, m)
    return Response(
        released_text(service.store, name, asked.names, asked.merged),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="marginal.csv"'},
    )


def marginal_page(
    request: Request, identity: Identity, service: Service, info: TableInfo, asked: AskedMarginal, **given: Any
) -> Response:
    """Return the page of a marginal as it is now.

    Parameters
    ----------
    request : Request
    identity : Identity
    service : Service
    info : TableInfo
        Its table.
    asked : AskedMarginal
    **given
        What is shown beside: a problem, the cells behind a refusal.
    """
    found = None
    if len(info.variables) <= MOST_VARIABLES:
        found = read_lattice(service.store, info.name)
    answer = _last_answer(visible_answers(service, identity, info.name), asked)
    out = any(
        one.names == asked.names and _plain(one.merged) == _plain(asked.merged)
        for one in Tables(service.store).released(info.name)
    )
    status = "released" if out else "undecided"
    if found is not None and not asked.merged:
        status = _status(found, asked.names)
        out = status == "released"
    elif not out and follows_from_out(Releases(service.store).state(info.name, asked.names, merged=asked.merged)):
        status = "implied"
    elif answer is not None and answer.answer in ("refuse", "coarsen"):
        status = "refused"
    elif not out and answer is not None and answer.answer == "pending" and _waits(service, answer):
        status = "pending"
    less, more = _neighbours(found, asked.names)
    reasons = None
    if answer is not None and answer.answer == "pending" and status != "pending":
        # what it waited for is decided by now, or there is nothing left to decide
        reasons = ["it follows from released marginals"] if status == "implied" else None
        answer = None
    if answer is not None:
        sampled = service.policy.table.refusals == "sampled"
        reasons = reasons_in_words(answer, sampled, implied=not out and status == "implied")
    return render(
        request,
        "tables/marginal.html",
        identity,
        **{
            "info": info,
            "asked": asked,
            "query": marginal_query(info.variables, asked.names, asked.merged),
            "chosen": [one for one in info.variables if one.name in asked.names],
            "most_categories": _MOST_CATEGORIES,
            "groups": range(1, _GROUPS + 1),
            "group_of": {
                (name, category): number
                for name, parts in asked.merged.items()
                for number, part in enumerate(parts, 1)
                for category in part
            },
            "status_now": status,
            "is_out": out,
            "less": less,
            "more": more,
            "answer": answer,
            "reasons": reasons,
            "cells": None,
            "proven": None,
            "seconds": service.policy.table.time_limit,
            "small": service.policy.table.threshold,
            **given,
        },
    )


def _waits(service: Service, answer: RecordedAnswer) -> bool:
    """Whether what an answer waits for is still pending."""
    return answer.approval is not None and Approvals(service.store).show(answer.approval).state == "pending"


def _last_answer(answers: list[RecordedAnswer], asked: AskedMarginal) -> RecordedAnswer | None:
    merged = _plain(asked.merged)
    same = [one for one in answers if one.names == asked.names and _plain(one.merged) == merged]
    return same[-1] if same else None


def _plain(merged: Any) -> dict[str, set[frozenset[str]]]:
    return {name: {frozenset(part) for part in parts} for name, parts in merged.items()}


def _status(found: TableLattice, names: tuple[str, ...]) -> str:
    return STATUSES[found.statuses[mask_of(found.lattice.axes(names))]]


def _neighbours(found: TableLattice | None, names: tuple[str, ...]) -> tuple[list[Neighbour], list[Neighbour]]:
    """Return the marginals with one variable less, and with one more."""
    less: list[Neighbour] = []
    more: list[Neighbour] = []
    for name in () if found is None else found.names:
        assert found is not None
        others = [one for one in found.names if (one in names) != (one == name)]
        if others:
            neighbour = Neighbour(name, others, _status(found, tuple(others)))
            (less if name in names else more).append(neighbour)
    return less, more


def _groups(chosen: list[str]) -> list[str]:
    """Return groups of categories, from one ``variable:category:group`` for each category that is in one."""
    found: dict[tuple[str, str], list[str]] = {}
    for text in chosen:
        parts = text.split(":")
        if len(parts) == 3:
            found.setdefault((parts[0], parts[2]), []).append(parts[1])
    return [f"{place}:{'+'.join(codes)}" for (place, _), codes in found.items() if len(codes) > 1]
