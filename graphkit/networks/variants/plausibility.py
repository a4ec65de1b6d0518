"""Which of two edges looks more like an edge that was always there, and exchanges that make added edges look so."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.graphs.neighbourhoods import Neighbourhoods
from graphkit.networks.variants.problem import Problem, pair_of

_SAMPLE = 4000
_TRIES_PER_EDGE = 300
_TRIES = 100_000
_CLOSE = 0.005
"""Distance from 1/2 that a sample of the original's edges cannot tell from none."""


@dataclass(frozen=True, slots=True)
class Plausibility:
    """How much added edges look like edges of the original. As protected as the number of added edges.

    The *score* of a pair is ``c / (c + 1) + s / 2`` with c the number of common neighbours in the original and s the
    smaller of its two degrees there divided by the larger.
    """

    added: float
    """Mean score of the added edges."""
    before: float
    """Mean score of the edges that were added before exchanges."""
    original: float
    """Mean score of edges of the original (a sample of 4000 where there are more)."""
    distinguishability: float
    """Probability that an edge of the original scores higher than an added one, ties half.

    0.5 is best: the score tells nothing. At 1 every added edge looks less real than any of the original, at 0 every one
    looks *too* real: both give the added edges away.
    """
    distinguishability_before: float
    """The same of the edges that were added before exchanges; never nearer to 0.5."""

    @property
    def distance(self) -> float:
        """How far `distinguishability` is from 0.5: 0 is best, 0.5 worst."""
        return abs(self.distinguishability - 0.5)


class Scores:
    """Scores of pairs, with the neighbourhoods that were asked for so far, and edges of the original to compare with.

    Parameters
    ----------
    problem : Problem
        The graph.
    rng : numpy.random.Generator
        Draws the edges to compare with, where there are more than 4000.
    """

    def __init__(self, problem: Problem, rng: Rng) -> None:
        self._problem = problem
        self.near = Neighbourhoods(problem.view)
        self.original: list[float] = sorted(self.of_all(_compared_edges(problem, rng)).tolist())

    def of(self, a: int, b: int) -> float:
        """Return the score of a pair."""
        common = len(self.near.of(a) & self.near.of(b))
        low, high = sorted((int(self._problem.degrees[a]), int(self._problem.degrees[b])))
        return common / (common + 1) + (low / high if high else 1.0) / 2

    def of_all(self, edges: Ints) -> Floats:
        """Return the scores of edges, shape (s,)."""
        self.near.fetch(edges.ravel().tolist())
        return np.array([self.of(a, b) for a, b in edges.tolist()], dtype=np.float64)

    def lead(self, a: int, b: int) -> int:
        """Return by how many edges of the original more score above a pair than below it."""
        score = self.of(a, b)
        low, high = bisect_left(self.original, score), bisect_right(self.original, score)
        return len(self.original) - high - low


def plausibility_of(scores: Scores, added: Ints, before: Ints) -> Plausibility:
    """Return how much added edges look like the original's.

    Parameters
    ----------
    scores : Scores
        Of the graph.
    added, before : ndarray of int64, shape (s, 2)
        New edges, after and before exchanges.
    """
    original = float(np.mean(scores.original)) if scores.original else 0.0
    if added.size == 0 or not scores.original:
        return Plausibility(0.0, 0.0, original, 0.5, 0.5)
    return Plausibility(
        float(scores.of_all(added).mean()),
        float(scores.of_all(before).mean()),
        original,
        _distinguishability(scores, added),
        _distinguishability(scores, before),
    )


def _distinguishability(scores: Scores, edges: Ints) -> float:
    lead = sum(scores.lead(a, b) for a, b in edges.tolist())
    return 0.5 + lead / (2 * len(scores.original) * len(edges))


def _compared_edges(problem: Problem, rng: Rng) -> Ints:
    """Return all edges of the graph, or a sample where they are many: a vertex by its degree, then a neighbour."""
    total = int(problem.degrees.sum())
    if total <= 2 * _SAMPLE:
        return problem.view.edges_among(np.flatnonzero(problem.degrees))
    ends = np.cumsum(problem.degrees)
    picks = np.sort(rng.integers(total, size=_SAMPLE))
    vertices = np.searchsorted(ends, picks, side="right")
    offsets = picks - (ends[vertices] - problem.degrees[vertices])
    distinct, place = np.unique(vertices, return_inverse=True)
    near = problem.view.neighbours(distinct)
    return np.array(
        [(v, int(near[i][j])) for v, i, j in zip(vertices.tolist(), place.tolist(), offsets.tolist(), strict=True)],
        dtype=np.int64,
    )


