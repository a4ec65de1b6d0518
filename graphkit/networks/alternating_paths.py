"""Augmenting alternating paths: one more new edge by giving up others, without a list of the non-adjacent pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["NewEdges", "Search", "augment", "insert_all", "is_settled", "new_search"]

_UNREACHED = -2
_ROOT = -1


class NewEdges(NamedTuple):
    """A partial realization: the graph among the vertices, and the new edges as lists of partners that can change."""

    offsets: NDArray[np.int64]
    """Adjacency of the graph: the neighbours of v are ``neighbours[offsets[v]:offsets[v + 1]]``."""
    neighbours: NDArray[np.int64]
    first: NDArray[np.int64]
    """The new partners of v are ``partner[first[v]:first[v] + used[v]]``, unordered; there is room for its demand."""
    partner: NDArray[np.int64]
    used: NDArray[np.int64]
    remaining: NDArray[np.int64]
    """Demand that is not met."""


class Search(NamedTuple):
    """Two states a vertex: *outer*, it wants one more new edge, and *inner*, it got one and must give one up."""

    outer_parent: NDArray[np.int64]
    """The inner vertex that gave the edge up; −1 at the source, −2 where not reached."""
    inner_parent: NDArray[np.int64]
    """The outer vertex that it was joined to; only read of reached vertices."""
    order: NDArray[np.int64]
    """A permutation of the vertices, those not reached as inner first."""
    open: NDArray[np.int64]
    """How many at the front of `order` no finished search has reached; one element."""
    queue: NDArray[np.int64]
    walk: NDArray[np.int64]
    mark: NDArray[np.int64]
    """Equal to `token` at the vertices that the present outer vertex cannot be joined to."""
    token: NDArray[np.int64]
    """One element."""


def new_search(n: int) -> Search:
    """Return the state of a search among `n` vertices before anything is reached."""
    return Search(
        outer_parent=np.full(n, _UNREACHED, dtype=np.int64),
        inner_parent=np.full(n, _UNREACHED, dtype=np.int64),
        order=np.arange(n, dtype=np.int64),
        open=np.full(1, n, dtype=np.int64),
        queue=np.empty(n, dtype=np.int64),
        walk=np.empty(2 * n + 2, dtype=np.int64),
        mark=np.zeros(n, dtype=np.int64),
        token=np.zeros(1, dtype=np.int64),
    )


def is_settled(search: Search) -> NDArray[np.bool_]:
    """Return of which vertices it is proven that no walk that begins there gains anything."""
    settled: NDArray[np.bool_] = search.outer_parent != _UNREACHED
    return settled


@njit(cache=True)
def insert_all(new: NewEdges, edges: NDArray[np.int64]) -> None:
    """Enter edges into the lists of partners; the remaining demand is left as it is."""
    for i in range(edges.shape[0]):
        _insert(new, edges[i, 0], edges[i, 1])


@njit(cache=True)
def augment(
    new: NewEdges, search: Search, sources: NDArray[np.int64], turns: NDArray[np.int64], limit: int
) -> tuple[int, int, int]:
    """Search from each source for augmenting walks; return how many were applied, how many sources are in doubt, work.

    Parameters
    ----------
    new : NewEdges
        Changed in place.
    search : Search
        What a source reached that nothing can be gained from stays reached: no later walk needs it.
    sources : ndarray of int64
        Vertices with demand left that no finished search has reached.
    turns : ndarray of int64, same shape
        Random numbers, not negative.
    limit : int
        Steps after which no new search begins.

    Notes
    -----
    A search goes from an outer vertex along a non-adjacent pair to any vertex, inner from then on, and from there
    along a new edge to an outer vertex, breadth first, up to an inner vertex with demand left. Walks may pass a
    vertex in both states and then use a pair twice; such a walk is not applied, and the source is in doubt when
    no other is found. Its lack is then handed to a random outer vertex: as many edges, but another search.

    Every vertex leaves the front of `order` once a search, and is passed over only by outer vertices it is adjacent
    to: O(n + E + S) a search, with E the adjacent pairs and S the new edges.
    """
    gained = 0
    doubtful = 0
    work = 0
    for i in range(sources.size):
        source = sources[i]
        while new.remaining[source] > 0 and work < limit:
            end, length, reached, front, in_doubt, steps = _find(new, search, source)
            work += steps
            if end >= 0:
                _toggle(new, search.walk, length, True)
                new.remaining[source] -= 1
                new.remaining[end] -= 1
                gained += 1
            elif in_doubt:
                _hand_over(new, search, source, search.queue[turns[i] % reached])
                doubtful += 1
            else:
                search.open[0] = front
                break
            for j in range(reached):
                search.outer_parent[search.queue[j]] = _UNREACHED
            if end < 0:
                break
    return gained, doubtful, work


@njit(cache=True)
def _hand_over(new: NewEdges, search: Search, source: int, heir: int) -> None:
    """Let an outer vertex lack an edge in place of the source, where the walk between them can be used."""
    length = _trace(search, heir, False)
    if _is_consistent(search.walk, length):
        _toggle(new, search.walk, length, False)
        new.remaining[source] -= 1
        new.remaining[heir] += 1


@njit(cache=True)
def _find(new: NewEdges, search: Search, source: int) -> tuple[int, int, int, int, bool, int]:
    """Search from one source.

    Returns
    -------
    end : int
        Where the walk ends that `search.walk` holds, −1 when there is none.
    length : int
        Vertices of the walk.
    reached : int
        Outer vertices reached; they stand in `search.queue`.
    front : int
        Vertices at the front of `search.order` that were not reached as inner.
    in_doubt : bool
        Whether a walk was found and could not be used.
    steps : int
        Work.
    """
    remaining, order, queue, mark = new.remaining, search.order, search.queue, search.mark
    search.outer_parent[source] = _ROOT
    queue[0] = source
    head, reached = 0, 1
    front = search.open[0]
    in_doubt = False
    steps = 0
    while head < reached:
        u = queue[head]
        head += 1
        steps += _mark(new, search, u)
        token = search.token[0]
        i = 0
        while i < front:
            steps += 1
            v = order[i]
            if mark[v] == token:
                i += 1
                continue
            front -= 1
            order[i], order[front] = order[front], v
            search.inner_parent[v] = u
            if remaining[v] > (1 if v == source else 0):
                length = _trace(search, v, True)
                steps += length
                if _is_consistent(search.walk, length):
                    return v, length, reached, front, in_doubt, steps
                in_doubt = True
            for j in range(new.first[v], new.first[v] + new.used[v]):
                steps += 1
                w = new.partner[j]
                if search.outer_parent[w] == _UNREACHED:
                    search.outer_parent[w] = v
                    queue[reached] = w
                    reached += 1
    return -1, 0, reached, front, in_doubt, steps


@njit(cache=True)
def _mark(new: NewEdges, search: Search, u: int) -> int:
    """Mark u and all it is adjacent to, by edges of the graph and new ones; return the number of steps."""
    search.token[0] += 1
    token = search.token[0]
    search.mark[u] = token
    for i in range(new.offsets[u], new.offsets[u + 1]):
        search.mark[new.neighbours[i]] = token
    for i in range(new.first[u], new.first[u] + new.used[u]):
        search.mark[new.partner[i]] = token
    return int(1 + new.offsets[u + 1] - new.offsets[u] + new.used[u])


@njit(cache=True)
def _trace(search: Search, end: int, is_inner: bool) -> int:
    """Write the walk from `end` back to the source; return its number of vertices."""
    length = 0
    v = end
    while v != _ROOT:
        search.walk[length] = v
        length += 1
        v = search.inner_parent[v] if is_inner else search.outer_parent[v]
        is_inner = not is_inner
    return length


@njit(cache=True)
def _is_consistent(walk: NDArray[np.int64], length: int) -> bool:
    """Whether the walk uses no pair of vertices twice."""
    if length < 4:
        return True
    n = walk.size
    pairs = np.empty(length - 1, np.int64)
    for i in range(length - 1):
        pairs[i] = min(walk[i], walk[i + 1]) * n + max(walk[i], walk[i + 1])
    pairs.sort()
    for i in range(length - 2):  # noqa: SIM110
        if pairs[i] == pairs[i + 1]:
            return False
    return True


@njit(cache=True)
def _toggle(new: NewEdges, walk: NDArray[np.int64], length: int, begins_with_new: bool) -> None:
    """Make the pairs of a walk new edges and no new edges in turn; first those that go, so that there is room."""
    offset = 0 if begins_with_new else 1
    for i in range(1 - offset, length - 1, 2):
        _drop(new, walk[i], walk[i + 1])
        _drop(new, walk[i + 1], walk[i])
    for i in range(offset, length - 1, 2):
        _insert(new, walk[i], walk[i + 1])


@njit(cache=True)
def _insert(new: NewEdges, u: int, v: int) -> None:
    """Make uv a new edge."""
    new.partner[new.first[u] + new.used[u]] = v
    new.partner[new.first[v] + new.used[v]] = u
    new.used[u] += 1
    new.used[v] += 1


@njit(cache=True)
def _drop(new: NewEdges, u: int, v: int) -> None:
    """Take v from the new partners of u."""
    i = new.first[u]
    while new.partner[i] != v:
        i += 1
    new.used[u] -= 1
    new.partner[i] = new.partner[new.first[u] + new.used[u]]
