"""Tables drawn from what is released, for answers that are no function of the rest of the table."""

import secrets
from collections.abc import Callable, Iterable

import numpy as np

from graphkit.errors import InvalidInput, LimitReached
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.simulation.simulating import simulate
from graphkit.tables.structure.contingency import ContingencyTable


def new_generator() -> np.random.Generator:
    """Return a generator whose seed comes from the operating system and is not kept."""
    return np.random.default_rng(secrets.randbits(128))


def draw_table(
    table: ContingencyTable,
    marginals: Iterable[RecodedMarginal],
    clock: Callable[[], float],
    time_limit: float,
) -> ContingencyTable | None:
    """Return a table that has some marginals, as a function of these and chance alone; None if none was found in time.

    Notes
    -----
    The engine looks at the marginals alone, so nothing else can show in what it draws.
    """
    try:
        drawn = simulate(table, marginals, seed=new_generator(), time_limit=time_limit, clock=clock)
    except (InvalidInput, LimitReached):
        # too large to be drawn, or nothing was found
        return None
    return drawn.tables[0] if drawn.complete else None
