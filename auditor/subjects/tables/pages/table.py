"""The tables with the form for a new one; a table with the statuses of its marginals and a form to request one."""

import csv
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import File, Form, Query, UploadFile
from starlette.responses import Response

from auditor.approvals.repository import Approvals
from auditor.audits.repository import Audits
from auditor.audits.subjects import find_subject
from auditor.core.errors import BadInput
from auditor.subjects.tables.api.requests import visible_answers
from auditor.subjects.tables.api.tables import store_table
from auditor.subjects.tables.jobs import FrontierIn
from auditor.subjects.tables.pages.lattice_view import MOST_NODES, level_rows, selection_url, view_lattice
from auditor.subjects.tables.pages.requested_marginal import VariablesForm, VariablesQuery
from auditor.subjects.tables.pages.selection import check_selected, select, selected_axes
from auditor.subjects.tables.releases.alternatives import Alternatives, find_alternatives
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice, read_lattice
from auditor.subjects.tables.releases.mapping import declare_variables, read_map
from auditor.subjects.tables.repository import TableInfo, Tables
from auditor.web.api.common import DataKeeper, Looker, Viewer
from auditor.web.api.jobs import begin_job
from auditor.web.pages.common import KNOWN, page_router, said, see_other, told
from auditor.web.pages.notices import NOTICES
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.subject_list import SubjectFilter, subject_list
from auditor.web.security.identity import Call
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.lattice import MOST_VARIABLES
from graphkit.tables.versions.variable_link import VariableLink

router = page_router()

_MOST_SHOWN = 40
_MOST_ANSWERS = 100
_MOST_AUDITS = 5
_EMPTY: Mapping[str, Any] = {"name": "", "holds": "counts", "new_version": False}
_COLUMNS: Mapping[str, Callable[[TableInfo], Any]] = {
    "variables": lambda info: len(info.variables),
    "cells": lambda info: info.cells,
    "released": lambda info: info.released,
    "since": lambda info: info.created_at,
}
_SECONDS = 4.0
"""For what could be released in the place of a marginal; half as many more for a coarser one."""


@router.get("/tables")
def tables(call: Viewer, asked: Annotated[SubjectFilter, Query()]) -> Response:
    """Show all tables."""
    return _list_page(call, asked)


@router.post("/tables")
def add(
    call: DataKeeper,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
    holds: Annotated[Literal["counts", "records"], Form()] = "counts",
    new_version: Annotated[bool, Form()] = False,
) -> Response:
    """Store a table from a file, and show it with what there is to say of the file: here alone, it is not kept."""
    try:
        if name.endswith("/marginal"):
            raise BadInput("a name that ends in /marginal would have no page; take another one")
        info, remarks = store_table(call, name, file, records=holds == "records", new_version=new_version)
    except KNOWN as error:
        entered = {"name": name, "holds": holds, "new_version": new_version}
        return _list_page(call, SubjectFilter(), entered=entered, **told(error))
    if not remarks:
        return said(f"/tables/{quote(info.name, safe='')}", "added")
    return _page(call, info.name, status=201, notice=NOTICES["added"], remarks=remarks)


@router.post("/tables/{name:path}/remove")
def remove(call: DataKeeper, name: str) -> Response:
    """Remove a table."""
    Tables(call.store).remove(name, actor=call.person)
    return said("/tables", "removed")


@router.post("/tables/{name:path}/frontier")
def frontier(call: Looker, name: str) -> Response:
    """Find out what of a table could still be released; the job records it before it computes anything."""
    return see_other(f"/jobs/{begin_job(call, FrontierIn(kind='frontier', table=name)).id}")


@router.post("/tables/{name:path}/alternatives")
def alternatives(call: Looker, name: str, v: VariablesForm) -> Response:
    """Show what could be released in the place of a marginal; recorded in the ledger before it is computed."""
    try:
        axes = check_selected(selected_axes(Tables(call.store).show(name).variables, v))
        found = find_alternatives(
            call.store,
            read_lattice(call.store, name),
            axes,
            call.policy,
            actor=call.person,
            time_limit=min(_SECONDS, call.policy.table.time_limit),
            clock=time.monotonic,
            merging=call.identity.role in call.policy.roles.see_proposals,
        )
    except KNOWN as error:
        return _page(call, name, v=v, **told(error))
    return _page(call, name, v=v, instead=found)


