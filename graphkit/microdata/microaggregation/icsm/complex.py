"""n-opt: cycles of records that take each other's places, found by shortest paths over groups in the order of ranks."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.groups import group_means
from graphkit.microdata.microaggregation.icsm._weights import joining, layout, leaving, replacing
from graphkit.microdata.microaggregation.neighbours import neighbours


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
    applied = edges = 0
    count = min(reach, sizes.size - 1)
    if not count:
        return 0, 0, changed
    near, _ = neighbours(means, count)
    for start in np.argsort(scores(points, labels), kind="stable"):
        ranked = np.concatenate(([start], near[start]))
        if changed[start] or not fresh[ranked].any():
            continue
        ranked = ranked[~changed[ranked]]
        if ranked.size < 2:
            continue
        nodes, groups = _nodes(members, sizes, ranked, labels.size)
        cycle = np.empty(ranked.size, dtype=np.int64)
        length, _ = _least_cycle(points, k, means, sizes, nodes, groups, tolerance, cycle)
        edges += nodes.size * nodes.size // 2
        if length:
            rotate(labels, cycle[:length], changed)
            applied += 1
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


def rotate(labels: Ints, cycle: Ints, changed: Bools) -> None:
    """Let every node of a cycle take the place of the next one; −1 − g stands for the group g."""
    homes = [-1 - node if node < 0 else labels[node] for node in cycle]
    for node, target in zip(cycle, homes[1:] + homes[:1], strict=True):
        changed[target] = True
        if node >= 0:
            labels[node] = target


def _nodes(members: Ints, sizes: Ints, ranked: Ints, n: int) -> tuple[Ints, Ints]:
    """Return records and groups (−1 − g) by rank, and the group of each."""
    nodes = [np.append(members[group, : sizes[group]], -1 - group) for group in ranked]
    return np.concatenate(nodes), np.repeat(ranked, [part.size for part in nodes])


@kernel
def weight(points: Floats, k: int, means: Floats, sizes: Ints, one: int, other: int, group: int) -> float:
    """Return the weight of the edge from a node to another one, which is of a group (equation 8)."""
    if one < 0:
        return np.inf if other < 0 else leaving(points, means, sizes, k, other, group)
    if other < 0:
        return joining(points, means, sizes, k, one, group)
    return replacing(points, means, sizes, one, other, group)


@kernel
def _least_cycle(
    points: Floats, k: int, means: Floats, sizes: Ints, nodes: Ints, groups: Ints, tolerance: float, cycle: Ints
) -> tuple[int, float]:
    """Fill in the cycle of least weight through the first group; return its length, 0 if it gains nothing."""
    count = nodes.size
    weights = np.full((count, count), np.inf)
    for at in range(count):
        for to in range(at + 1, count):
            if groups[at] != groups[to]:
                weights[at, to] = weight(points, k, means, sizes, nodes[at], nodes[to], groups[to])
    least, length = -tolerance, 0
    cost, before = np.empty(count), np.empty(count, dtype=np.int64)
    for source in range(sizes[groups[0]] + 1):
        cost[:] = np.inf
        cost[source] = 0.0
        before[source] = -1
        for at in range(source, count):
            if cost[at] == np.inf:
                continue
            if groups[at] != groups[0]:
                closed = cost[at] + weight(points, k, means, sizes, nodes[at], nodes[source], groups[0])
                if closed < least:
                    least, length = closed, 0
                    step = at
                    while step >= 0:
                        cycle[length] = nodes[step]
                        length += 1
                        step = before[step]
                    cycle[:length] = cycle[:length][::-1].copy()
            for to in range(at + 1, count):
                if cost[at] + weights[at, to] < cost[to]:
                    cost[to] = cost[at] + weights[at, to]
                    before[to] = at
    return length, least
