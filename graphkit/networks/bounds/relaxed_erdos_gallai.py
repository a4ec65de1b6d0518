"""A polynomial lower bound: one Erdős–Gallai inequality, relaxed into the cost of the sequence."""

import sys

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.networks.effort.work import SEQUENCE_STEPS
from graphkit.networks.sequences.degree_raises import DegreeRaises, demand_counts
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.position_dp import SequenceCost, minimum_raises

_WORK = 1_000_000_000


def relaxed_erdos_gallai_bound(block_sequence: Ints, k: int, *, work: int = _WORK, budget: Budget | None = None) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    k : int
        Required block size, from 1 to the number of vertices.
    work : int, optional
        Elementary steps of the dynamic program that may be spent; more steps never give a weaker bound.
    budget : Budget, optional
        Is charged with the steps.

    Returns
    -------
    int
        At least half of what :func:`~graphkit.networks.sequences.position_dp.minimum_raises` demands.

    Notes
    -----
    *Statement.* For r ≥ 1 let ``V_r = min over τ ≥ 0 of [const(τ) + min over k-anonymous D' ≥ D of Σ c_τ(D'_i − D_i)]``
    with ``h(d) = d + min(r, d)`` and

    - τ ≥ r: ``c_τ(d) = d + max(d−τ, 0) − min(r, d)``, ``const(τ) = rτ + r``;
    - τ < r: ``c_τ(d) = 2·max(d−τ, 0)``, ``const(τ) = 2rτ − r² + r``.

    Every S with G + S k-anonymous has ``|S| ≥ ⌈V_r / 2⌉``.

    *Proof.* The demands d of S are the degrees of a simple graph, so the Erdős–Gallai inequality for r holds:
    ``top_r(h(d)) − Σ min(r, d_i) − r(r−1) ≤ 0``, where top_r sums the r largest. Adding it to ``Σ d_i = 2|S|`` can only
    lower the sum. ``top_r(h(d)) = min over τ of r·h(τ) + Σ max(h(d_i) − h(τ), 0)``, reached where τ is the r-th largest
    demand; written out this is ``const(τ) + Σ c_τ(d_i)``. Minimizing over all k-anonymous D', and over τ, lowers it
    further. c_τ is convex and monotone, as the dynamic program needs.

    *The minimum over τ is covered without a gap.* Only τ up to M, the largest demand the program can choose, matter:
    beyond it const(τ) grows and nothing else changes. Since ``max(h(d) − h(τ'), 0) ≥ max(h(d) − h(τ), 0)`` for
    τ' < τ, a value at τ gives ``V(τ') ≥ V(τ) − r(h(τ) − h(τ'))``: intervals whose bound is above the best value
    found are closed, others are halved, and where `work` ends the weakest open interval counts.

    References
    ----------
    Lagrangian relaxation with multiplier 1 of the inequality in Hartung, Hoffmann, Nichterlein 2014, Lemma 2.

    Examples
    --------
    >>> blocks = np.array([20, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1])
    >>> relaxed_erdos_gallai_bound(blocks, k=2)  # demand 4 needs four partners
    4
    """
    raises, value = minimum_raises(block_sequence, k)
    step = max(1, int(np.minimum(block_sequence, 5 * k).sum()) * k)
    tried: set[int] = set()
    while work > 0:
        r = _next_r(raises, tried)
        if r is None:
            break
        tried.add(r)
        search = _Search(block_sequence, k, r, raises)
        found, evaluations = search.minimum(value, max(1, work // step))
        work -= evaluations * step
        if budget is not None:
            budget.charge(evaluations * step // SEQUENCE_STEPS)
        if found <= value:
            break
        value, raises = found, search.best_raises
    return (value + 1) // 2


def _next_r(raises: DegreeRaises, tried: set[int]) -> int | None:
    """Return the most violated inequality that was not used yet, or None."""
    test = erdos_gallai(demand_counts(raises))
    if test.deficit <= 0:
        return None
    return next((r for r in (test.r, test.r - 1, test.r + 1) if r >= 1 and r not in tried), None)


class _Search:
    """The minimum over τ for one r, by bisection with a one-sided Lipschitz bound."""

    def __init__(self, block_sequence: Ints, k: int, r: int, raises: DegreeRaises) -> None:
        self._blocks, self._k, self._r = block_sequence, k, r
        self.best_raises = raises
        self._best = sys.maxsize
        self._evaluations = 0

    def minimum(self, floor: int, evaluations: int) -> tuple[int, int]:
        """Return a proven lower bound on the minimum, and how many τ were evaluated.

        The search ends early, with an answer of at most `floor`, when the minimum is no better than `floor`.
        """
        occupied = np.flatnonzero(self._blocks)
        span = int(occupied[-1] - occupied[0])
        values = {tau: self._value(tau) for tau in (0, span)}

        def bound(interval: tuple[int, int]) -> int:
            """Return a lower bound on the values strictly between two τ."""
            low, high = interval
            return values[high] - self._r * (self._h(high) - self._h(low + 1))

        intervals = [(0, span)] if span > 1 else []
        while intervals and self._evaluations < evaluations and self._best > floor:
            low, high = weakest = min(intervals, key=bound)
            if bound(weakest) >= self._best:
                break
            intervals.remove(weakest)
            middle = (low + high) // 2
            values[middle] = self._value(middle)
            intervals += [part for part in ((low, middle), (middle, high)) if part[1] - part[0] > 1]
        return min([self._best, *map(bound, intervals)]), self._evaluations

    def _h(self, d: int) -> int:
        return d + min(self._r, d)

    def _value(self, tau: int) -> int:
        r = self._r
        if tau >= r:
            cost, constant = SequenceCost(base=1, over=1, knee=tau, reward_up_to=r), r * tau + r
        else:
            cost, constant = SequenceCost(base=0, over=2, knee=tau), 2 * r * tau - r * r + r
        raises, value = minimum_raises(self._blocks, self._k, cost)
        value += constant
        self._evaluations += 1
        if value < self._best:
            self._best, self.best_raises = value, raises
        return value
