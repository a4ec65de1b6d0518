"""n-opt: cycles of records that take each other's places, found by shortest paths over groups in the order of ranks."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.microdata.microaggregation.groups import group_means
from graphkit.microdata.microaggregation.icsm._cycles import apply_cycles, new_room
from graphkit.microdata.microaggregation.icsm._weights import layout
from graphkit.microdata.microaggregation.neighbours import neighbours

MOST_NODES = 2_000
"""Records and groups among which a cycle is looked for at once: groups of many records have fewer others in reach."""


def complex_heuristic(
    points: Floats, k: int, labels: Ints, reach: int, tolerance: float, fresh: Bools
) -> tuple[int, int, Bools]:
    """Apply cycles that make the SSE smaller, in place; return how many, the edges looked at and the groups changed.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    k : int
    labels : ndarray of int, shape (n,)
        Groups of k to 2k − 1 records, numbered from 0 on; changed in place.
    reach : int
        How many groups a cycle may choose from: those nearest to the one it begins at.
    tolerance : float
        What a cycle must gain more than.
    fresh : ndarray of bool, shape (c,)
        Groups that have changed since cycles were last looked for: only what has one in reach is looked at.

    Notes
    -----
    Groups are begun at in the order of their scores, each once; the paper begins at the first only, with all groups in
    reach. A cycle visits a group once at most, since ranks rise along a path: what it gains is the sum of its edges.
    """
    members, sizes, means = layout(points, labels, k)
    changed = np.zeros(sizes.size, dtype=np.bool_)
    count = min(reach, sizes.size - 1, max(1, MOST_NODES // (int(sizes.max()) + 1) - 1))
    if not count:
        return 0, 0, changed
    near, _ = neighbours(means, count)
    order = np.argsort(scores(points, labels), kind="stable")
    room = new_room(count + 1, int(sizes.max()), points.shape[1])
    applied, edges = apply_cycles(
        points, k, members, sizes, means, near, order, fresh, tolerance, room, labels, changed
    )
    return applied, edges, changed


def scores(points: Floats, labels: Ints) -> Floats:
    """Return the score of every group (equation 7), from sums over groups instead of over all pairs, in O(c² + n d).

    The score is the sum of R1 over the edges that leave a group, less that over those that enter it.
    """
    sizes, means = np.bincount(labels).astype(np.float64), group_means(points, labels)
    spreads = np.bincount(labels, weights=((points - means[labels]) ** 2).sum(axis=1))
    total, squares = sizes.sum(), (means**2).sum(axis=1)

    def over(weights: Floats) -> Floats:
        """Sum of weights times the squared distances of means to that of every group."""
        return np.asarray(weights.sum() * squares - 2 * means @ (weights @ means) + weights @ squares)

    # R1 of all pairs from p to q, D the squared distance of their means:
    # −2 s_p SSE_q + (s_q − 1)(SSE_p + s_p D) + s_p SSE_q (s_q − 1)/s_q
    own = -2 * spreads + spreads * (sizes - 1) / sizes
    out = sizes * (own.sum() - own) + spreads * ((sizes - 1).sum() - (sizes - 1)) + sizes * over(sizes - 1)
    into = own * (total - sizes) + (sizes - 1) * (spreads.sum() - spreads) + (sizes - 1) * over(sizes)
    return np.asarray(out - into)
