"""A valid solution at once: the cheapest k-anonymous sequence, wasted up to a graphic one, realized."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.realization.fallback import complete_somehow
from graphkit.networks.realization.mapping import map_demands
from graphkit.networks.realization.realizing import realize
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.lifts import Lifts, demand_counts
from graphkit.networks.sequences.position_dp import minimum_lifts
from graphkit.networks.sequences.slack_demand import add_waste

__all__ = ["first_solution", "realize_lifts"]

_MAPPINGS = 8
_WASTES = 24
_SEQUENCES = 100
_STATES = 100_000


def first_solution(
    view: GraphView,
    k: int,
    lower_bound: int,
    rng: np.random.Generator,
    budget: Budget,
    progress: Progress,
) -> NDArray[np.int64]:
    """Return edges that make the graph k-anonymous.

    The cheapest sequence is wasted until its demands are graphic. Where no mapping of it can be realized, what was left
    over tells how many partners were missing, and that much is wasted in addition; once that succeeds, less waste is
    tried. Where there are no large blocks to waste in, the sequences are enumerated by rising cost. When nothing of
    this is realized, :func:`~graphkit.networks.realization.fallback.complete_somehow` ends with a valid set.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.
    """
    progress("sequence", None, lower_bound)
    blocks = view.block_sequence()
    best: NDArray[np.int64] | None = None
    for search in (_by_waste, _by_enumeration, _by_completion):
        for edges in search(view, blocks, k, rng, budget):
            if best is None or edges.shape[0] < best.shape[0]:
                best = edges
                progress("realize", int(edges.shape[0]), lower_bound)
        if best is not None:
            break
    assert best is not None  # the last search always ends with a valid set
    return best


def _by_waste(
    view: GraphView, blocks: NDArray[np.int64], k: int, rng: np.random.Generator, budget: Budget
) -> Iterator[NDArray[np.int64]]:
    """Yield realizations of the cheapest sequence with waste, each with less of it than the one before."""
    lifts, _ = minimum_lifts(blocks, k)
    failed, waste = -1, _graphic_waste(lifts)
    realized: int | None = None
    for _ in range(_WASTES):
        wasted = add_waste(blocks, lifts, k, waste)
        if wasted is None or budget.is_spent():
            return
        edges, missing = realize_lifts(view, wasted, rng, budget)
        if missing == 0:
            yield edges
            realized = waste
        else:
            failed = waste
        if realized is None:
            waste += missing
        elif failed < 0 or realized - failed <= 2:
            return
        else:
            waste = failed + max(2, (realized - failed) // 4 * 2)


def _by_enumeration(
    view: GraphView, blocks: NDArray[np.int64], k: int, rng: np.random.Generator, budget: Budget
) -> Iterator[NDArray[np.int64]]:
    """Yield the first realization among the cheapest sequences, where their table is small."""
    excess = 2 * k
    if blocks.size * (2 * k + excess) > _STATES:
        return
    sequences = BlockSequences(blocks, k, excess=excess, raise_maximum=k)
    costs = (cost for cost in sequences.costs() if cost % 2 == 0)
    for lifts in islice((lifts for cost in costs for lifts in sequences.of_cost(cost)), _SEQUENCES):
        if budget.is_spent():
            return
        if _graphic_waste(lifts) > 0:
            continue
        edges, missing = realize_lifts(view, lifts, rng, budget)
        if missing == 0:
            yield edges
            return


def _by_completion(
    view: GraphView, blocks: NDArray[np.int64], k: int, rng: np.random.Generator, budget: Budget
) -> Iterator[NDArray[np.int64]]:
    """Yield a valid set, whatever it costs."""
    yield complete_somehow(view, k, rng, budget)


def _graphic_waste(lifts: Lifts) -> int:
    """Return the least waste in units of 1 after which the demands are graphic."""
    waste = max(erdos_gallai(demand_counts(lifts)).deficit, 0)
    return waste + (lifts.cost + waste) % 2


def realize_lifts(
    view: GraphView, lifts: Lifts, rng: np.random.Generator, budget: Budget
) -> tuple[NDArray[np.int64], int]:
    """Return edges and the demand they leave, the least over several mappings."""
    best, least = np.empty((0, 2), dtype=np.int64), -1
    for attempt in range(_MAPPINGS):
        edges, leftover = realize(map_demands(view, lifts, rng), rng)
        missing = int(leftover.sum())
        if least < 0 or missing < least:
            best, least = edges, missing
        # chance repairs a few conflicts; many mean that partners are missing, which no other mapping brings
        if least == 0 or budget.is_spent() or (attempt and least > _MAPPINGS):
            break
    return best, least
