"""The cheapest k-anonymous degree sequence, position by position (Liu and Terzi), on truncated blocks.

Groups of k to 2k−1 consecutive vertices, by descending degree, are raised to the largest degree in the group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.kernels import compiled
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises


@dataclass(frozen=True, slots=True)
class SequenceCost:
    """Convex cost of a demand: ``c(d) = d·base + over·max(d − knee, 0) − min(reward_up_to, d)``.

    The defaults give ``c(d) = d``, the plain cost. All weights are integers, so that no rounding occurs.
    The dynamic program needs c convex and monotone on d ≥ 0; see :func:`minimum_raises`.
    """

    base: int = 1
    over: int = 0
    knee: int = 0
    reward_up_to: int = 0


def minimum_raises(block_sequence: Ints, k: int, cost: SequenceCost | None = None) -> tuple[DegreeRaises, int]:
    """Return degree raises of least cost that make a block sequence k-anonymous, and that cost.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    k : int
        Required block size, from 1 to the number of vertices.
    cost : SequenceCost, optional
        Cost of one demand; the demand itself by default.

    Returns
    -------
    raises : DegreeRaises
        No target is above Δ.
    value : int
        Sum of the costs of all demands; minimal over all k-anonymous sequences above the given one.

    Raises
    ------
    InvalidInput
        If there are fewer than `k` vertices.

    Notes
    -----
    With P = Σ min(b_d, 5k) positions: O(P·k) time, O(P) space, so neither depends on the number of vertices.

    *Groups of fewer than 2k suffice*: a longer group can be cut, and its lower part keeps a lower target.
    *Blocks may be cut to 5k*: groups that cross the borders of a block take at most 2(2k−1) of its vertices, and
    the k or more that remain, always costless, can be divided into groups of k to 2k−1 however many they are.
    *Sorted to sorted is best* because c is convex: exchanging the targets of two vertices whose order the targets
    reverse does not raise the sum.

    References
    ----------
    K. Liu, E. Terzi, Towards identity anonymization on graphs, SIGMOD 2008, section 5.

    Examples
    --------
    >>> raises, value = minimum_raises(np.array([0, 3, 1, 4, 0, 1, 1]), k=2)
    >>> raises.source.tolist(), raises.target.tolist(), raises.count.tolist(), value
    ([2, 5], [3, 6], [1, 1], 2)
    """
    cost = cost or SequenceCost()
    blocks = np.asarray(block_sequence, dtype=np.int64)
    n = int(blocks.sum())
    if not 1 <= k <= n:
        raise InvalidInput(f"k ({k}) must be between 1 and the number of vertices ({n})")
    occupied = np.flatnonzero(blocks)[::-1]
    kept = np.minimum(blocks[occupied], 5 * k)
    degrees = np.repeat(occupied, kept)
    value, cuts = _best_groups(degrees, k, cost.base, cost.over, cost.knee, cost.reward_up_to)
    target = degrees[_group_starts(cuts, degrees.size)]
    return merge_raises(degrees, target, np.ones_like(degrees)), int(value)


def _group_starts(cuts: Ints, size: int) -> Ints:
    """Return for every position the first position of its group, following the cuts back from the end."""
    starts = np.empty(size, dtype=np.int64)
    end = size
    while end > 0:
        begin = int(cuts[end])
        starts[begin:end] = begin
        end = begin
    return starts


@compiled
def _best_groups(degrees: Ints, k: int, base: int, over: int, knee: int, reward_up_to: int) -> tuple[int, Ints]:
    """Return the least cost and, for every end of a group, where the group begins.

    `degrees` descend. F[q] = min over p of F[p] + cost(p, q), group [p, q) raised to degrees[p]. A demand exceeds
    x exactly for the vertices of degree below degrees[p] − x, which are a suffix of the group: prefix sums and
    the number of vertices of at least a given degree give the cost of a group in O(1).
    """
    size = degrees.size
    top = degrees[0]
    prefix = np.zeros(size + 1, np.int64)
    for i in range(size):
        prefix[i + 1] = prefix[i] + degrees[i]
    at_least = np.zeros(top + 2, np.int64)  # vertices of degree >= d
    for i in range(size):
        at_least[degrees[i]] += 1
    for d in range(top - 1, -1, -1):
        at_least[d] += at_least[d + 1]
    infinite = np.int64(1) << 60
    best = np.full(size + 1, infinite, np.int64)
    cuts = np.full(size + 1, -1, np.int64)
    best[0] = 0
    for q in range(k, size + 1):
        for p in range(max(0, q - 2 * k + 1), q - k + 1):
            if best[p] >= infinite:
                continue
            goal = degrees[p]
            demand = (q - p) * goal - (prefix[q] - prefix[p])
            value = best[p] + base * demand
            if over != 0:
                edge = goal - knee
                first = p if edge > top else (at_least[edge] if edge > 0 else size)
                first = min(max(first, p), q)
                value += over * ((q - first) * edge - (prefix[q] - prefix[first]))
            if reward_up_to != 0:
                edge = goal - reward_up_to
                first = min(max(at_least[edge] if edge > 0 else size, p), q)
                value -= demand - ((q - first) * edge - (prefix[q] - prefix[first]))
            if value < best[q]:
                best[q] = value
                cuts[q] = p
    return best[size], cuts
