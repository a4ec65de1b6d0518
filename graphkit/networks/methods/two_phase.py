"""Cheapest k-anonymous sequence, wasted up to a graphic one, realized with random mappings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.fallback import complete_somehow
from graphkit.networks.graph_view import GraphView
from graphkit.networks.graphic import erdos_gallai
from graphkit.networks.mapping import map_demands
from graphkit.networks.realization import realize
from graphkit.networks.sequences.lifts import Lifts, demand_counts
from graphkit.networks.sequences.position_dp import minimum_lifts
from graphkit.networks.waste import add_waste

__all__ = ["two_phase"]

_MAPPINGS = 8
_WASTES = 24


def two_phase(
    view: GraphView,
    k: int,
    lower_bound: int,
    rng: np.random.Generator,
    budget: Budget,
    progress: Callable[[str, int | None, int | None], None],
) -> NDArray[np.int64]:
    """Return edges that make the graph k-anonymous.

    The cheapest sequence is wasted until its demands are graphic. Where no mapping of it can be realized, what was left
    over tells how many partners were missing, and that much is wasted in addition. When waste does not help either,
    :func:`~graphkit.networks.fallback.complete_somehow` ends with a valid set.

    Notes
    -----
    Solutions are tried by rising cost, so the first realized one is the best of the family.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.
    """
    progress("sequence", None, lower_bound)
    blocks = view.block_sequence()
    lifts, _ = minimum_lifts(blocks, k)
    waste = _graphic_waste(lifts)
    for _ in range(_WASTES):
        wasted = add_waste(blocks, lifts, k, waste)
        if wasted is None or budget.is_spent():
            break
        edges, missing = _realize(view, wasted, rng, budget)
        if missing == 0:
            progress("realize", int(edges.shape[0]), lower_bound)
            return edges
        waste += missing
    progress("complete", None, lower_bound)
    return complete_somehow(view, k, rng, budget)


def _graphic_waste(lifts: Lifts) -> int:
    """Return the least waste in units of 1 after which the demands are graphic."""
    waste = max(erdos_gallai(demand_counts(lifts)).deficit, 0)
    return waste + (lifts.cost + waste) % 2


def _realize(view: GraphView, lifts: Lifts, rng: np.random.Generator, budget: Budget) -> tuple[NDArray[np.int64], int]:
    """Return edges and the demand they leave, the least over several mappings."""
    best, least = np.empty((0, 2), dtype=np.int64), -1
    for _ in range(_MAPPINGS):
        edges, leftover = realize(map_demands(view, lifts, rng), rng)
        missing = int(leftover.sum())
        if least < 0 or missing < least:
            best, least = edges, missing
        if least == 0 or budget.is_spent():
            break
    return best, least
