"""Candidate sets for an attacker who knows the ego network of a vertex: its size, or all of its structure.

The ego network of v is the graph among v and its neighbours. v is adjacent to everything in it, so two ego networks
are isomorphic, with or without their centres marked, exactly if the graphs among the neighbours are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.attackers.adjacency import Adjacency, classes_of, multiset_classes
from graphkit.networks.attackers.canonical_form import canonical_form
from graphkit.networks.attackers.ego_kernels import arc_supports, local_graphs
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets

_CHUNK = 2_000_000


def ego_size_sets(graph: SimpleGraph) -> CandidateSets:
    """Return the candidate sets under knowledge of how many vertices and edges the ego network has.

    Notes
    -----
    O(m^1.5) time, O(n + m) space.

    Examples
    --------
    >>> triangle_with_a_tail = SimpleGraph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)])
    >>> ego_size_sets(triangle_with_a_tail).class_of.tolist()
    [0, 0, 1, 2, 3]
    """
    adjacency = Adjacency.of(graph)
    inner = _edges_among_neighbours(adjacency, arc_supports(adjacency))
    return CandidateSets(classes_of(zip(adjacency.degrees().tolist(), inner.tolist(), strict=True)))


def ego_isomorphism_sets(graph: SimpleGraph, largest: int = 20_000) -> CandidateSets:
    """Return the candidate sets under knowledge of the whole ego network: its isomorphism classes.

    Parameters
    ----------
    graph : SimpleGraph
        The network.
    largest : int, optional
        Vertices and edges up to which a graph among neighbours is brought into its canonical form.

    Returns
    -------
    CandidateSets
        Exact unless some are undecided. Larger ego networks are distinguished by colour refinement alone, and where
        that tells no difference their vertices are counted as candidates of each other, undecided: the isomorphism
        classes lie within the sets that are returned, so these have at least as many members, and there are at most as
        many.

    Notes
    -----
    Vertices are distinguished by the degrees within their ego networks first, then by a hash of three rounds of colour
    refinement; both are invariants. Only what is left in a set with differing adjacency is compared by canonical form.
    So a collision of hashes costs time and changes nothing.

    O(Σ deg²) time beside the canonical forms; those are exponential in the worst case, which takes regular structures
    that do not occur among the contacts of people. O(n + m) space and a bounded buffer of ego networks.

    Examples
    --------
    >>> star_and_path = SimpleGraph.from_edges([(0, 1), (0, 2), (3, 4), (4, 5)])
    >>> ego_isomorphism_sets(star_and_path).class_of.tolist()
    [0, 1, 1, 1, 0, 1]
    """
    adjacency = Adjacency.of(graph)
    supports = arc_supports(adjacency)
    coarse = multiset_classes(adjacency.offsets, supports)
    inner = _edges_among_neighbours(adjacency, supports)
    groups: dict[tuple[int, int], dict[bytes, _Form]] = {}
    for part in _parts(np.flatnonzero(_is_open(adjacency, supports, coarse, inner)), inner):
        local = local_graphs(adjacency, supports, part, inner[part])
        for i, vertex in enumerate(part.tolist()):
            group = groups.setdefault((int(coarse[vertex]), int(local.hashes[i])), {})
            key = local.edges_of(i).tobytes()
            if key not in group:
                group[key] = _Form(int(local.vertices[i]), local.edges_of(i).copy(), local.colours_of(i).copy(), [])
            group[key].members.append(vertex)
    return _distinguished(coarse, groups.values(), largest)


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """A graph among neighbours as it is numbered, and the vertices that have it."""

    vertices: int
    edges: Ints
    colours: Ints
    members: list[int]

    def canonical(self) -> bytes:
        """Return what it shares with isomorphic graphs alone."""
        ends = np.stack(np.divmod(self.edges, self.vertices), axis=1)
        return canonical_form(self.vertices, ends, self.colours)


def _distinguished(coarse: Ints, groups: Iterable[dict[bytes, _Form]], largest: int) -> CandidateSets:
    """Return the sets after comparing, in each group of equal invariants, the graphs that are numbered differently."""
    class_of = coarse.copy()
    free = int(coarse.max(initial=-1)) + 1
    undecided = 0
    for group in groups:
        forms = list(group.values())
        if len(forms) == 1:
            keys: list[bytes] = [b""]
        elif forms[0].vertices + forms[0].edges.size <= largest:
            keys = [form.canonical() for form in forms]
        else:
            keys = [b""] * len(forms)
            undecided += sum(len(form.members) for form in forms)
        numbers = classes_of(keys)
        for form, number in zip(forms, numbers.tolist(), strict=True):
            class_of[form.members] = free + number
        free += int(numbers.max()) + 1
    return CandidateSets(classes_of(class_of.tolist()), undecided)


def _edges_among_neighbours(adjacency: Adjacency, supports: Ints) -> Ints:
    """Return how many edges lie among the neighbours of each vertex."""
    sums = np.concatenate(([0], np.cumsum(supports)))
    return (sums[adjacency.offsets[1:]] - sums[adjacency.offsets[:-1]]) // 2


def _is_open(adjacency: Adjacency, supports: Ints, coarse: Ints, inner: Ints) -> Bools:
    """Whether a vertex shares its set with others and the degrees within its ego network leave a choice."""
    degrees = adjacency.degrees()
    largest = np.zeros(adjacency.n, dtype=np.int64)
    np.maximum.at(largest, adjacency.sources(), supports)
    # no edge, a matching, or all edges: degrees say everything
    settled = (largest <= 1) | (inner == degrees * (degrees - 1) // 2)
    left: Bools = (np.bincount(coarse, minlength=1)[coarse] > 1) & ~settled
    return left


def _parts(chosen: Ints, inner: Ints) -> Iterator[Ints]:
    """Cut the chosen vertices into parts of about two million edges among neighbours."""
    if chosen.size:
        places = np.flatnonzero(np.diff(np.cumsum(inner[chosen]) // _CHUNK)) + 1
        yield from np.split(chosen, places)
