"""Augmenting alternating paths: one more new edge by giving up others, without a list of the non-adjacent pairs."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.kernels import compiled
from graphkit.networks.realization.new_edges import NewEdges, toggle

_UNREACHED = -2
_ROOT = -1
_FIRST_LOOK = 256
"""Vertices that the first outer vertex reaches before those behind them have their turn."""
_LOOKS = 64
"""More than how often that number can double."""
_CHECK = 16
"""Steps that take as long as to look whether a vertex of a walk is passed twice."""


class Search(NamedTuple):
    """Two states a vertex: *outer*, it wants one more new edge, and *inner*, it got one and must give one up."""

    outer_parent: Ints
    """The inner vertex that gave the edge up; −1 at the source, −2 where not reached."""
    inner_parent: Ints
    """The outer vertex that it was joined to; only read of reached vertices."""
    order: Ints
    """A permutation of the vertices, those not reached as inner first."""
    open: Ints
    """How many at the front of `order` no finished search has reached; one element."""
    wanting: Ints
    """Every vertex with demand left that no finished search has reached is among the first ones."""
    wanting_count: Ints
    """How many those are; one element."""
    queue: Ints
    walk: Ints
    mark: Ints
    """Equal to `token` at the vertices that the present outer vertex cannot be joined to."""
    token: Ints
    """One element."""


def new_search(n: int) -> Search:
    """Return the state of a search among `n` vertices before anything is reached."""
    return Search(
        outer_parent=np.full(n, _UNREACHED, dtype=np.int64),
        inner_parent=np.full(n, _UNREACHED, dtype=np.int64),
        order=np.arange(n, dtype=np.int64),
        open=np.full(1, n, dtype=np.int64),
        wanting=np.empty(2 * n, dtype=np.int64),
        wanting_count=np.zeros(1, dtype=np.int64),
        queue=np.empty(n + _LOOKS, dtype=np.int64),
        walk=np.empty(2 * n + 2, dtype=np.int64),
        mark=np.zeros(n, dtype=np.int64),
        token=np.zeros(1, dtype=np.int64),
    )


def is_settled(search: Search) -> Bools:
    """Return of which vertices it is proven that no walk that begins there gains anything."""
    settled: Bools = search.outer_parent != _UNREACHED
    return settled


@compiled
def augment(new: NewEdges, search: Search, sources: Ints, turns: Ints, limit: int) -> tuple[int, int, int]:
    """Search from each source for augmenting walks and apply them.

    Parameters
    ----------
    new : NewEdges
        Changed in place.
    search : Search
        What a source reached that nothing can be gained from stays reached: no later walk needs it.
    sources : ndarray of int64
        All vertices with demand left that no finished search has reached.
    turns : ndarray of int64, same shape
        Random numbers, not negative.
    limit : int
        Steps after which no new search begins.

    Returns
    -------
    gained, doubtful, work : int
        Walks applied, each of them one edge more; sources that are in doubt; steps made.

    Notes
    -----
    A search goes from an outer vertex along a non-adjacent pair to any vertex, inner from then on, and from there
    along a new edge to an outer vertex, breadth first, up to an inner vertex with demand left. Walks may pass a
    vertex in both states and then use a pair twice; such a walk is not applied, and the source is in doubt when
    no other is found. Its lack is then handed to a random outer vertex: as many edges, but another search.

    Every vertex leaves the front of `order` once a search, and is passed over only by outer vertices it is adjacent
    to: O(n + E + S) a search, with E the adjacent pairs and S the new edges. An outer vertex that reaches many is
    interrupted, since most walks are short and found long before everything is reached.
    """
    gained = 0
    doubtful = 0
    work = 0
    cursor = 0
    search.wanting[: sources.size] = sources
    search.wanting_count[0] = sources.size
    for i in range(sources.size):
        source = sources[i]
        while new.remaining[source] > 0 and work < limit:
            end, length, reached, front, in_doubt, steps = _find(new, search, source)
            work += steps
            if end >= 0:
                toggle(new, search.walk, length, True)
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
            cursor = _turn_over(search, front, cursor)
            if end < 0:
                break
    return gained, doubtful, work


@compiled
def _turn_over(search: Search, front: int, cursor: int) -> int:
    """Exchange the vertices that a search reached for others of the order, so that the next one goes elsewhere."""
    order = search.order
    if front > 0:
        for i in range(front, search.open[0]):
            cursor = (cursor + 1) % front
            order[i], order[cursor] = order[cursor], order[i]
    return cursor


@compiled
def _hand_over(new: NewEdges, search: Search, source: int, heir: int) -> None:
    """Let an outer vertex lack an edge in place of the source, where the walk between them can be used."""
    length = _trace(search, search.walk, heir)
    if _is_consistent(search.walk, length):
        toggle(new, search.walk, length, False)
        new.remaining[source] -= 1
        new.remaining[heir] += 1
        search.wanting[search.wanting_count[0]] = heir
        search.wanting_count[0] += 1


@compiled
def _find(new: NewEdges, search: Search, source: int) -> tuple[int, int, int, int, bool, int]:
    """Search from one source.

    Returns
    -------
    end : int
        Where the walk ends that `search.walk` holds, −1 when there is none.
    length : int
        Vertices of the walk.
    reached : int
        The outer vertices reached stand so far into `search.queue`, some more than once.
    front : int
        Vertices at the front of `search.order` that were not reached as inner.
    in_doubt : bool
        Whether a walk was found and could not be used.
    steps : int
        Work.
    """
    order, queue, mark = search.order, search.queue, search.mark
    search.outer_parent[source] = _ROOT
    queue[0] = source
    head, reached = 0, 1
    front = search.open[0]
    in_doubt = False
    steps = 0
    look = _FIRST_LOOK
    while head < reached:
        u = queue[head]
        head += 1
        steps += _mark(new, search, u)
        end, length, tried, looks = _reach_wanting(new, search, source, u)
        steps += looks
        if end >= 0:
            return end, length, reached, front, in_doubt, steps
        in_doubt = in_doubt or tried
        token = search.token[0]
        i = 0
        pause = front - look
        while i < front:
            if front == pause:
                queue[reached] = u
                reached += 1
                look *= 2
                break
            steps += 1
            v = order[i]
            if mark[v] == token:
                i += 1
                continue
            front -= 1
            order[i], order[front] = order[front], v
            search.inner_parent[v] = u
            for j in range(new.first[v], new.first[v] + new.used[v]):
                steps += 1
                w = new.partner[j]
                if search.outer_parent[w] == _UNREACHED:
                    search.outer_parent[w] = v
                    queue[reached] = w
                    reached += 1
    return -1, 0, reached, front, in_doubt, steps


@compiled
def _reach_wanting(new: NewEdges, search: Search, source: int, u: int) -> tuple[int, int, bool, int]:
    """Write the walk through the outer vertex u to a vertex with demand left, where there is one that can be used.

    Returns the end or −1, the number of vertices of the walk, whether one was found that cannot be used, and steps.
    What is passed over is adjacent to u, so that the search takes no longer than the marking of u.
    """
    wanting, count = search.wanting, search.wanting_count
    in_doubt = False
    steps = 0
    i = 0
    while i < count[0]:
        steps += 1
        v = wanting[i]
        if new.remaining[v] == 0:
            count[0] -= 1
            wanting[i] = wanting[count[0]]
            continue
        i += 1
        if search.mark[v] == search.token[0] or (v == source and new.remaining[v] < 2):
            continue
        search.walk[0] = v
        length = 1 + _trace(search, search.walk[1:], u)
        steps += _CHECK * length
        if _is_consistent(search.walk, length):
            return v, length, in_doubt, steps
        in_doubt = True
    return -1, 0, in_doubt, steps


@compiled
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


@compiled
def _trace(search: Search, walk: Ints, outer: int) -> int:
    """Write the walk from an outer vertex back to the source; return its number of vertices."""
    walk[0] = outer
    length = 1
    while search.outer_parent[outer] != _ROOT:
        inner = search.outer_parent[outer]
        outer = search.inner_parent[inner]
        walk[length] = inner
        walk[length + 1] = outer
        length += 2
    return length


@compiled
def _is_consistent(walk: Ints, length: int) -> bool:
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
