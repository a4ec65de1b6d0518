"""Candidate sets for an attacker who knows how far a vertex is from the best-known ones."""

import numpy as np
from numpy.typing import NDArray

from graphkit.errors import InvalidInput
from graphkit.networks.attackers.adjacency import Adjacency, classes_of
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets


def hub_fingerprint_sets(graph: SimpleGraph, hubs: int = 5, distance: int = 2) -> CandidateSets:
    """Return the candidate sets under hub fingerprints: the distances to the vertices of highest degree.

    Parameters
    ----------
    graph : SimpleGraph
        The network.
    hubs : int, optional
        Number of hubs; all vertices where there are fewer.
    distance : int, optional
        Longest distance that the attacker knows; everything beyond looks the same.

    Returns
    -------
    CandidateSets
        The hubs themselves are in no set: who they are is known to this attacker beforehand.

    Raises
    ------
    InvalidInput
        If `hubs` or `distance` is below 1.

    Notes
    -----
    O(h (n + m)) time, O(h n) space. Among vertices of equal degree those with lower indices are the hubs: the canonical
    order, so that the same numbering gives the same sets. Another numbering may choose other hubs among equals, and
    give other sets.

    The attacker is sure of what is not there (the closed world of Hay et al.): no tie to a hub is knowledge, too.

    References
    ----------
    Hay et al., as in :func:`~graphkit.networks.attackers.neighbour_degrees.neighbour_degree_sets`.

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> hub_fingerprint_sets(path, hubs=1, distance=2).class_of.tolist()
    [0, -1, 0, 1, 2]
    """
    if hubs < 1:
        raise InvalidInput(f"the number of hubs ({hubs}) must be at least 1")
    if distance < 1:
        raise InvalidInput(f"the distance to hubs ({distance}) must be at least 1")
    adjacency = Adjacency.of(graph)
    chosen = np.argsort(-adjacency.degrees(), kind="stable")[:hubs]
    prints = np.stack([_distances(adjacency, int(hub), distance) for hub in chosen], axis=1) if chosen.size else None
    others = np.ones(graph.n, dtype=bool)
    others[chosen] = False
    class_of = np.full(graph.n, -1, dtype=np.int64)
    if prints is not None:
        class_of[others] = classes_of(row.tobytes() for row in prints[others])
    return CandidateSets(class_of)


def _distances(adjacency: Adjacency, start: int, longest: int) -> NDArray[np.int32]:
    """Return the distance of every vertex from `start`; 0 beyond the longest (and for `start`, who is in no set)."""
    found = np.zeros(adjacency.n, dtype=np.int32)
    seen = np.zeros(adjacency.n, dtype=bool)
    seen[start] = True
    front = np.array([start])
    for step in range(1, longest + 1):
        if front.size == 0:
            break
        reached = adjacency.around(front)
        front = np.unique(reached[~seen[reached]])
        seen[front] = True
        found[front] = step
    return found
