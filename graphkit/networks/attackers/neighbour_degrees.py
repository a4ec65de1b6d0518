"""Candidate sets of somebody who knows the degrees around a vertex: the hierarchy H1, H2, … of Hay et al."""

from __future__ import annotations

import numpy as np

from graphkit.errors import InvalidInput
from graphkit.networks.attackers.adjacency import Adjacency, multiset_classes
from graphkit.networks.candidates import CandidateSets
from graphkit.networks.graph import SimpleGraph

__all__ = ["neighbour_degree_sets"]

_MOST_ROUNDS = 64


def neighbour_degree_sets(graph: SimpleGraph, depth: int | None = 2) -> CandidateSets:
    """Return the candidate sets under the knowledge H_i.

    H0 tells nothing, H1 the degree of a vertex, H2 the degrees of its neighbours, and H_i the multiset of what H_(i−1)
    tells of each neighbour. Each set of H_i lies within one of H_(i−1); H* is where that ends.

    Parameters
    ----------
    graph : SimpleGraph
        The network.
    depth : int, optional
        The i of H_i; None for H*, which is looked for in 64 rounds.

    Returns
    -------
    CandidateSets
        Exact for a given depth. For H*, if the sets still fell apart in the last round, all vertices with another
        candidate are counted as undecided: the sets of H* lie within those that are returned.

    Raises
    ------
    InvalidInput
        If `depth` is negative.

    Notes
    -----
    O(i · m log m) time, O(n + m) space. H* is the coarsest equitable partition: vertices that an automorphism
    exchanges always share a set.

    References
    ----------
    M. Hay, G. Miklau, D. Jensen, D. Towsley, P. Weis, "Resisting structural re-identification in anonymized social
    networks", PVLDB 1 (2008).

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> [neighbour_degree_sets(path, depth).sizes().tolist() for depth in (0, 1, 2, None)]
    [[5], [2, 3], [2, 2, 1], [2, 2, 1]]
    """
    if depth is not None and depth < 0:
        raise InvalidInput(f"depth ({depth}) must not be negative")
    adjacency = Adjacency.of(graph)
    class_of = np.zeros(graph.n, dtype=np.int64)
    for _ in range(_MOST_ROUNDS if depth is None else depth):
        finer = multiset_classes(adjacency.offsets, class_of[adjacency.targets])
        # every partition refines the one before, so equally many sets are the same sets
        if _count(finer) == _count(class_of):
            return CandidateSets(class_of)
        class_of = finer
    sets = CandidateSets(class_of)
    return sets if depth is not None else CandidateSets(class_of, int((sets.candidates() > 1).sum()))


def _count(class_of: np.ndarray) -> int:
    return int(class_of.max(initial=-1)) + 1
