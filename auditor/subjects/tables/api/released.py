"""Counts that are out, for whoever may have them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.core.errors import NotFound
from auditor.subjects.tables.releases.files import marginal_text
from auditor.subjects.tables.releases.pending import follows_from_out
from auditor.subjects.tables.stored.releases import Releases
from graphkit.tables.structure.contingency import ContingencyTable

if TYPE_CHECKING:
    from auditor.store import Store


def released_text(store: Store, name: str, names: Sequence[str], merged: Mapping[str, Iterable[Iterable[str]]]) -> str:
    """Return a marginal that went out, as CSV: the counts that went out, or what they add up to.

    Raises
    ------
    NotFound
        If it is not out, and does not follow from a marginal that is.
    """
    state = Releases(store).state(name, names, merged=merged)
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
