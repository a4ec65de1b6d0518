"""What can be worked out of the cells of a table from marginals: those that are out, or others to try."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from auditor.subjects.tables.stored.rows import record_look
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


def given_marginals(
    table: ContingencyTable,
    out: Iterable[RecodedMarginal],
    given: Iterable[Iterable[str]] = (),
    more: Iterable[Iterable[str]] = (),
) -> tuple[RecodedMarginal, ...]:
    """Return the marginals to bound from, each once, those of the fewest variables first.

    Parameters
    ----------
    table : ContingencyTable
    out : iterable of RecodedMarginal
        What is out.
    given : iterable of iterable of str, optional
        Names of variables that are taken instead of what is out, if there are any.
    more : iterable of iterable of str, optional
        Names of variables that are added.

    Raises
    ------
    InvalidInput
        If there is no such variable, or a set names one twice.
    BadInput
        If a set is empty.
    """
    instead, added = ([tuple(names) for names in sets] for sets in (given, more))
    if not all((*instead, *added)):
        raise BadInput("a marginal needs variables; write their names with commas between them, such as A,B")
    named = {RecodedMarginal.plain(table, table.axes(names)) for names in (*instead, *added)}
    return tuple(sorted(named if instead else named.union(out), key=lambda marginal: marginal.rank))


@dataclass(frozen=True, slots=True, eq=False)
class BoundsRequest:
    """Which bounds of the cells of a table are to be computed."""

    given: Sequence[RecodedMarginal]
    """What is known."""
    _: KW_ONLY
    cells: NDArray[np.int64] | None = None
    """Numbers of cells; all by default."""
    exact: bool = True
    """Whether to go on to sharp bounds."""
    count: int | None = None
    """Count the tables that have the marginals, up to this number."""
    time_limit: float | None = None
    """Seconds, for bounds and count together; the count has one at least."""


def bound_cells(
    table: ContingencyTable, request: BoundsRequest, *, clock: Callable[[], float] | None = None
) -> TableBounds:
    """Return bounds of cells that follow from marginals of a table.

    Parameters
    ----------
    table : ContingencyTable
    request : BoundsRequest
    clock : callable, optional
        Returns seconds.

    Raises
    ------
    InvalidInput
        If the table is too large for bounds of all cells, or for sharp ones, or categories are merged in ways that are
        not nested.
    """
    given, limit = tuple(request.given), request.time_limit
    budget = Budget(clock, limit)
    found = bounds(table, given, cells=request.cells, exact=request.exact, time_limit=limit, clock=clock)
    if request.count is None:
        return TableBounds(table, given, found)
    left = max(budget.remaining(), 1.0) if limit is not None else None
    nested = HierarchicalTable.of(table, given)
    counted = count_tables(nested.released(), most=request.count, budget=Budget(clock, left))
    if counted is not None and not nested.is_one_to_one:
        # respondents may be in any of the categories that are merged everywhere
        counted = replace(counted, complete=False)
    return TableBounds(table, given, found, counted)


def record_view(store: Store, state: TableState, request: BoundsRequest, *, actor: str) -> int:
    """Record that the bounds of a stored table are about to be shown; return the position of the entry in the ledger.

    Raises
    ------
    NotFound, StoreConflict
        If the table is gone, or has other data by now.
    """
    marginals = [MarginalNames.of(marginal, state.row.variables) for marginal in request.given]
    payload: dict[str, Any] = {
        "cells": state.table.size if request.cells is None else int(request.cells.size),
        "exact": request.exact,
        "given": [[*one.names] for one in marginals if not one.merged],
        "given_merged": [one.record() for one in marginals if one.merged],
        "tables_counted": request.count is not None,
    }
    return record_look(store, state.row, "table_bounds", payload, actor=actor)
