"""What is out of a population, as sets of variables of its present table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphkit.tables.decision import KnownBounds
from graphkit.tables.hypergraph import Axes

if TYPE_CHECKING:
    from auditor.store.releases import TableState

__all__ = ["present_bounds", "sets_that_are_out"]


def sets_that_are_out(state: TableState, *, of_these_data: bool = False, simulated: bool = False) -> set[Axes]:
    """Return the marginals that are out, by positions of the present table's variables, ascending.

    Parameters
    ----------
    state : TableState
    of_these_data : bool
        Whether to leave out what went out of other versions: nothing of the present counts follows from that.
    simulated : bool
        Whether to count simulated marginals, too: they tell nothing of the counts.

    Notes
    -----
    What went out of another version of the data counts as if it had gone out of this one, as far as the versions share
    variables with the same categories.
    """
    place = {variable: axis for axis, variable in enumerate(state.row.variables)}
    found = set()
    for version in state.history:
        if of_these_data and version.data != state.row.data:
            continue
        for marginal in version.released:
            if marginal.simulated and not simulated:
                continue
            axes = sorted(place[version.variables[axis]] for axis in marginal.axes if version.variables[axis] in place)
            if axes:
                found.add(tuple(axes))
    return found


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
