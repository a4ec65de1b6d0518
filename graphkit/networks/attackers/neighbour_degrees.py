"""Candidate sets for an attacker who knows the degrees around a vertex: the hierarchy H1, H2, … of Hay et al."""

from collections import defaultdict

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.attackers.adjacency import Adjacency, multiset_classes, multisets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets

_WHOLE_ROUNDS = 16


def neighbour_degree_sets(graph: SimpleGraph, depth: int | None = 2) -> CandidateSets:
    """Return the candidate sets under the knowledge H_i.

    H0 tells nothing, H1 the degree of a vertex, H2 the degrees of its neighbours, and H_i the multiset of what H_(i−1)
    tells of each neighbour. Each set of H_i lies within one of H_(i−1); H* is where that ends.

    Parameters
    ----------
    graph : SimpleGraph
        The network.
    depth : int, optional
        The i of H_i; None for H*.

    Raises
    ------
    InvalidInput
        If `depth` is negative.

    Notes
    -----
    After 16 rounds over all vertices, a round looks only at vertices with a neighbour whose set got a new number in the
    round before, and of the parts of a set the largest keeps its number: none gets more than log₂ n new ones, so all
    rounds together take O(m log² n) time beside O(n) for each in which a set fell mostly apart. A vertex that is looked
    at has a number around it that no vertex had before, so it differs from those of its set that are not.

    H* is the coarsest equitable partition: vertices that an automorphism exchanges always share a set.

    References
    ----------
    M. Hay, G. Miklau, D. Jensen, D. Towsley, P. Weis, "Resisting structural re-identification in anonymized social
    networks", PVLDB 1 (2008).

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> [sorted(neighbour_degree_sets(path, depth).sizes().tolist()) for depth in (0, 1, 2, None)]
    [[5], [2, 3], [1, 2, 2], [1, 2, 2]]
    """
    if depth is not None and depth < 0:
        raise InvalidInput(f"depth ({depth}) must not be negative")
    adjacency = Adjacency.of(graph)
    class_of = np.zeros(graph.n, dtype=np.int64)
    for _ in range(_WHOLE_ROUNDS if depth is None else min(depth, _WHOLE_ROUNDS)):
        finer = multiset_classes(adjacency.offsets, class_of[adjacency.targets])
        # every partition refines the one before, so equally many sets are the same sets
        if _count(finer) == _count(class_of):
            return CandidateSets(class_of)
        class_of = finer
    if depth is None or depth > _WHOLE_ROUNDS:
        _split_on(adjacency, class_of, None if depth is None else depth - _WHOLE_ROUNDS)
    return CandidateSets(class_of)


def _count(class_of: Ints) -> int:
    return int(class_of.max(initial=-1)) + 1


def _split_on(adjacency: Adjacency, class_of: Ints, rounds: int | None) -> None:
    """Go on for some rounds, or to the end, looking only where something changed."""
    sizes = np.bincount(class_of).tolist()
    looked_at = np.arange(class_of.size)
    done = 0
    while looked_at.size and done != rounds:
        looked_at = np.unique(adjacency.around(_split(adjacency, class_of, sizes, looked_at)))
        done += 1


def _split(adjacency: Adjacency, class_of: Ints, sizes: list[int], looked_at: Ints) -> Ints:
    """Split sets by what is around the vertices that are looked at; return those that got a new number."""
    counts = adjacency.offsets[looked_at + 1] - adjacency.offsets[looked_at]
    seen = multisets(np.concatenate(([0], np.cumsum(counts))), class_of[adjacency.around(looked_at)])
    parts: dict[int, dict[bytes, list[int]]] = defaultdict(lambda: defaultdict(list))
    for vertex, number, around in zip(looked_at.tolist(), class_of[looked_at].tolist(), seen, strict=True):
        parts[number][around].append(vertex)
    left = _smaller_rests(class_of, sizes, looked_at, parts)
    renumbered: list[int] = []
    for number, by_surroundings in parts.items():
        found = sorted(by_surroundings.values(), key=len)
        if number in left:
            found.insert(0, left[number])
        # what was not looked at stays together and keeps the number, unless it is smaller than another part
        if sum(map(len, found)) == sizes[number]:
            found.pop()
        for part in found:
            class_of[part] = len(sizes)
            sizes.append(len(part))
            sizes[number] -= len(part)
            renumbered += part
    return np.array(renumbered, dtype=np.int64)


def _smaller_rests(
    class_of: Ints, sizes: list[int], looked_at: Ints, parts: dict[int, dict[bytes, list[int]]]
) -> dict[int, list[int]]:
    """Return the vertices that were not looked at, of each set of which a larger part was."""
    outnumbered = []
    for number, by_surroundings in parts.items():
        lengths = [len(part) for part in by_surroundings.values()]
        if 0 < sizes[number] - sum(lengths) < max(lengths):
            outnumbered.append(number)
    left: dict[int, list[int]] = defaultdict(list)
    if outnumbered:
        others = np.isin(class_of, outnumbered)
        others[looked_at] = False
        vertices = np.flatnonzero(others)
        for vertex, number in zip(vertices.tolist(), class_of[vertices].tolist(), strict=True):
            left[number].append(vertex)
    return left
