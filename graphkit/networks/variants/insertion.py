"""Add edges so that every class is k-anonymous, within the constraints."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.realization.realizing import realize
from graphkit.networks.sequences.slack_demand import SlackSteps
from graphkit.networks.variants.demand_moves import Moves, add_moves, cheapest_moves, choose_demands
from graphkit.networks.variants.partners import join_to_others
from graphkit.networks.variants.problem import Problem

_SLACK_TRIALS = 24
_MAPPINGS = 8
_COMPLETIONS = 6
_ROUNDS = 30
_DOMINATED_PAIRS = 1_000_000


def insertions(problem: Problem, moves: Moves, rng: Rng, budget: Budget) -> Iterator[Ints]:
    """Yield sets of new edges, shape (s, 2), that respect the constraints, each with fewer edges than the one before.

    Parameters
    ----------
    problem : Problem
        The graph and its constraints.
    moves : Moves
        The cheapest moves.
    rng : numpy.random.Generator
        Source of all randomness.
    budget : Budget
        When it is spent, nothing more is tried.

    Notes
    -----
    The demands are realized among each other as in the unconstrained case, forbidden pairs counting as edges; what is
    left is met by vertices that need no protection, which are free partners, or, where there are none, by as many
    more vertices raised to the next degree of their class. Where that ends nowhere, demands that are left get
    arbitrary allowed partners, and what that spoils is repaired, round by round. There may be no answer at the end:
    that proves nothing.
    """
    best: int | None = None
    for edges in _by_slack_demand(problem, moves, rng, budget):
        if best is None or edges.shape[0] < best:
            best = edges.shape[0]
            yield edges
    if best is not None:
        return
    for start in _starts(problem, rng):
        if budget.is_spent():
            return
        edges_or_none = _in_rounds(problem, start, rng, budget)
        if edges_or_none is not None:
            yield edges_or_none
            return


def _by_slack_demand(problem: Problem, moves: Moves, rng: Rng, budget: Budget) -> Iterator[Ints]:
    """Yield realizations, with as much more growth as partners were missing, then with less of it."""
    helped = problem.helpers.size > 0
    steps = SlackSteps(0 if helped else moves.cost % 2)
    for _ in range(_SLACK_TRIALS):
        enlarged = add_moves(problem, moves, steps.slack)
        if enlarged is None or budget.is_spent():
            return
        edges, missing = _realized(problem, enlarged, rng, budget)
        if missing == 0:
            yield edges
            if helped:
                return
        if not steps.go_on(missing, missing if helped else missing + missing % 2):
            return


def _realized(problem: Problem, moves: Moves, rng: Rng, budget: Budget) -> tuple[Ints, int]:
    """Return edges and the demand they leave, the least over several choices of vertices."""
    best, least = np.empty((0, 2), dtype=np.int64), -1
    for attempt in range(_MAPPINGS):
        edges, missing = _realize_once(problem, choose_demands(problem, moves, rng), rng)
        if least < 0 or (missing, edges.shape[0]) < (least, best.shape[0]):
            best, least = edges, missing
        if (least == 0 and 2 * best.shape[0] <= moves.cost + 1) or budget.is_spent():
            break
        # chance repairs a few conflicts; with free partners, or where many are missing, it brings little
        if attempt and (least > _MAPPINGS or problem.helpers.size):
            break
    return best, least


def _realize_once(problem: Problem, demands: Ints, rng: Rng) -> tuple[Ints, int]:
    edges, leftover = _among(problem, demands, np.empty((0, 2), dtype=np.int64), rng)
    if leftover.any() and problem.helpers.size:
        edges, leftover = join_to_others(problem, edges, leftover, problem.helpers, rng)
    return edges, int(leftover.sum())


def _among(problem: Problem, demands: Ints, present: Ints, rng: Rng) -> tuple[Ints, Ints]:
    """Return `present` and new edges among the vertices with demands, and what is left of the demands, shape (n,)."""
    vertices = np.flatnonzero(demands)
    taken = present[np.isin(present, vertices).all(axis=1)]
    closed = np.concatenate((problem.view.edges_among(vertices), problem.blocked_among(vertices), taken))
    found = DemandMap(vertices, demands[vertices], np.searchsorted(vertices, closed))
    edges, rest = realize(found, rng)
    leftover = np.zeros(problem.n, dtype=np.int64)
    leftover[vertices] = rest
    return np.concatenate((present, edges)), leftover


def _starts(problem: Problem, rng: Rng) -> Iterator[Ints]:
    """Yield edges to begin the rounds with: none, several times, then all that are allowed at the largest vertices."""
    for _ in range(_COMPLETIONS):
        yield np.empty((0, 2), dtype=np.int64)
    if problem.constraints.max_increase is not None:
        return
    ranked = np.flatnonzero(~problem.fixed)
    ranked = ranked[np.argsort(-problem.degrees[ranked], kind="stable")]
    number = problem.k
    while number * problem.n <= _DOMINATED_PAIRS and ranked.size:
        chosen = np.zeros(problem.n, dtype=np.int64)
        chosen[ranked[:number]] = problem.capacity[ranked[:number]]
        yield join_to_others(problem, np.empty((0, 2), dtype=np.int64), chosen, ranked, rng)[0]
        if number >= ranked.size:
            return
        number = min(2 * number, ranked.size)


def _in_rounds(problem: Problem, start: Ints, rng: Rng, budget: Budget) -> Ints | None:
    """Return edges, `start` among them, that respect the constraints, or None after too many rounds."""
    edges = start
    movable = np.flatnonzero(~problem.fixed)
    for _ in range(_ROUNDS):
        gain = np.bincount(edges.ravel(), minlength=problem.n)
        if np.any(gain > problem.capacity) or budget.is_spent():
            return None
        degrees = problem.degrees + gain
        if problem.is_anonymous(degrees):
            return edges
        current = problem.grown(degrees, problem.capacity - gain)
        moves = cheapest_moves(current)
        if moves is None:
            return None
        before = edges.shape[0]
        demands = choose_demands(current, moves, rng)
        edges, leftover = _among(problem, demands, edges, rng)
        if leftover.any():
            edges, leftover = join_to_others(problem, edges, leftover, problem.helpers, rng)
        if leftover.any():
            partners = np.setdiff1d(movable, _companions(current, degrees + demands), assume_unique=True)
            edges, _ = join_to_others(problem, edges, leftover, partners, rng)
        if edges.shape[0] == before:
            return None
    return None


def _companions(problem: Problem, targets: Ints) -> Ints:
    """Return as many vertices at the degree of each fixed vertex as hide it: they must not be raised beyond it."""
    keys = problem.block_keys(problem.classes, targets)
    wanted, held = np.unique(keys[problem.fixed & (problem.classes >= 0)], return_counts=True)
    movable = np.flatnonzero(~problem.fixed & np.isin(keys, wanted))
    # those that stay where they are first
    order = movable[np.lexsort((targets[movable] != problem.degrees[movable], keys[movable]))]
    spans = []
    for key, number in zip(wanted.tolist(), held.tolist(), strict=True):
        here = order[np.searchsorted(keys[order], key) : np.searchsorted(keys[order], key, side="right")]
        spans.append(here[: max(0, problem.k - number)])
    return np.concatenate(spans) if spans else movable[:0]
