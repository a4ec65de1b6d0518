"""Tables drawn from what is out, for answers that are no function of the secret."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import numpy as np

from graphkit.errors import LimitReached
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.recoding import RecodedMarginal
from graphkit.tables.simulation import simulate

__all__ = ["draw_tables"]


def draw_tables(
    table: ContingencyTable,
    marginals: Iterable[RecodedMarginal],
    number: int,
    clock: Callable[[], float],
    time_limit: float,
) -> tuple[ContingencyTable, ...] | None:
    """Return tables that have some marginals, as a function of these and chance alone; None if not found.

    Notes
    -----
    The engine looks at the marginals alone, so that nothing else can show in what it draws. The seed comes from the
    operating system and is not kept.
    """
    seed = np.random.default_rng(secrets.randbits(128))
    try:
        drawn = simulate(table, marginals, seed=seed, draws=number, blind=True, time_limit=time_limit, clock=clock)
    except LimitReached:
        return None
    return drawn.tables if drawn.start == "marginals" and drawn.diagnostics.converged else None
