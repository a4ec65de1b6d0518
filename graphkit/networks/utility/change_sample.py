"""A small part of a network before and after its edges changed, with a layout: enough to draw what was done."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph

_SIZES = (120, 80, 50, 30, 20, 12)
_MOST_EDGES = 400
_CHANGES_A_VERTEX = 6
"""Vertices for each changed edge: its ends, some neighbours, and as many that nothing happened to."""
_NEIGHBOURS = 2
_SEED = 20_261_001


@dataclass(frozen=True, slots=True, eq=False)
class ChangeSample:
    """An induced subgraph of both networks. Protected: it shows which edges are new."""

    vertices: Ints
    """The vertices of the network, ascending; edges below are about places in this array."""
    places: NDArray[np.float64]
    """Of each vertex in the unit square, shape (vertices, 2)."""
    kept: Ints
    """Edges of both networks, shape (edges, 2)."""
    added: Ints
    removed: Ints
    touched: NDArray[np.bool_]
    """Whether an edge of the vertex changed, drawn or not."""
    n: int
    """Number of vertices of the whole network."""


def sample_change(before: SimpleGraph, after: SimpleGraph) -> ChangeSample:
    """Return a sample of two networks on the same vertices; the same networks give the same sample and layout.

    Parameters
    ----------
    before, after : SimpleGraph
        A vertex has one number in both.

    Returns
    -------
    ChangeSample
        Around a few changed edges, and around vertices that nothing happened to. At most 120 vertices, and so few
        that at most 400 edges are among them, as long as 12 vertices have no more.

    Raises
    ------
    InvalidInput
        If the numbers of vertices differ.

    Notes
    -----
    O(n + m) to draw the sample, and the layout of Kamada and Kawai for at most 120 vertices, begun on a circle: nothing
    is random but the choice, whose seed is fixed. Looking twice shows no more than looking once.

    Examples
    --------
    >>> before = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> sample = sample_change(before, SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)]))
    >>> sample.vertices.tolist(), sample.added.tolist(), len(sample.kept)
    ([0, 1, 2, 3], [[0, 3]], 3)
    """
    if before.n != after.n:
        raise InvalidInput(f"the networks have {before.n} and {after.n} vertices; a sample is of the same vertices")
    added, removed = _without(after.edges, before.edges), _without(before.edges, after.edges)
    changed = np.concatenate([added, removed])
    touched = np.zeros(before.n, dtype=bool)
    touched[changed.ravel()] = True
    for size in _SIZES:
        chosen = _chosen(before, changed, touched, size)
        inside = [_among(edges, chosen, before.n) for edges in (before.edges, added)]
        if sum(map(len, inside)) <= _MOST_EDGES:
            break
    kept = _without(inside[0], removed)
    local = [np.searchsorted(chosen, edges).reshape(-1, 2) for edges in (kept, inside[1])]
    gone = np.searchsorted(chosen, _among(removed, chosen, before.n)).reshape(-1, 2)
    places = _layout(len(chosen), np.concatenate([*local, gone]))
    return ChangeSample(chosen, places, local[0], local[1], gone, touched[chosen], before.n)


def _without(edges: Ints, others: Ints) -> Ints:
    """Return the rows of canonical edges that others do not have, in order."""
    if not len(edges) or not len(others):
        return edges
    base = int(max(edges.max(), others.max())) + 1
    return edges[~np.isin(edges[:, 0] * base + edges[:, 1], others[:, 0] * base + others[:, 1])]


def _among(edges: Ints, chosen: Ints, n: int) -> Ints:
    """Return the edges with both ends in a set of vertices."""
    mask = np.zeros(n, dtype=bool)
    mask[chosen] = True
    return edges[mask[edges[:, 0]] & mask[edges[:, 1]]]


def _chosen(before: SimpleGraph, changed: Ints, touched: NDArray[np.bool_], size: int) -> Ints:
    """Return at most so many vertices: ends of changed edges, unchanged vertices, neighbours of both."""
    if before.n <= size:
        return np.arange(before.n)
    rng = np.random.default_rng(_SEED)
    ends = changed[rng.permutation(len(changed))[: size // _CHANGES_A_VERTEX]]
    calm = np.flatnonzero(~touched)
    calm = calm[rng.permutation(len(calm))[: size // _CHANGES_A_VERTEX]]
    first = np.unique(np.concatenate([ends.ravel(), calm]))[:size]
    found = dict.fromkeys(first.tolist())
    both = np.concatenate([before.edges, before.edges[:, ::-1]])
    both = both[np.isin(both[:, 0], first)]
    both = both[rng.permutation(len(both))]
    taken = dict.fromkeys(first.tolist(), 0)
    for vertex, neighbour in both.tolist():
        if len(found) >= size:
            break
        if taken[vertex] < _NEIGHBOURS and neighbour not in found:
            taken[vertex] += 1
            found[neighbour] = None
    return np.array(sorted(found), dtype=np.int64)


def _layout(n: int, edges: Ints) -> NDArray[np.float64]:
    """Return a place in the unit square for each vertex."""
    if not n:
        return np.zeros((0, 2))
    angles = 2 * np.pi * np.arange(n) / n
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    graph: Any = SimpleGraph(n, edges).to_igraph()
    places = np.array(graph.layout_kamada_kawai(seed=circle.tolist()).coords) if n > 1 else circle
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    return np.asarray((places - low) / np.where(span > 0, span, 1), dtype=np.float64)