@router.post("/tables/{name:path}/map")
def declare(
    call: DataKeeper,
    name: str,
    old: Annotated[str, Form(max_length=500)],
    version: Annotated[int, Form(ge=1)],
    new: Annotated[list[str], Form(default_factory=list, max_length=20)],
    rows: Annotated[str, Form(max_length=1_000_000)] = "",
) -> Response:
    """Declare what has become of a variable of an earlier version."""
    try:
        link = VariableLink(old, tuple(new), _parse_rows(rows))
        declare_variables(call.store, name, [link], actor=call.person, version=version)
    except KNOWN as error:
        return _page(call, name, entered=(version, old, new, rows), **told(error))
    return said(f"/tables/{quote(name, safe='')}", "declared")


def _parse_rows(text: str) -> tuple[tuple[str | None, ...], ...]:
    """Return the categories that stand together, from lines of names with commas between them."""
    try:
        lines = [[field.strip() for field in line] for line in csv.reader(text.splitlines(), strict=True) if line]
    except csv.Error:
        raise BadInput("categories must be lines of names with commas between them; close all quotes") from None
    return tuple((line[0] or None, *line[1:]) for line in lines)


@router.post("/tables/{name:path}/overlap")
def declare_overlap(
    call: DataKeeper,
    name: str,
    other: Annotated[str, Form(max_length=500)],
    linked: Annotated[bool, Form()],
) -> Response:
    """Declare whether a similar table has the same respondents."""
    Tables(call.store).declare_kinship(name, other, linked=linked, actor=call.person)
    return said(f"/tables/{quote(name, safe='')}", "declared")


def show_table(call: Viewer, name: str, v: VariablesQuery) -> Response:
    """Show a table: its lattice with the selected marginal, its released marginals, and the answers to requests."""
    return _page(call, name, v=v)


def _page(
    call: Call,
    name: str,
    *,
    v: Sequence[str] = (),
    instead: Alternatives | None = None,
    entered: tuple[Any, ...] | None = None,
    remarks: Sequence[str] = (),
    **problem: Any,
) -> Response:
    info = Tables(call.store).show(name)
    found = read_lattice(call.store, name) if len(info.variables) <= MOST_VARIABLES else None
    visible, released = visible_answers(call, name), Tables(call.store).released(name)
    answers = visible[::-1]
    shown = answers[:_MOST_ANSWERS]
    try:
        axes = selected_axes(info.variables, v)
    except BadInput as error:
        # the rest of the page is as good without a selection
        axes, problem = None, {**told(error), **problem}
    return page(
        call,
        "tables/table.html",
        info=info,
        released=released,
        answers=shown,
        # an answer stays as it was given; what waited may have ended since
        ended={
            one.id: Approvals(call.store).show(one.approval).state
            for one in shown
            if one.answer == "pending" and one.approval is not None
        },
        more_answers=max(len(answers) - _MOST_ANSWERS, 0),
        known=read_map(call.store, name),
        kinships=Tables(call.store).kinships(name),
        audits=Audits(call.store).list(find_subject(call.store, "table", name).key, limit=_MOST_AUDITS),
        **_of_lattice(name, found, axes, instead),
        selection=None if found is None else select(call, found, axes, visible, released),
        instead=instead,
        seconds=int(min(_SECONDS, call.policy.table.time_limit) * 1.5),
        entered=entered,
        remarks=remarks,
        **problem,
    )


def _list_page(call: Call, asked: SubjectFilter, *, entered: Mapping[str, Any] = _EMPTY, **problem: Any) -> Response:
    """Show all tables, and the form for a new one as it was entered."""
    shown = subject_list("/tables", asked, Tables(call.store).list(), _COLUMNS)
    return page(call, "tables/tables.html", entered=entered, **shown, **problem)


def _of_lattice(
    name: str, found: TableLattice | None, axes: Axes | None, instead: Alternatives | None
) -> dict[str, Any]:
    if found is None:
        return {"lattice": None}
    # what was just found out is shown in the lattice, too
    seen, small = found if instead is None else instead.lattice, len(found.names) <= MOST_NODES
    refused = found.named(found.lattice.unreleasable_frontier)
    out = found.named(found.lattice.released_frontier)
    return {
        "lattice": found,
        "statuses": STATUSES,
        "counts": {status: number for status, number in seen.counts().items() if number},
        "view": view_lattice(name, seen, axes),
        "selection_url": selection_url,
        "marginals": [([found.names[axis] for axis in one], status) for one, status in seen.rows()] if small else [],
        "levels": [] if small else level_rows(found),
        "out": out[:_MOST_SHOWN],
        "more_out": max(len(out) - _MOST_SHOWN, 0),
        "refused": refused[:_MOST_SHOWN],
        "more_refused": max(len(refused) - _MOST_SHOWN, 0),
    }


# what is below a table has been asked for before
last = page_router()
last.get("/tables/{name:path}")(show_table)
