"""Tables drawn from what is out, for answers that are no function of the secret."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from graphkit.errors import LimitReached
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.simulation import simulate

__all__ = ["draw_tables"]


def draw_tables(
    table: ContingencyTable, sets: set[Axes], number: int, clock: Callable[[], float], time_limit: float
) -> tuple[ContingencyTable, ...] | None:
    """Return tables that have the marginals by some sets, as a function of these and chance alone; None if not found.

    Notes
    -----
    The engine is given the marginals, not the table, so that nothing else can show in what it draws. The seed comes
    from the operating system and is not kept.
    """
    marginals = ReleasedMarginals.of(table, sets)
    try:
        drawn = simulate(table, marginals, seed=secrets.randbits(63), draws=number, time_limit=time_limit, clock=clock)
    except LimitReached:
        return None
    return drawn.tables if drawn.start == "marginals" and drawn.diagnostics.converged else None
