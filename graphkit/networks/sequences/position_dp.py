"""The cheapest k-anonymous degree sequence, position by position (Liu and Terzi), on truncated blocks.

Groups of k to 2k−1 consecutive vertices, by descending degree, are raised to the largest degree in the group.
"""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises
from graphkit.networks.sequences.group_costs import best_groups, borders_of


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
    caps = np.full_like(degrees, cost.reward_up_to)
    least, previous = best_groups(degrees, k, cost.base, cost.over, cost.knee, 1, caps)
    borders = borders_of(previous)
    target = np.repeat(degrees[borders[:-1]], np.diff(borders))
    return merge_raises(degrees, target, np.ones_like(degrees)), int(least[-1])
