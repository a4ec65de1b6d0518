"""Counts that are out, for whoever may have them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.errors import NotFound
from auditor.releases.files import marginal_text
from graphkit.tables.contingency import ContingencyTable

if TYPE_CHECKING:
    from auditor.store import Store

__all__ = ["released_text"]


def released_text(store: Store, name: str, names: Sequence[str], merged: Mapping[str, Iterable[Iterable[str]]]) -> str:
    """Return a marginal that went out, as CSV: the counts that went out, not those that the table has now.

    Raises
    ------
    NotFound
        If it is not out.
    """
    state = store.releases.state(name, tuple(names), "", merged)
    if state.present is None or state.present.status != "released":
        raise NotFound(f"this marginal of the table {name!r} is not out; request it first")
    variables = state.marginal.counts(state.table).variables
    counts = ContingencyTable.from_dense(state.present.dense(state.row.shape), variables)
    return marginal_text(counts, simulated=state.present.simulated)