def make_plausible(problem: Problem, scores: Scores, added: Ints, deleted: Ints, rng: Rng, budget: Budget) -> Ints:
    """Return as many new edges, as good for k-anonymity, that look about as real as edges of the original.

    Two exchanges are tried at random and kept when `Plausibility.distance` shrinks: edges ab and cd become ac and bd,
    which leaves all degrees as they are; and ab becomes ac where c is a vertex of the class and degree of b that was
    not touched and is tied to a neighbour of a, which only lets b and c change roles.

    Notes
    -----
    More of a good thing is no better: edges with more common contacts than edges of the original have would be
    recognized by that. So the exchanges end as soon as the distance is below 0.005.

    At most 100 000 tries; each costs two or four intersections of neighbourhoods. No exchange makes a pair that is
    forbidden or an edge of the original, so that everything that held before holds after.
    """
    if added.shape[0] == 0 or not scores.original:
        return added
    scores.near.fetch(added.ravel().tolist())
    edges = [(a, b) for a, b in added.tolist()]
    taken = set(edges) | set(problem.blocked) | {(a, b) for a, b in deleted.tolist()}
    gain = np.bincount(added.ravel(), minlength=problem.n)
    touched = gain + np.bincount(deleted.ravel(), minlength=problem.n)

    def is_open(a: int, b: int) -> bool:
        return a != b and b not in scores.near.of(a) and pair_of(a, b) not in taken

    def replace(i: int, new: tuple[int, int]) -> None:
        taken.remove(edges[i])
        taken.add(new)
        edges[i] = new

    # of all added edges together, in whole numbers: 0 where the distance is
    lead = sum(scores.lead(a, b) for a, b in edges)
    close = 2 * _CLOSE * len(scores.original) * len(edges)

    def improves(old: tuple[tuple[int, int], ...], new: tuple[tuple[int, int], ...]) -> bool:
        nonlocal lead
        then = lead + sum(scores.lead(*pair) for pair in new) - sum(scores.lead(*pair) for pair in old)
        # far below or above all edges of the original a step changes no lead; it may all the same be in the right way
        better = abs(then) < abs(lead) or (
            then == lead and (sum(scores.of(*p) for p in new) - sum(scores.of(*p) for p in old)) * lead > 0
        )
        if better:
            lead = then
        return better

    tries = min(_TRIES, _TRIES_PER_EDGE * len(edges))
    draws = rng.random((tries, 5)).tolist()
    for number, (kind, first, second, third, fourth) in enumerate(draws):
        if abs(lead) <= close:
            break
        if number % 256 == 0 and budget.is_spent():
            break
        i = int(first * len(edges))
        a, b = edges[i] if third < 0.5 else edges[i][::-1]
        if kind < 0.5:
            j = int(second * len(edges))
            c, d = edges[j] if fourth < 0.5 else edges[j][::-1]
            if i == j or len({a, b, c, d}) < 4 or not (is_open(a, c) and is_open(b, d)):
                continue
            if improves(((a, b), (c, d)), ((a, c), (b, d))):
                replace(i, pair_of(a, c))
                replace(j, pair_of(b, d))
        elif gain[b] == touched[b] == 1 and len(near := scores.near.ordered(a)):
            through = scores.near.ordered(int(near[int(second * len(near))]))
            c = int(through[int(fourth * len(through))])
            if (
                touched[c] == 0
                and not problem.fixed[c]
                and problem.capacity[c] > 0
                and problem.classes[c] == problem.classes[b]
                and problem.degrees[c] == problem.degrees[b]
                and is_open(a, c)
                and improves(((a, b),), ((a, c),))
            ):
                replace(i, pair_of(a, c))
                gain[b] = touched[b] = 0
                gain[c] = touched[c] = 1
    return np.array(sorted(edges), dtype=np.int64)
