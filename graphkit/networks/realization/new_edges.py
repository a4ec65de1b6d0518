"""New edges that come and go: per vertex a list of partners, with room for its demand."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.kernels import compiled


class NewEdges(NamedTuple):
    """A partial realization: the graph among the vertices, and the new edges as lists of partners that can change."""

    offsets: Ints
    """Adjacency of the graph: the neighbours of v are ``neighbours[offsets[v]:offsets[v + 1]]``."""
    neighbours: Ints
    first: Ints
    """The new partners of v are ``partner[first[v]:first[v] + used[v]]``, unordered; there is room for its demand."""
    partner: Ints
    used: Ints
    remaining: Ints
    """Demand that is not met."""


def edges_of(new: NewEdges) -> Ints:
    """Return the new edges as positions, once each."""
    ends = np.repeat(np.arange(new.used.size), np.diff(new.first))
    filled = np.arange(ends.size) - new.first[ends] < new.used[ends]
    once = filled & (new.partner > ends)
    return np.column_stack((ends[once], new.partner[once]))


@compiled
def insert_all(new: NewEdges, edges: Ints) -> None:
    """Enter edges into the lists of partners; the remaining demand is left as it is."""
    for i in range(edges.shape[0]):
        _insert(new, edges[i, 0], edges[i, 1])


@compiled
def toggle(new: NewEdges, walk: Ints, length: int, begins_with_new: bool) -> None:
    """Make the pairs of a walk new edges and no new edges in turn; first those that go, so that there is room."""
    offset = 0 if begins_with_new else 1
    for i in range(1 - offset, length - 1, 2):
        _drop(new, walk[i], walk[i + 1])
        _drop(new, walk[i + 1], walk[i])
    for i in range(offset, length - 1, 2):
        _insert(new, walk[i], walk[i + 1])


@compiled
def _insert(new: NewEdges, u: int, v: int) -> None:
    """Make uv a new edge."""
    new.partner[new.first[u] + new.used[u]] = v
    new.partner[new.first[v] + new.used[v]] = u
    new.used[u] += 1
    new.used[v] += 1


@compiled
def _drop(new: NewEdges, u: int, v: int) -> None:
    """Take v from the new partners of u."""
    i = new.first[u]
    while new.partner[i] != v:
        i += 1
    new.used[u] -= 1
    new.partner[i] = new.partner[new.first[u] + new.used[u]]
