"""What releasing a marginal would tell of the cells, for those with the right 'look'; recorded before it is shown."""

import time
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from starlette.responses import Response

from auditor.formats.tables.words import in_words
from auditor.reports.charts.axes import LinearScale, LogScale
from auditor.reports.charts.drawing import tidy
from auditor.subjects.tables.api.requests import look_at_marginal
from auditor.subjects.tables.pages.marginal import marginal_page
from auditor.subjects.tables.pages.requested_marginal import MergedForm, VariablesForm, asked_marginal
from auditor.subjects.tables.releases.bounds import BoundsRequest, bound_cells
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.representations.cells import named_cell
from auditor.web.api.common import Looker
from auditor.web.api.models import MarginalIn
from auditor.web.pages.addresses import marginal_query
from auditor.web.pages.common import KNOWN, page_router, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call
from auditor.web.security.turns import MEASURING
from graphkit.tables.decisions.rules import goals_of
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
def look(call: Looker, name: str, v: VariablesForm, m: MergedForm) -> Response:
    """Show what a marginal would tell of the cells."""
    info = Tables(call.store).show(name)
    asked = asked_marginal(info.variables, v, m)
    try:
        with MEASURING.one():
            found = _look(call, name, asked)
    except KNOWN as error:
        return marginal_page(call, info, asked, **told(error))
    query = marginal_query(info.variables, asked.variables, asked.merged)
    return page(call, "tables/bounds.html", info=info, asked=asked, query=query, look=found)


def _look(call: Call, name: str, asked: MarginalIn) -> MarginalLook:
    shown = look_at_marginal(call, name, asked)
    table = shown.table
    limit = call.policy.table.time_limit / 2
    before, after = (
        bound_cells(table, BoundsRequest(known, time_limit=limit), clock=time.monotonic).found
        for known in (shown.out, shown.given)
    )
    goals = goals_of(table, call.policy.table.rules())
    width = after.upper - after.lower
    # the bounds are those of all cells in C order, which the numbers of the goals are places in
    protected, broken = np.zeros((2, width.size), dtype=np.bool_)
    protected[goals.cells] = True
    broken[goals.cells] = (width[goals.cells] < goals.width) | (after.upper[goals.cells] < goals.least_upper)
    order = np.lexsort((width, ~protected, ~broken))[:_MOST_SHOWN].tolist()
    highest = max(int(before.upper.max(initial=1)), 1)
    scale = LogScale(0, highest, 2, _WIDE - 2, shift=1) if highest > 50 else LinearScale(0, highest, 2, _WIDE - 2)
    cells = []
    for i in order:
        cell, ends = named_cell(table.variables, int(after.cells[i])), (_interval(before, i), _interval(after, i))
        cells.append(CellLook(cell, *ends, bool(protected[i]), bool(broken[i]), _bar(scale, *ends)))
    narrowed = int(((before.upper - before.lower) > width).sum())
    return MarginalLook(
        cells,
        int(after.cells.size),
        narrowed,
        int(protected.sum()),
        int(broken.sum()),
        int((width == 0).sum()),
        before.sharp and after.sharp,
        [in_words([table.variables[axis].name for axis in one.axes], one.merged(table.variables)) for one in shown.out],
    )


def _interval(found: CellBounds, place: int) -> tuple[int, int] | None:
    low, high = int(found.lower[place]), int(found.upper[place])
    return None if low == high else (low, high)


def _bar(scale: LinearScale | LogScale, before: tuple[int, int] | None, after: tuple[int, int] | None) -> Markup:
    """Return both intervals on one axis; none is drawn where it would be the count."""
    parts = [Markup('<path class="axis" d="M2,9H{}"/>').format(_WIDE - 2)]
    for interval, kind, top, height in ((before, "was", 2, 14), (after, "is", 5, 8)):
        if interval is not None:
            low, high = map(scale, interval)
            shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')
            parts.append(shape.format(kind, tidy(low), top, tidy(max(high - low, 1)), height))
    return Markup(
        '<svg class="interval" viewBox="0 0 {} 18" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(_WIDE, Markup("").join(parts))
