"""Whether demands can be the degrees of a simple graph: Erdős–Gallai, with and without the graph that is there."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph_view import GraphView


@dataclass(frozen=True, slots=True)
class GraphicTest:
    """Outcome of the Erdős–Gallai test."""

    deficit: int
    """Largest excess of the left over the right side of the inequality over all r ≥ 1; 0 or less: none is violated."""
    r: int
    """The smallest r with that excess; 0 without demands."""
    is_even: bool
    """Whether the sum of the demands is even."""


def erdos_gallai(demand_counts: Ints) -> GraphicTest:
    """Return the Erdős–Gallai test of a multiset of demands.

    Parameters
    ----------
    demand_counts : ndarray of int64
        ``demand_counts[d]`` vertices have demand d; index 0 is ignored.

    Notes
    -----
    The inequality for r, demands descending: ``Σ_{i≤r} d_i ≤ r(r−1) + Σ_{i>r} min(r, d_i)``. The short form
    without the second case of the minimum is wrong beyond the Durfee number and is not used. For r > max d the
    excess falls (by 2(r − d_{r+1}) a step), so r runs to max d + 1 only. O(max d) time after the input is read.

    References
    ----------
    P. Erdős, T. Gallai, Matematikai Lapok 11, 1960; A. Tripathi, S. Vijay, Discrete Mathematics 265, 2003.

    Examples
    --------
    >>> erdos_gallai(np.array([0, 2])).deficit
    0
    >>> erdos_gallai(np.array([0, 1, 0, 1]))
    GraphicTest(deficit=2, r=1, is_even=True)
    """
    counts = np.trim_zeros(np.asarray(demand_counts, dtype=np.int64), "b")
    if counts.size < 2:
        return GraphicTest(0, 0, True)
    largest = counts.size - 1
    number = int(counts[1:].sum())
    total = int((np.arange(counts.size) * counts).sum())
    r = np.arange(1, min(number, largest + 1) + 1)
    top = _largest(counts, r.size)
    at_least = np.cumsum(counts[::-1])[::-1]
    # Σ over all of min(r, d) = Σ_{t=1..r} #{d ≥ t}
    capped = np.cumsum(np.concatenate((at_least[1:], np.zeros(1, dtype=np.int64))))[: r.size]
    top_sum = np.cumsum(top)
    # the r largest have min(r, d) = r from the start of the list down to demand r
    above = np.minimum(np.concatenate((at_least, np.zeros(1, dtype=np.int64)))[r], r)
    top_capped = above * r + (top_sum - np.concatenate((np.zeros(1, dtype=np.int64), top_sum))[above])
    excess = top_sum - r * (r - 1) - (capped - top_capped)
    worst = int(np.argmax(excess))
    return GraphicTest(int(excess[worst]), int(r[worst]), total % 2 == 0)


def _largest(counts: Ints, number: int) -> Ints:
    """Return the `number` largest demands, descending."""
    values = np.arange(counts.size - 1, 0, -1)
    up_to = np.minimum(np.cumsum(counts[1:][::-1]), number)
    return np.repeat(values, np.diff(np.concatenate((np.zeros(1, dtype=np.int64), up_to))))


def advanced_deficit(view: GraphView, subset: Ints, vertices: Ints, demands: Ints) -> int:
    """Return the excess of the graph-aware Erdős–Gallai inequality for one vertex set.

    Parameters
    ----------
    view : GraphView
        The graph to which edges will be added.
    subset : ndarray of int64
        The set R.
    vertices, demands : ndarray of int64, same shape
        All vertices with a demand, and the demands; every other vertex has demand 0.

    Returns
    -------
    int
        Positive: no set of new edges gives these vertices these demands. Otherwise R proves nothing.

    Notes
    -----
    New edges join vertices that are not adjacent. Those inside R give at most two units a non-adjacent pair, those
    that leave R at most ``min(d_v, |R \\ N(v)|)`` at each v outside:
    ``Σ_{v∈R} d_v ≤ 2·nonadjacent_pairs(R) + Σ_{v∉R} min(d_v, |R \\ N(v)|)`` for ANY set R.
    """
    inside = np.isin(vertices, subset)
    left = int(demands[inside].sum())
    pairs = subset.size * (subset.size - 1) // 2 - view.edges_among(subset).shape[0]
    outside, outside_demand = vertices[~inside], demands[~inside]
    if outside.size == 0:
        return int(left - 2 * pairs)
    edges = view.edges_among(np.concatenate((subset, outside)))
    crossing = np.isin(edges[:, 0], subset) != np.isin(edges[:, 1], subset)
    ends = edges[crossing].ravel()
    partners = ends[~np.isin(ends, subset)]
    order = np.argsort(outside)
    adjacent = np.zeros(outside.size, dtype=np.int64)
    np.add.at(adjacent, order[np.searchsorted(outside[order], partners)], 1)
    return int(left - 2 * pairs - np.minimum(outside_demand, subset.size - adjacent).sum())
