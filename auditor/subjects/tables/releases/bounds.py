"""What can be worked out of the cells of a table from marginals: those that are out, or others to try."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.subjects.tables.releases.history import surely_out
from auditor.subjects.tables.stored.disclosure_views import record_look
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from graphkit.budget import Budget
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.search.counting import TableCount, count_tables
from graphkit.tables.sharp_bounds.cell_bounds import CellBounds, bounds
from graphkit.tables.structure.contingency import ContingencyTable

if TYPE_CHECKING:
    from auditor.store import Store
    from auditor.subjects.tables.stored.releases import TableState


@dataclass(frozen=True, slots=True, eq=False)
class TableBounds:
    """Bounds of cells, with what they follow from. Protected."""

    table: ContingencyTable
    given: tuple[RecodedMarginal, ...]
    """Marginals, those of the fewest variables first; none of them is the total alone."""
    found: CellBounds
    tables: TableCount | None = None
    """How many tables have the marginals, where that was asked for and could be counted."""


def proven_marginals(state: TableState) -> tuple[set[RecodedMarginal], int]:
    """Return the marginals of a table's population that are out, and how many are not among them as simulated ones.

    A simulated marginal tells nothing of the true counts that the others do not tell.
    """
    simulated = sum(marginal.simulated for version in state.history for marginal in version.released)
    return surely_out(state), simulated


def given_marginals(
    table: ContingencyTable,
    out: Iterable[RecodedMarginal],
    given: Sequence[Iterable[str]] | None,
    more: Sequence[Iterable[str]],
) -> tuple[RecodedMarginal, ...]:
    """Return the marginals to bound from, each once, those of the fewest variables first.

    Parameters
    ----------
    table : ContingencyTable
    out : iterable of RecodedMarginal
        What is out.
    given : sequence of iterable of str, optional
        Names of variables that are taken instead of what is out.
    more : sequence of iterable of str
        Names of variables that are added.

    Raises
    ------
    InvalidInput
        If there is no such variable, or a set names one twice.
    BadInput
        If a set is empty.
    """
    named = [tuple(names) for names in (*(given or ()), *more)]
    if not all(named):
        raise BadInput("a marginal needs variables; write their names with commas between them, such as A,B")
    asked = {RecodedMarginal.plain(table, table.axes(names)) for names in named}
    found = asked | (set(out) if given is None else set())
    return tuple(sorted(found, key=lambda marginal: marginal.rank))


def bound_cells(
    table: ContingencyTable,
    given: Sequence[RecodedMarginal],
    *,
    cells: NDArray[np.int64] | None = None,
    exact: bool = True,
    count: int | None = None,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> TableBounds:
    """Return bounds of cells that follow from marginals of a table.

    Parameters
    ----------
    table : ContingencyTable
    given : sequence of RecodedMarginal
        What is known.
    cells : ndarray of int64, optional
        Numbers of cells; all by default.
    exact : bool, optional
        Whether to go on to sharp bounds.
    count : int, optional
        Count the tables that have the marginals, up to this number.
    time_limit : float, optional
        Seconds, for bounds and count together; the count has one at least.
    clock : callable, optional
        Returns seconds.

    Raises
    ------
    InvalidInput
        If the table is too large for bounds of all cells, or for sharp ones, or categories are merged in ways that are
        not nested.
    """
    budget = Budget(clock, time_limit)
    found = bounds(table, given, cells=cells, exact=exact, time_limit=time_limit, clock=clock)
    if count is None:
        return TableBounds(table, tuple(given), found)
    left = max(budget.remaining(), 1.0) if time_limit is not None else None
    nested = HierarchicalTable.of(table, given)
    released = nested.released()
    counted = count_tables(released, most=count, budget=Budget(clock, left))
    if counted is not None and not nested.is_one_to_one:
        # people may be in any of the categories that are merged everywhere
        counted = replace(counted, complete=False)
    return TableBounds(table, tuple(given), found, counted)


def look_at_bounds(
    store: Store,
    state: TableState,
    given: Sequence[RecodedMarginal],
    *,
    cells: int,
    exact: bool,
    actor: str,
    counted: bool,
) -> int:
    """Record that the bounds of a stored table are about to be shown; return the position of the entry."""
    marginals = [MarginalNames.of(marginal, state.row.variables) for marginal in given]
    payload: dict[str, Any] = {
        "cells": cells,
        "exact": exact,
        "given": [[*one.names] for one in marginals if not one.merged],
        "given_merged": [one.record() for one in marginals if one.merged],
        "tables_counted": counted,
    }
    return record_look(store.connection, store.ledger, state.row, "table_bounds", payload, actor=actor)
