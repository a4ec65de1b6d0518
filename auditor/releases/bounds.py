"""What can be worked out of the cells of a table from marginals: those that are out, or others to try."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.errors import BadInput
from auditor.releases.history import sets_that_are_out
from auditor.store.table_looks import record_look
from graphkit.budget import Budget
from graphkit.tables.cell_bounds import CellBounds, bounds
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.counting import TableCount, count_tables
from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals

if TYPE_CHECKING:
    from auditor.store import Store
    from auditor.store.releases import TableState

__all__ = ["TableBounds", "bound_cells", "given_sets", "look_at_bounds", "proven_sets"]


@dataclass(frozen=True, slots=True, eq=False)
class TableBounds:
    """Bounds of cells, with what they follow from. Protected."""

    table: ContingencyTable
    given: tuple[Axes, ...]
    """Sets of variables, the smallest first; none of them is the total alone."""
    found: CellBounds
    tables: TableCount | None = None
    """How many tables have the marginals, where that was asked for and could be counted."""


def proven_sets(state: TableState) -> tuple[set[Axes], int]:
    """Return the marginals of a table's population that are out, and how many are not among them as simulated ones.

    A simulated marginal tells nothing of the true counts that the others do not tell.
    """
    real = [
        replace(version, released=tuple(marginal for marginal in version.released if not marginal.simulated))
        for version in state.history
    ]
    simulated = sum(marginal.simulated for version in state.history for marginal in version.released)
    return sets_that_are_out(replace(state, history=tuple(real))), simulated


def given_sets(
    table: ContingencyTable,
    out: Iterable[Axes],
    given: Sequence[Iterable[str]] | None,
    more: Sequence[Iterable[str]],
) -> tuple[Axes, ...]:
    """Return the sets of variables to bound from, each once, the smallest first.

    Parameters
    ----------
    table : ContingencyTable
    out : iterable of tuple of int
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
    sets = {table.axes(names) for names in named} | (set(out) if given is None else set())
    return tuple(sorted(sets, key=lambda axes: (len(axes), axes)))


def bound_cells(
    table: ContingencyTable,
    given: Sequence[Axes],
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
    given : sequence of tuple of int
        Sets of variables whose marginals are known.
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
        If the table is too large for bounds of all cells, or for sharp ones.
    """
    budget = Budget(clock, time_limit)
    found = bounds(table, given, cells=cells, exact=exact, time_limit=time_limit, clock=clock)
    if count is None:
        return TableBounds(table, tuple(given), found)
    left = max(budget.remaining(), 1.0) if time_limit is not None else None
    counted = count_tables(ReleasedMarginals.of(table, given), most=count, budget=Budget(clock, left))
    return TableBounds(table, tuple(given), found, counted)


def look_at_bounds(
    store: Store, state: TableState, given: Sequence[Axes], *, cells: int, exact: bool, actor: str, counted: bool
) -> int:
    """Record that the bounds of a stored table are about to be shown; return the position of the entry."""
    names = state.table.names
    payload: dict[str, Any] = {
        "cells": cells,
        "exact": exact,
        "given": [[names[axis] for axis in axes] for axes in given],
        "tables_counted": counted,
    }
    return record_look(store.connection, store.ledger, state.row, "table_bounds", payload, actor=actor)
