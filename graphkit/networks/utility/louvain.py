"""Louvain communities by a seed that is handed in: igraph's own would draw from a random state that all share."""

import numpy as np
from scipy.sparse import coo_array

from graphkit.arrays import Ints, Rng
from graphkit.kernels import compiled
from graphkit.networks.graphs.graph import SimpleGraph


def louvain(graph: SimpleGraph, *, seed: int | Rng = 0) -> Ints:
    """Return the community of every vertex, numbered from 0, by greedy modularity in levels.

    Parameters
    ----------
    graph : SimpleGraph
        The graph.
    seed : int or numpy.random.Generator, optional
        Chooses the order in which vertices are looked at.

    Notes
    -----
    About O(m) a pass, a few passes a level. Gains are compared in whole numbers, so the same seed gives the same bits.

    Examples
    --------
    >>> two_triangles = SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)])
    >>> found = louvain(two_triangles)
    >>> (found == found[0]).tolist()
    [True, True, True, False, False, False]

    References
    ----------
    Blondel, Guillaume, Lambiotte, Lefebvre 2008, "Fast unfolding of communities in large networks".
    """
    rng = np.random.default_rng(seed)
    membership = np.arange(graph.n)
    if graph.m == 0:
        return membership
    # the symmetric matrix of weights between communities; inner edges count twice on its diagonal
    weights = graph.to_scipy().astype(np.int64)
    while True:
        n = weights.shape[0]
        community = np.arange(n)
        strengths = np.asarray(weights.sum(axis=1), dtype=np.int64).ravel()
        starts, neighbours = weights.indptr.astype(np.int64), weights.indices.astype(np.int64)
        if not _move(starts, neighbours, weights.data, strengths, rng.permutation(n), community):
            return membership
        names, community = np.unique(community, return_inverse=True)
        membership = community[membership]
        joined = weights.tocoo()
        ends = community[joined.row], community[joined.col]
        weights = coo_array((joined.data, ends), (names.size, names.size)).tocsr()


def modularity(graph: SimpleGraph, membership: Ints) -> float:
    """Return the share of edges inside communities beyond what is expected from the degrees; needs an edge.

    Examples
    --------
    >>> two_edges = SimpleGraph.from_edges([(0, 1), (2, 3)])
    >>> modularity(two_edges, np.array([0, 0, 1, 1]))
    0.5

    References
    ----------
    Newman, Girvan 2004, "Finding and evaluating community structure in networks".
    """
    inside = np.count_nonzero(membership[graph.edges[:, 0]] == membership[graph.edges[:, 1]])
    totals = np.bincount(membership, weights=graph.degrees())
    return float(inside / graph.m - ((totals / (2 * graph.m)) ** 2).sum())


@compiled
def _move(starts: Ints, neighbours: Ints, weights: Ints, strengths: Ints, order: Ints, community: Ints) -> bool:
    """Move vertices to the neighbouring community that gains most until none gains, and return whether any moved."""
    whole = strengths.sum()
    totals = strengths.copy()
    links = np.zeros(order.size, dtype=np.int64)
    touched = np.empty(order.size, dtype=np.int64)
    any_moved, moved = False, True
    while moved:
        moved = False
        for vertex in order:
            own, count = community[vertex], 0
            for i in range(starts[vertex], starts[vertex + 1]):
                other = neighbours[i]
                if other != vertex:
                    there = community[other]
                    if links[there] == 0:
                        touched[count] = there
                        count += 1
                    links[there] += weights[i]
            totals[own] -= strengths[vertex]
            best, best_gain = own, links[own] * whole - totals[own] * strengths[vertex]
            for j in range(count):
                there = touched[j]
                gain = links[there] * whole - totals[there] * strengths[vertex]
                if gain > best_gain:
                    best, best_gain = there, gain
                links[there] = 0
            totals[best] += strengths[vertex]
            if best != own:
                community[vertex] = best
                moved = any_moved = True
    return any_moved
