"""What a second person sees of a pending marginal: what is out beside it, the risk before and after, coarser ones."""

import csv
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.approvals.review import ChangeField, Fact, Out, Review, Risk, RiskRow
from auditor.core.errors import BadInput, NotFound
from auditor.formats.tables.names import named_categories
from auditor.formats.tables.words import in_words
from auditor.policy import stored_policy
from auditor.store import Store
from auditor.subjects.tables.charts.interval_widths import interval_widths_chart
from auditor.subjects.tables.releases.pending import marginal_terms
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from auditor.subjects.tables.stored.releases import Releases, TableState
from auditor.web.pages.addresses import marginal_url
from graphkit.numbers import count
from graphkit.tables.decisions.rules import goals_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.sharp_bounds.cell_bounds import bounds


class _Change(BaseModel):
    marginal: list[str] | None = None
    merged: dict[str, list[list[str]]] | None = None
    merge: list[str] = []


_MOST_CELLS = 50_000
"""Of a table whose bounds are computed while a person waits for the page."""
_SECONDS = 10.0


def is_out(approval: Approval) -> bool:
    """Whether the counts that were asked for are released by now."""
    return approval.state in ("approved", "implied")


def marginal_page_url(store: Store, approval: Approval, names: Mapping[str, Any], page: str = "marginal") -> str | None:
    """Return the address of a page about a marginal by its names; None if the table is gone or has other variables."""
    name = approval.subject.removeprefix("table:")
    try:
        info = Tables(store).show(name)
    except NotFound:
        return None
    known = {variable.name: set(variable.categories) for variable in info.variables}
    merged: Mapping[str, Iterable[Iterable[str]]] = names["merged"]
    there = all(known[one].issuperset(part) for one, parts in merged.items() if one in known for part in parts)
    if not known.keys() >= {*names["marginal"], *merged} or not there:
        return None
    return marginal_url(name, info.variables, names["marginal"], merged, page)


def review_marginal(store: Store, approval: Approval) -> Review:
    """Return what a second person sees of a marginal, without any count."""
    name, what = approval.subject.removeprefix("table:"), approval.what
    try:
        released = Tables(store).released(name)
    except NotFound:
        return Review((Fact("Answer", _ANSWERS[what["answer"]]),), (), gone=True)
    asked, merged = what["marginal"], what["merged"]
    url = marginal_page_url(store, approval, what)
    facts = [Fact("Marginal", in_words(asked, merged), url), Fact("Answer", _ANSWERS[what["answer"]])]
    out = [
        Out(in_words(one.names, one.merged), one.released_at, "simulated" if one.simulated else "")
        for one in reversed(released)
    ]
    fields = (
        ChangeField("marginal", "Variables", "choices", "those that may be released", options=tuple(asked)),
        ChangeField(
            "merge", "Merged categories", "lines", "one group a line, such as age=60-79,80+; empty to merge none more"
        ),
    )
    return Review(facts, out, fields)


def marginal_risk(store: Store, approval: Approval, clock: Callable[[], float]) -> Risk:
    """Return what follows of the protected cells from all that is out, and what would with the marginal. Protected.

    Notes
    -----
    The bounds are outer ones, those that sums show at once; the approval itself decides with proven ones.
    """
    try:
        state = _state(store, approval)
    except NotFound:
        return Risk(remark="the table is not in the store any more")
    if state.row.data != approval.what["data"]:
        return Risk(remark="the table has other data than at the request")
    if state.table.size > _MOST_CELLS:
        return Risk(remark=f"the table has more than {count(_MOST_CELLS)} cells; 'auditor table bounds' computes them")
    policy = stored_policy(Approvals(store).policy_text(approval.id), "policy of the approval").table
    goals = goals_of(state.table, policy.rules())
    if not goals.cells.size:
        return Risk((RiskRow("Protected cells", "0", "0"),), remark="the table has no cell that the policy protects")
    # the total is public
    before = {RecodedMarginal((), ()), *state.released()}
    found = [
        bounds(state.table, given, cells=goals.cells, exact=False, time_limit=_SECONDS, clock=clock)
        for given in (before, {*before, state.marginal})
    ]
    widths = [one.upper - one.lower for one in found]
    measured = [goals.missed(one.lower, one.upper) for one in found]
    of = count(goals.cells.size)
    rows = (
        RiskRow("Protected cells", of, of),
        RiskRow("Exactly determined", *(count(int((width == 0).sum())) for width in widths)),
        RiskRow("Bounded more tightly than the policy allows", *(count(int(one.sum())) for one in measured)),
        RiskRow("Narrowest interval", *(count(int(width.min())) for width in widths)),
        RiskRow("Median width", *(count(round(float(np.median(width)))) for width in widths)),
    )
    remark = ""
    if approval.what["answer"] == "simulate":
        remark = "simulated counts are released, which tell nothing of the cells: what is shown is the worst case"
    chart = interval_widths_chart(widths[0], widths[1], policy.min_width)
    return Risk(rows, (chart,), remark)


