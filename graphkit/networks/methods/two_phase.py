"""The seed paper as printed: all cheapest sequences, Erdős–Gallai, 100 × 25 mappings, local exchange, slack demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.realization.fallback import complete_somehow
from graphkit.networks.realization.local_exchange import realize_at_random
from graphkit.networks.realization.transitions import choose_at_random, transition_mappings
from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import DegreeRaises, apply_raises, demand_counts, natural_raises
from graphkit.networks.sequences.graphic import advanced_deficit, erdos_gallai
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.reduction import reduce_blocks

_TRANSITIONS = 100
_TRIALS = 25
_SEQUENCES = 200
_SLACK_TRIALS = 60
_STATES = 200_000
_SETS = 8
_WORK = 2_000_000
_OVERHEAD = 200


@dataclass(slots=True)
class _Work:
    """Units of demand that phase 2 may still try to place: a limit that needs no clock."""

    left: int
    budget: Budget
    price: int
    """Units of the budget that a trial counts."""

    def is_spent(self) -> bool:
        return self.left <= 0 or self.budget.is_spent()

    def spend(self, units: int) -> None:
        self.left -= units
        self.budget.charge(self.price)


def two_phase(view: GraphView, k: int, rng: Rng, budget: Budget, progress: Progress, *, price: int = 0) -> Ints:
    """Return edges that make the graph k-anonymous; what it tries counts `price` each, nothing for a first answer.

    Sequences are enumerated by rising cost, after Rule 1, until one passes both Erdős–Gallai tests; the sequences of
    that cost are given to phase 2. When none is realized, the cheapest ones get slack demand until one is.

    Notes
    -----
    The paper has a limit of one hour, here the work is limited by count, so that the same input and seed give the
    same bits: sequences tested, and units of demand that phase 2 tries to place. A sequence with slack demand gets
    25 mappings without transition blocks, and what the best of them leaves over is added to its slack. What is not
    realized within the limits is left to :func:`~graphkit.networks.realization.fallback.complete_somehow`.

    References
    ----------
    Hartung, Hoffmann, Nichterlein, Improved upper and lower bound heuristics for degree anonymization in social
    networks, SEA 2014.
    """
    progress("sequence", None, None)
    blocks = view.block_sequence()
    work = _Work(_WORK, budget, price)
    tested: list[tuple[int, int, Ints]] = []
    passing_cost: int | None = None
    for after in _sequences(reduce_blocks(blocks, k), k):
        cost = _cost(blocks, after)
        if passing_cost is not None and (cost > passing_cost or work.is_spent()):
            break
        missing = _missing(view, blocks, after)
        tested.append((cost, missing, after))
        if missing == 0:
            passing_cost = cost
            edges, left = _realize(view, transition_mappings(blocks, after), rng, work)
            if left == 0:
                return edges
    progress("realize", None, None)
    best: Ints | None = None
    work.left = max(work.left, _WORK // 2)
    for _, missing, after in sorted(tested, key=lambda row: row[0] + row[1]):
        if work.is_spent() and best is not None:
            break
        limit = None if best is None else 2 * best.shape[0]
        enlarged = _realize_with_slack(view, blocks, after, missing, k, limit, rng, work)
        if enlarged is not None:
            best = enlarged
            progress("realize", int(best.shape[0]), None)
    return complete_somehow(view, k, rng, budget) if best is None else best


def _sequences(blocks: Ints, k: int) -> Iterator[Ints]:
    """Yield the cheapest k-anonymous sequences by rising cost, as far as the table goes; at least one."""
    excess = min(2 * k, max(_STATES // blocks.size - 2 * k, 0))
    if blocks.size * 2 * k > 10 * _STATES:
        yield apply_raises(blocks, minimum_raises(blocks, k)[0])
        return
    sequences = BlockSequences(blocks, k, excess=excess)
    found = (apply_raises(blocks, raises) for cost in sequences.costs() for raises in sequences.of_cost(cost))
    yield from islice(found, _SEQUENCES)


def _cost(before: Ints, after: Ints) -> int:
    """Return the sum of demands between two block sequences."""
    return int((np.arange(after.size) * after).sum() - (np.arange(before.size) * before).sum())


def _missing(view: GraphView, blocks: Ints, after: Ints) -> int:
    """Return how much slack demand a sequence needs by the Erdős–Gallai tests; 0 when it passes both."""
    raises = natural_raises(blocks, after)
    test = erdos_gallai(demand_counts(raises))
    missing = max(test.deficit, 0)
    if missing == 0 and test.is_even:
        missing = max(_advanced(view, blocks, after, raises), 0)
    return missing + (raises.cost + missing) % 2


def _advanced(view: GraphView, blocks: Ints, after: Ints, raises: DegreeRaises) -> int:
    """Return the largest deficit by sets of vertices whose demands are the same in every mapping."""
    size = max(blocks.size, after.size)
    present = np.pad(blocks, (0, size - blocks.size))
    passing = np.cumsum(present - np.pad(after, (0, size - after.size)))
    arriving = np.concatenate((np.zeros(1, dtype=np.int64), passing[:-1]))
    # where some go on and some stay, and those who arrive are among them, a transition block is possible
    transitions = np.cumsum((arriving > 0) & (passing > 0) & (passing < arriving + present))
    before = np.concatenate((np.zeros(1, dtype=np.int64), transitions))[raises.source]
    whole = (raises.count == blocks[raises.source]) & (transitions[raises.target] == before)
    if not whole.any():
        return 0
    own = view.vertices_of_degrees(raises.source[whole])
    vertices = np.concatenate(own)
    demands = np.repeat((raises.target - raises.source)[whole], [block.size for block in own])
    free = np.repeat((raises.target - raises.source)[~whole], raises.count[~whole])
    order = np.argsort(-demands, kind="stable")
    worst = 0
    # once a demand, as for the plain test; every set asks the graph, so a few of them must do
    sizes = np.flatnonzero(np.diff(demands[order], append=0)) + 1
    for size in sizes[np.unique(np.linspace(0, sizes.size - 1, _SETS).astype(np.int64))].tolist():
        subset = vertices[order[:size]]
        excess = advanced_deficit(view, subset, vertices, demands) - int(np.minimum(free, subset.size).sum())
        worst = max(worst, excess)
    return worst


def _realize(view: GraphView, mappings: Iterator[DegreeRaises], rng: Rng, work: _Work) -> tuple[Ints, int]:
    """Return the best realization over the mappings, each with 25 random choices of vertices, and what it leaves."""
    best, least = np.empty((0, 2), dtype=np.int64), -1
    for raises in islice(mappings, _TRANSITIONS):
        for _ in range(_TRIALS):
            if least >= 0 and work.is_spent():
                return best, least
            edges, leftover = realize_at_random(choose_at_random(view, raises, rng), rng)
            left = int(leftover.sum())
            work.spend(raises.cost + left + _OVERHEAD)
            if least < 0 or left < least:
                best, least = edges, left
            if left == 0:
                return best, 0
    return best, least


def _realize_with_slack(
    view: GraphView, blocks: Ints, after: Ints, missing: int, k: int, limit: int | None, rng: Rng, work: _Work
) -> Ints | None:
    """Return a realization of a sequence with slack demand, below `limit` units of demand, or None."""
    amount = missing or 2
    for _ in range(_SLACK_TRIALS):
        if limit is not None and _cost(blocks, after) + amount >= limit:
            return None
        least = -1
        for enlarged in _slack_sequences(after, k, amount):
            edges, left = _realize(view, iter([natural_raises(blocks, enlarged)]), rng, work)
            if left == 0:
                return edges
            least = left if least < 0 else min(least, left)
            if work.is_spent():
                return None
        if least < 0:
            return None
        amount += least
    return None


def _slack_sequences(after: Ints, k: int, amount: int) -> Iterator[Ints]:
    """Yield sequences with that much slack demand: between two large neighbouring blocks, else all that there are."""
    large = np.minimum(after[:-1] - k, np.where(after[1:] >= k, after[:-1], 0)) if after.size > 1 else after[:0]
    if large.size and large.max() >= amount:
        i = int(np.argmax(np.minimum(large, after[1:])))
        if large[i] < amount:
            i = int(np.argmax(large))
        enlarged = after.copy()
        enlarged[i] -= amount
        enlarged[i + 1] += amount
        yield enlarged
        return
    if after.size * (2 * k + amount) > _STATES:
        return
    every = BlockSequences(after, k, excess=amount)
    yield from islice((apply_raises(after, raises) for raises in every.of_cost(amount)), 10)
