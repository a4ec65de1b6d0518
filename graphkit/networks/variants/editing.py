"""Add and delete edges so that every class is k-anonymous, within the constraints."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.realization.realizing import realize
from graphkit.networks.variants.balance import balanced
from graphkit.networks.variants.demand_moves import Moves, choose_demands
from graphkit.networks.variants.edits import Edits
from graphkit.networks.variants.problem import Problem

_MAPPINGS = 8
_WORK = 40_000
"""Changes of degrees after which no other choice of vertices is tried: it would bring little and take long."""


def edit(problem: Problem, moves: Moves, rng: Rng, budget: Budget) -> Iterator[tuple[Ints, Ints]]:
    """Yield (added, deleted) edges that respect the constraints, each with fewer changes than the one before.

    Parameters
    ----------
    problem : Problem
        The graph and its constraints, deletions allowed.
    moves, rng, budget
        As for :func:`~graphkit.networks.variants.insertion.insertions`.

    Notes
    -----
    Moves are balanced first, since the number of edges changes by half their balance, whatever is done. Then, for a
    choice of vertices: edges between two that must lose go (one change serves two), pairs that must gain are joined;
    one that must lose and one that must gain switch an edge vu to uw; what is left on one side is met with the help of
    an edge xy elsewhere (xy, then ax and by) or of vertices that need no protection. There may be no answer at the
    end: that proves nothing.

    References
    ----------
    Casas-Roma, Herrera-Joancomartí, Torra 2013, "An algorithm for k-degree anonymity on large networks" (UMGA).
    """
    moves = balanced(problem, moves)
    best: int | None = None
    for attempt in range(_MAPPINGS):
        if budget.is_spent() or (best is not None and attempt * moves.cost > _WORK):
            return
        edits = _attempt(problem, choose_demands(problem, moves, rng), rng)
        if edits is None:
            continue
        added, deleted = edits.as_arrays()
        size = int(added.shape[0] + deleted.shape[0])
        if best is None or size < best:
            best = size
            yield added, deleted
        if 2 * size <= moves.cost + 1:
            return


def _attempt(problem: Problem, demands: Ints, rng: Rng) -> Edits | None:
    """Return the edits that change degrees by exactly the demands (vertices without protection aside), or None."""
    edits = Edits(problem, demands, rng)
    _delete_among_losers(problem, edits, rng)
    _join_gainers(problem, edits, rng)
    edits.switch()
    edits.use_helpers()
    edits.detour()
    return edits if edits.is_done else None


def _delete_among_losers(problem: Problem, edits: Edits, rng: Rng) -> None:
    losers = np.flatnonzero(edits.demands < 0)
    pairs = problem.view.edges_among(losers)
    weight = edits.demands[pairs].sum(axis=1)
    for a, b in pairs[np.lexsort((rng.random(pairs.shape[0]), weight))].tolist():
        if edits.demands[a] < 0 and edits.demands[b] < 0:
            edits.delete(a, b)


def _join_gainers(problem: Problem, edits: Edits, rng: Rng) -> None:
    gainers = np.flatnonzero(edits.demands > 0)
    closed = np.concatenate((problem.view.edges_among(gainers), problem.blocked_among(gainers)))
    pairs, _ = realize(DemandMap(gainers, edits.demands[gainers], np.searchsorted(gainers, closed)), rng)
    for a, b in pairs.tolist():
        edits.add(a, b)
