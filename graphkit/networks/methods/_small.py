"""Small graphs: sequences drawn at random, and the answers of the other methods."""

from collections.abc import Iterator
from copy import deepcopy
from functools import partial

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._first_solution import realize_raises
from graphkit.networks.methods.clustering import clustering
from graphkit.networks.methods.liu_terzi import liu_terzi
from graphkit.networks.methods.two_phase import two_phase
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import DegreeRaises, demand_counts
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.position_dp import minimum_raises

_VERTICES = 100
_METHOD = SECOND // 4
"""About what another method takes at most for so few vertices, but for trials to map one sequence."""
_TRIAL = 300
"""About what such a trial takes, beside its questions to the graph."""
_ROUNDS = 60
_DRAWN = 30
_TRIED = 6
_BITS = 1 << 26


def compared(view: GraphView, k: int, standing: Standing, rng: Rng) -> Iterator[None]:
    """Improve what stands by sequences drawn at random and by what the other methods answer, if the graph is small.

    With the generator that a method would be given, it answers what it would: then none is better than the result,
    where there is work for all of them.
    """
    if view.vertex_count > _VERTICES:
        return
    budget = standing.budget
    for edges in drawn_sequences(view, k, standing.size, deepcopy(rng), budget):
        standing.offer(edges)
    budget.charge(_METHOD)
    yield
    for method in (clustering, liu_terzi, partial(two_phase, price=_TRIAL)):
        if standing.is_done:
            return
        standing.offer(method(view, k, deepcopy(rng), budget, silent))
        budget.charge(_METHOD)
        yield


def drawn_sequences(view: GraphView, k: int, size: int, rng: Rng, budget: Budget) -> Iterator[Ints]:
    """Yield sets of fewer and fewer edges that make the graph k-anonymous, all fewer than `size`.

    The cheapest sequences, and what slack demand makes of them, leave most vertices where they are. With few more than
    k vertices, or few pairs that are not adjacent, no such sequence can be realized. So sequences of one cost are drawn
    among all, those that come closest to being graphic are tried, and the cost is raised by half of what is missing;
    once that succeeds, lower costs are tried.

    Notes
    -----
    Nothing is yielded where the table of all sequences would be large.
    """
    blocks = view.block_sequence()
    least, n, limit = minimum_raises(blocks, k)[0].cost, int(blocks.sum()), 2 * size - 2
    if limit < least or n * min(n, 2 * k + limit - least) * (limit - least) > _BITS:
        return
    sequences = BlockSequences(blocks, k, excess=limit - least, raise_maximum=n - blocks.size)
    costs = np.array([cost for cost in sequences.costs() if cost % 2 == 0], dtype=np.int64)
    low, high = 0, costs.size
    i = low
    for _ in range(_ROUNDS):
        if low >= high or budget.is_spent():
            return
        drawn = [sequences.at_random(int(costs[i]), rng) for _ in range(_DRAWN)]
        realized, missing = _any_realized(view, drawn, rng, budget)
        if realized is not None:
            yield realized
            high = i
            i = (3 * low + high) // 4
        else:
            low = i + 1
            i = min(int(np.searchsorted(costs, costs[i] + max(1, missing // 2))), high - 1)


def _any_realized(view: GraphView, drawn: list[DegreeRaises], rng: Rng, budget: Budget) -> tuple[Ints | None, int]:
    """Return a realization of one of the sequences that come closest to being graphic, or None and what is missing."""
    deficits = [max(erdos_gallai(demand_counts(raises)).deficit, 0) for raises in drawn]
    least = min(deficits)
    for i in sorted(range(len(drawn)), key=deficits.__getitem__)[:_TRIED]:
        if deficits[i] > 0:
            break
        edges, missing = realize_raises(view, drawn[i], rng, budget)
        if missing == 0:
            return edges, 0
        least = missing if least == 0 else min(least, missing)
    return None, least
