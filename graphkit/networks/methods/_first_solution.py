"""A valid solution at once: the cheapest k-anonymous sequence, with slack demand up to a graphic one, realized."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.realization.fallback import complete_somehow
from graphkit.networks.realization.mapping import map_demands
from graphkit.networks.realization.realizing import realize
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import DegreeRaises
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.slack_demand import SlackSteps, add_slack_demand, graphic_slack

_MAPPINGS = 8
_SLACK_TRIALS = 24
_SEQUENCES = 100
_STATES = 100_000


def first_solution(view: GraphView, k: int, rng: Rng, budget: Budget, progress: Progress) -> Ints:
    """Return edges that make the graph k-anonymous.

    The cheapest sequence gets slack demand until its demands are graphic. Where no mapping of it can be realized, what
    was left over is the number of partners that were missing, and so much slack is added; once that succeeds, less
    slack is tried. Where there are no large blocks to take slack, the sequences are enumerated by rising cost. When
    nothing of this is realized, :func:`~graphkit.networks.realization.fallback.complete_somehow` ends with a valid set.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.
    """
    progress("sequence", None, None)
    blocks = view.block_sequence()
    for search in (_by_slack_demand, _by_enumeration):
        best: Ints | None = None
        for edges in search(view, blocks, k, rng, budget):
            if best is None or edges.shape[0] < best.shape[0]:
                best = edges
                progress("realize", int(edges.shape[0]), None)
        if best is not None:
            return best
    edges = complete_somehow(view, k, rng, budget)
    progress("realize", int(edges.shape[0]), None)
    return edges


def _by_slack_demand(view: GraphView, blocks: Ints, k: int, rng: Rng, budget: Budget) -> Iterator[Ints]:
    """Yield realizations of the cheapest sequence with slack demand, each with less of it than the one before."""
    raises, _ = minimum_raises(blocks, k)
    steps = SlackSteps(graphic_slack(raises))
    for _ in range(_SLACK_TRIALS):
        enlarged = add_slack_demand(blocks, raises, k, steps.slack)
        if enlarged is None or budget.is_spent():
            return
        edges, missing = realize_raises(view, enlarged, rng, budget)
        if missing == 0:
            yield edges
        if not steps.go_on(missing, missing):
            return


def _by_enumeration(view: GraphView, blocks: Ints, k: int, rng: Rng, budget: Budget) -> Iterator[Ints]:
    """Yield the first realization among the cheapest sequences, where their table is small."""
    excess = 2 * k
    if blocks.size * (2 * k + excess) > _STATES:
        return
    sequences = BlockSequences(blocks, k, excess=excess, raise_maximum=k)
    costs = (cost for cost in sequences.costs() if cost % 2 == 0)
    for raises in islice((raises for cost in costs for raises in sequences.of_cost(cost)), _SEQUENCES):
        if budget.is_spent():
            return
        if graphic_slack(raises) > 0:
            continue
        edges, missing = realize_raises(view, raises, rng, budget)
        if missing == 0:
            yield edges
            return


def realize_raises(view: GraphView, raises: DegreeRaises, rng: Rng, budget: Budget) -> tuple[Ints, int]:
    """Return edges and the demand they leave, the least over several mappings."""
    best, least = np.empty((0, 2), dtype=np.int64), -1
    for attempt in range(_MAPPINGS):
        edges, leftover = realize(map_demands(view, raises, rng), rng)
        missing = int(leftover.sum())
        if least < 0 or missing < least:
            best, least = edges, missing
        # chance repairs a few conflicts; many mean that partners are missing, which no other mapping brings
        if least == 0 or budget.is_spent() or (attempt and least > _MAPPINGS):
            break
    return best, least
