"""The cheapest k-anonymous sequence when demands of some vertices must be paid twice."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.core.violated_sets import ViolatedSet
from graphkit.networks.sequences.group_costs import best_groups, borders_of

SCALE = 64


def cheapest_groups(degrees: Ints, k: int, violated_set: ViolatedSet | None = None, multiplier: int = 0) -> Ints:
    """Return the borders of groups of least cost, each raised to the degree of its first position.

    Parameters
    ----------
    degrees : ndarray of int64, shape (p,)
        Degrees of all positions, descending; the core first.
    k : int
        Least size of a group; at most p.
    violated_set : ViolatedSet, optional
        Its inequality is relaxed into the cost.
    multiplier : int, optional
        Weight of the inequality in units of 1/64, from 0 to 64.

    Returns
    -------
    ndarray of int64, shape (g+1,)
        0 = first border < … < last border = p.

    Notes
    -----
    A demand d costs ``d + λd`` in the violated set and ``d − λ·min(d, partners)`` outside. The order of positions is
    kept, so this finds good sequences and no bound. O(p·k) steps.
    """
    caps = np.zeros(degrees.size, dtype=np.int64) if violated_set is None else violated_set.caps(degrees.size)
    return borders_of(best_groups(degrees, k, SCALE, 0, 0, multiplier, caps)[1])


def group_demands(degrees: Ints, borders: Ints, levels: Ints) -> Ints:
    """Return the demand of every position, given the borders of the groups and the degrees they are raised to."""
    return np.repeat(levels, np.diff(borders)) - degrees
