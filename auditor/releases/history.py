"""What is out of a population, as marginals of its present table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from auditor.errors import BadInput
from graphkit.tables.decision import KnownBounds
from graphkit.tables.grouping import recoded_variable
from graphkit.tables.hypergraph import Axes
from graphkit.tables.nested_axis import chain_of
from graphkit.tables.nested_table import needed_marginals
from graphkit.tables.recoding import RecodedMarginal
from graphkit.tables.variable import Variable
from graphkit.tables.versions import retold

if TYPE_CHECKING:
    from auditor.store.releases import TableState

__all__ = ["check_nested", "marginals_in_order", "marginals_that_are_out", "present_bounds", "sets_that_are_out"]


def marginals_that_are_out(
    state: TableState,
    *,
    of_these_data: bool = False,
    simulated: bool = False,
    variables: Sequence[Variable] | None = None,
) -> set[RecodedMarginal]:
    """Return the marginals that are out, told in the variables of the present table.

    Parameters
    ----------
    state : TableState
    of_these_data : bool
        Whether to leave out what went out of other versions: nothing of the present counts follows from that.
    simulated : bool
        Whether to count simulated marginals, too: they tell nothing of the counts.
    variables : sequence of Variable, optional
        Those of another version, to tell them in.

    Notes
    -----
    What went out of another version of the data counts as if it had gone out of this one, as
    :func:`~graphkit.tables.versions.retold` tells it. What is lost by that is seen in the version itself:
    :attr:`~auditor.store.table_history.VersionHistory.lost`.
    """
    now = state.row.variables if variables is None else variables
    found = set()
    for version in state.history:
        if of_these_data and version.data != state.row.data:
            continue
        shape = tuple(variable.size for variable in version.variables)
        for marginal in version.released:
            if simulated or not marginal.simulated:
                here, _ = retold(marginal.recoded(shape), version.variables, now)
                if here.axes:
                    found.add(here)
    return found


def marginals_in_order(state: TableState) -> list[RecodedMarginal]:
    """Return the marginals that are out, in the variables of the present table, the first release first."""
    now = state.row.variables
    found = []
    for version in state.history:
        shape = tuple(variable.size for variable in version.variables)
        for marginal in version.released:
            if not marginal.simulated and marginal.released_at is not None:
                here, _ = retold(marginal.recoded(shape), version.variables, now)
                if here.axes:
                    found.append((marginal.released_at, here.rank, here))
    return list(dict.fromkeys(here for _, _, here in sorted(found)))


def sets_that_are_out(marginals: Iterable[RecodedMarginal]) -> set[Axes]:
    """Return the variables of the plain marginals among some, and of those that follow from merged ones."""
    return {marginal.plain_part for marginal in marginals}


def check_nested(state: TableState) -> None:
    """Stop if the requested marginal merges categories otherwise than what is out does.

    Raises
    ------
    BadInput
        If of two groupings of a variable neither is coarser: bounds from both together cannot be worked out.
    """
    known = needed_marginals(marginals_that_are_out(state))
    for axis, grouping in zip(state.marginal.axes, state.marginal.groupings, strict=True):
        out = [one for one in known if axis in one.axes]
        crossing = next((one for one in out if chain_of([one.grouping(axis), grouping]) is None), None)
        if crossing is not None:
            variable = state.row.variables[axis]
            groups = ", ".join(recoded_variable(variable, crossing.grouping(axis)).categories)
            raise BadInput(
                f"categories of '{variable.name}' are merged otherwise than in what is out ({groups}); "
                "merge only such categories with each other, or only categories within them"
            )


def present_bounds(state: TableState) -> KnownBounds | None:
    """Return the bounds of cells that were stored with the marginals that are out of the present data; None if none.

    They were proven from part of what is out, so they hold of all that is.
    """
    found = [
        marginal.bounds
        for version in state.history
        if version.data == state.row.data
        for marginal in version.released
        if marginal.bounds is not None and not marginal.simulated
    ]
    if not found:
        return None
    return KnownBounds(
        np.concatenate([bounds.cells for bounds in found]),
        np.concatenate([bounds.lower for bounds in found]),
        np.concatenate([bounds.upper for bounds in found]),
    )
