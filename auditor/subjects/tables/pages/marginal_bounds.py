"""What releasing a marginal would tell of the cells, for those with the right 'look'; recorded before it is shown."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response

from auditor.formats.tables.words import in_words
from auditor.reports.charts.axes import LinearScale, LogScale
from auditor.reports.charts.drawing import tidy
from auditor.subjects.tables.api.requests import look_at_marginal
from auditor.subjects.tables.pages.marginal import marginal_page
from auditor.subjects.tables.pages.requested_marginal import AskedMarginal, MergedForm, VariablesForm, asked_marginal
from auditor.subjects.tables.releases.bounds import BoundsRequest, bound_cells
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.representations.cells import named_cell
from auditor.web.api.common import Looker, Served
from auditor.web.pages.addresses import marginal_query
from auditor.web.pages.common import KNOWN, page_router, told
from auditor.web.pages.rendering import render
from graphkit.tables.decisions.rules import goals_of

if TYPE_CHECKING:
    from auditor.web.service import Service
    from graphkit.tables.sharp_bounds.cell_bounds import CellBounds

router = page_router()

_MOST_SHOWN = 200
_WIDE = 200


@dataclass(frozen=True, slots=True)
class CellLook:
    """What is known of a cell before and after a release. Protected."""

    cell: dict[str, str]
    before: tuple[int, int] | None
    """None where it is exactly determined: the count itself is nobody's to see."""
    after: tuple[int, int] | None
    protected: bool
    """Whether a rule of the policy is about it."""
    broken: bool
    """Whether its interval would be narrower than the policy asks."""
    bar: Markup


@dataclass(frozen=True, slots=True)
class MarginalLook:
    """What a release would tell. Protected."""

    cells: list[CellLook]
    """Those that would be narrowed most, protected ones first."""
    of: int
    narrowed: int
    protected: int
    broken: int
    determined: int
    complete: bool
    out: list[str]


@router.post("/tables/{name:path}/bounds")
def look(
    request: Request,
    name: str,
    identity: Looker,
    service: Served,
    v: VariablesForm,
    m: MergedForm,
) -> Response:
    """Show what a marginal would tell of the cells."""
    info = Tables(service.store).show(name)
    asked = asked_marginal(info.variables, v, m)
    try:
        found = _look(service, name, asked, actor=identity.person)
    except KNOWN as error:
        return marginal_page(request, identity, service, info, asked, **told(error))
    query = marginal_query(info.variables, asked.names, asked.merged)
    return render(request, "tables/bounds.html", identity, info=info, asked=asked, query=query, look=found)


def _look(service: Service, name: str, asked: AskedMarginal, *, actor: str) -> MarginalLook:
    shown = look_at_marginal(service, name, asked.names, asked.merged, actor=actor)
    table = shown.table
    limit = service.policy.table.time_limit / 2
    before, after = (
        bound_cells(table, BoundsRequest(known, time_limit=limit), clock=time.monotonic).found
        for known in (shown.out, shown.given)
    )
    goals = goals_of(table, service.policy.table.rules())
    needed = dict(zip(goals.cells.tolist(), goals.width.tolist(), strict=True))
    least = dict(zip(goals.cells.tolist(), goals.least_upper.tolist(), strict=True))
    width = after.upper - after.lower
    broken = [
        cell in needed and (wide < needed[cell] or upper < least[cell])
        for cell, wide, upper in zip(after.cells.tolist(), width.tolist(), after.upper.tolist(), strict=True)
    ]
    protected = [cell in needed for cell in after.cells.tolist()]
    order = np.lexsort((width, ~np.array(protected, dtype=bool), ~np.array(broken, dtype=bool)))[:_MOST_SHOWN].tolist()
    highest = max(int(before.upper.max(initial=1)), 1)
    scale = LogScale(0, highest, 2, _WIDE - 2, shift=1) if highest > 50 else LinearScale(0, highest, 2, _WIDE - 2)
    cells = [
        CellLook(
            named_cell(table.variables, int(after.cells[i])),
            _interval(before, i),
            _interval(after, i),
            protected[i],
            broken[i],
            _bar(scale, before, after, i),
        )
        for i in order
    ]
    narrowed = int(((before.upper - before.lower) > width).sum())
    return MarginalLook(
        cells,
        int(after.cells.size),
        narrowed,
        sum(protected),
        sum(broken),
        int((width == 0).sum()),
        before.sharp and after.sharp,
        [in_words([table.variables[axis].name for axis in one.axes], one.merged(table.variables)) for one in shown.out],
    )


def _interval(found: CellBounds, place: int) -> tuple[int, int] | None:
    low, high = int(found.lower[place]), int(found.upper[place])
    return None if low == high else (low, high)


def _bar(scale: LinearScale | LogScale, before: CellBounds, after: CellBounds, place: int) -> Markup:
    """Return both intervals on one axis; none is drawn where it would be the count."""
    ends = _interval(before, place), _interval(after, place)
    parts: Sequence[Markup] = [Markup('<path class="axis" d="M2,9H{}"/>').format(_WIDE - 2)]
    shapes = (
        '<rect class="was" x="{}" y="2" width="{}" height="14"/>',
        '<rect class="is" x="{}" y="5" width="{}" height="8"/>',
    )
    for shape, interval in zip(shapes, ends, strict=True):
        if interval is not None:
            low, high = map(scale, interval)
            parts = [*parts, Markup(shape).format(tidy(low), tidy(max(high - low, 1)))]
    return Markup(
        '<svg class="interval" viewBox="0 0 {} 18" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(_WIDE, Markup("").join(parts))