def coarser_marginal(store: Store, approval: Approval, change: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return a coarser marginal by its names, and the terms of the request for it.

    Parameters
    ----------
    store : Store
    approval : Approval
    change : mapping
        ``marginal``: the variables that stay, all by default. ``merged``: categories that become one, by variable; or
        ``merge``: lines such as ``age=60-79,80+``, beside what is merged already.

    Raises
    ------
    BadInput
        If it is no marginal that follows from the requested one, or is that one.
    """
    if not change or not change.keys() <= _Change.model_fields.keys():
        raise BadInput("of a marginal the variables and merged categories can be changed: 'marginal', 'merged'")
    try:
        asked = _Change.model_validate(change)
    except ValidationError:
        raise BadInput("'marginal' is a list of variables, 'merged' has lists of categories by variable") from None
    state = _state(store, approval)
    what = approval.what
    if state.row.data != what["data"]:
        raise BadInput("the table has other data than at the request; reject it")
    names = [*(what["marginal"] if asked.marginal is None else asked.marginal)]
    kept = what["merged"] if asked.merged is None else asked.merged
    merged = {name: parts for name, parts in kept.items() if name in names}
    for name, groups in _merged_lines(asked.merge, state, names).items():
        merged[name] = _beside(merged.get(name, []), groups)
    coarser = RecodedMarginal.of(state.table, merged, names)
    if coarser == state.marginal or not coarser.axes or not coarser.within(state.marginal):
        raise BadInput("the change must be coarser than the request: fewer variables, or more categories merged")
    form = MarginalNames.of(coarser, state.row.variables).record()
    return form, marginal_terms(approval.subject, state.row.data, coarser, what["answer"])


_ANSWERS = {"release": "the counts are released", "simulate": "counts of a simulated table are released"}


def _state(store: Store, approval: Approval) -> TableState:
    what = approval.what
    name = approval.subject.removeprefix("table:")
    return Releases(store).state(name, what["marginal"], approval.policy_hash, what["merged"])


def _beside(kept: Sequence[Sequence[str]], groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return groups of categories beside those that are merged already, which become part of a group that meets them.

    Examples
    --------
    >>> _beside([["a", "b"], ["c", "d"]], [["b", "e"], ["f", "g"]])
    [['c', 'd'], ['a', 'b', 'e'], ['f', 'g']]
    """
    found = [list(part) for part in kept]
    for group in groups:
        met = [part for part in found if not set(part).isdisjoint(group)]
        found = [part for part in found if part not in met]
        found.append(list(dict.fromkeys(itertools.chain(*met, group))))
    return found


def _merged_lines(lines: Iterable[str], state: TableState, names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    """Return the groups that lines such as ``age=60-79,80+`` name, by variable."""
    known = {one.name: one.categories for one in state.row.variables if one.name in names}
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in itertools.islice(lines, 1000):
        try:
            (items,) = csv.reader([line], skipinitialspace=True, strict=True)
        except (csv.Error, ValueError):
            raise BadInput("merged categories are one group a line, such as age=60-79,80+") from None
        if not items:
            continue
        name, together = named_categories("merged categories", [item.strip() for item in items], known)
        found.setdefault(name, []).append(together)
    return found
