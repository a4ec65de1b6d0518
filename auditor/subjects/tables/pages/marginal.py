"""The page of a marginal: its status, the request for it, and the answer with its reasons."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import Form
from starlette.responses import Response

from auditor.subjects.tables.api.requests import ask_as, released_file, visible_answers
from auditor.subjects.tables.pages.lattice_view import selection_url
from auditor.subjects.tables.pages.marginal_state import state_of_marginal
from auditor.subjects.tables.pages.requested_marginal import (
    MergedForm,
    MergedQuery,
    VariablesForm,
    VariablesQuery,
    asked_marginal,
)
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice, read_lattice
from auditor.subjects.tables.repository import TableInfo, Tables
from auditor.subjects.tables.representations.requests import explained_cells, proven_cells, reasons_of
from auditor.web.api.common import Requester, Viewer
from auditor.web.api.models import MarginalIn, RequestIn
from auditor.web.pages.addresses import marginal_query, marginal_url
from auditor.web.pages.common import KNOWN, page_router, see_other, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call
from graphkit.tables.structure.hypergraph import mask_of
from graphkit.tables.structure.lattice import MOST_VARIABLES

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
def marginal(call: Viewer, name: str, v: VariablesQuery, m: MergedQuery) -> Response:
    """Show a marginal."""
    info, query = Tables(call.store).show(name), call.request.query_params
    # the form for merged categories names each category with its group; from then on groups stand in the address
    asked = asked_marginal(info.variables, v, [*m, *_groups(query.getlist("g"))])
    if "g" in query:
        return see_other(marginal_url(name, info.variables, asked.variables, asked.merged))
    return marginal_page(call, info, asked)


@router.post("/tables/{name:path}/request")
def ask(
    call: Requester,
    name: str,
    v: VariablesForm,
    m: MergedForm,
    by: Annotated[str, Form(max_length=200)] = "",
    explain: Annotated[bool, Form()] = False,
    purpose: Annotated[str, Form(max_length=1000)] = "",
    to: Annotated[Literal["marginal", "lattice"], Form()] = "marginal",
) -> Response:
    """Request a marginal; without problems, its page is next, or the lattice that it was requested from."""
    info = Tables(call.store).show(name)
    asked = asked_marginal(info.variables, v, m)
    try:
        answer = ask_as(call, name, RequestIn(**dict(asked), by=by.strip() or None, explain=explain, purpose=purpose))
    except KNOWN as error:
        entered = {"by": by, "explain": explain, "purpose": purpose}
        return marginal_page(call, info, asked, entered=entered, **told(error))
    if not explain and answer.decision.ended_by is None:
        if to == "lattice" and not asked.merged:
            return see_other(selection_url(name, asked.variables))
        return see_other(marginal_url(name, info.variables, asked.variables, asked.merged) + "#answer")
    # what is shown once cannot be shown again without another look: no redirect; what ended it is not recorded
    return marginal_page(
        call,
        info,
        asked,
        cells=explained_cells(answer, call.policy) if explain else None,
        proven=proven_cells(answer) if explain else None,
        reasons=[*reasons_of(answer, call.policy.table.refusals == "sampled"), *answer.remarks],
    )


@router.get("/tables/{name:path}/marginal.csv")
def counts(call: Requester, name: str, v: VariablesQuery, m: MergedQuery) -> Response:
    """Return the counts of a released marginal."""
    return released_file(call.store, name, asked_marginal(Tables(call.store).show(name).variables, v, m))


def marginal_page(call: Call, info: TableInfo, asked: MarginalIn, **given: Any) -> Response:
    """Return the page of a marginal as it is now.

    Parameters
    ----------
    call : Call
    info : TableInfo
        Its table.
    asked : MarginalIn
    **given
        What is shown beside: a problem, the cells behind a refusal.
    """
    names = tuple(asked.variables)
    found = read_lattice(call.store, info.name) if len(info.variables) <= MOST_VARIABLES else None
    answers, released = visible_answers(call, info.name), Tables(call.store).released(info.name)
    state = state_of_marginal(call, info.name, asked, found, answers, released)
    less, more = _neighbours(found, names)
    return page(
        call,
        "tables/marginal.html",
        **{
            "info": info,
            "asked": asked,
            "query": marginal_query(info.variables, names, asked.merged),
            "chosen": [one for one in info.variables if one.name in names],
            "most_categories": _MOST_CATEGORIES,
            "groups": range(1, _GROUPS + 1),
            "group_of": {
                (name, category): number
                for name, parts in asked.merged.items()
                for number, part in enumerate(parts, 1)
                for category in part
            },
            "state": state,
            "less": less,
            "more": more,
            "reasons": state.reasons,
            "cells": None,
            "proven": None,
            "seconds": call.policy.table.time_limit,
            "small": call.policy.table.threshold,
            "entered": {"by": "", "explain": False, "purpose": ""},
            **given,
        },
    )


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
