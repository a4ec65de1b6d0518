"""The page of a table: what became of its marginals, and which one to ask for next."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from auditor.releases.lattice import STATUSES, TableLattice, read_lattice
from auditor.store.audit_subjects import find_subject
from auditor.web.api.common import DataKeeper, Served, Viewer
from auditor.web.api.requests import visible_answers
from auditor.web.pages.common import page_router, said
from auditor.web.pages.lattice_drawing import MOST_NODES, draw_lattice, level_rows
from auditor.web.pages.rendering import render
from graphkit.tables.lattice import MOST_VARIABLES

__all__ = ["router"]

router = page_router()

_MOST_SHOWN = 40
_MOST_ANSWERS = 100
_MOST_AUDITS = 5


@router.post("/tables/{name:path}/remove")
def remove(name: str, identity: DataKeeper, service: Served) -> Response:
    """Remove a table."""
    service.store.tables.remove(name, actor=identity.person)
    return said("/tables", "removed")


def show_table(request: Request, name: str, identity: Viewer, service: Served) -> Response:
    """Show a table: its lattice, what is out of it, and what was answered."""
    info = service.store.tables.show(name)
    found = None
    if len(info.variables) <= MOST_VARIABLES:
        found, _ = read_lattice(service.store, name)
    answers = visible_answers(service, identity, name)[::-1]
    shown = answers[:_MOST_ANSWERS]
    key = find_subject(service.store.connection, "table", name).key
    return render(
        request,
        "table.html",
        identity,
        info=info,
        released=service.store.tables.released(name),
        answers=shown,
        # an answer stays as it was given; what waited may have ended since
        ended={
            one.id: service.store.approvals.show(one.approval).state
            for one in shown
            if one.answer == "pending" and one.approval is not None
        },
        more_answers=max(len(answers) - _MOST_ANSWERS, 0),
        audits=service.store.audits.list(key, limit=_MOST_AUDITS),
        **_of_lattice(name, found),
    )


def _of_lattice(name: str, found: TableLattice | None) -> dict[str, Any]:
    if found is None:
        return {"lattice": None}
    small = len(found.names) <= MOST_NODES
    refused = found.named(found.lattice.unreleasable_frontier)
    out = found.named(found.lattice.released_frontier)
    return {
        "lattice": found,
        "statuses": STATUSES,
        "counts": {status: number for status, number in found.counts().items() if number},
        "drawing": draw_lattice(name, found),
        "marginals": [([found.names[axis] for axis in axes], status) for axes, status in found.rows()] if small else [],
        "levels": [] if small else level_rows(found),
        "out": out[:_MOST_SHOWN],
        "more_out": max(len(out) - _MOST_SHOWN, 0),
        "refused": refused[:_MOST_SHOWN],
        "more_refused": max(len(refused) - _MOST_SHOWN, 0),
    }


# what is below a table has been asked for before
last = page_router()
last.get("/tables/{name:path}")(show_table)
