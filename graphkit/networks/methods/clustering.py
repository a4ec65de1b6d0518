"""Fast k-degree anonymization: greedy clusters from the largest degree, edges added to each in turn."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import vertices_by_degree
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.realization.fallback import complete_somehow
from graphkit.networks.risk.degree_risk import is_k_anonymous

_GUESSES = 32
_STEPS = 20_000


def clustering(view: GraphView, k: int, rng: Rng, budget: Budget, progress: Progress) -> Ints:
    """Return edges that make the graph k-anonymous.

    Vertices are kept by descending degree. The next cluster is taken from the front of those that have none
    (:func:`cluster_size`) and its members are joined to random later vertices until they have the degree of the first
    one, where no partner may pass that degree. When no such partner is left, the member is joined to any vertices,
    the least degrees first (relaxed), and if that reaches a finished cluster, everything begins anew on the graph as
    it is then.

    Notes
    -----
    A relaxed edge can raise a vertex of a finished cluster's degree above it without touching the cluster: the paper
    does not look back there, and its rule alone may end with a graph that is not k-anonymous. Here a pass that ends
    so is followed by another. Each pass but the last adds edges, so this ends; after too many steps, or when the
    budget is spent, :func:`~graphkit.networks.realization.fallback.complete_somehow` finishes the graph as it came in.

    O(n) a cluster for keeping the order; the adjacency of the members of a cluster is one query.

    References
    ----------
    X. Lu, Y. Song, S. Bressan, Fast identity anonymization on graphs, DEXA 2012.
    """
    progress("realize", None, None)
    state = _State(view, rng)
    front = 0
    for _ in range(_STEPS):
        if budget.is_spent():
            break
        if front >= view.vertex_count:
            if is_k_anonymous(np.bincount(state.degrees), k):
                return state.added()
            front = 0
        size = cluster_size(state.degrees, front, k)
        stuck = state.raise_cluster(front, size)
        if stuck is None:
            front += size
        elif state.relax(front, stuck) < front:
            front = 0
        state.sort()
    return complete_somehow(view, k, rng, budget)


def cluster_size(degrees: Ints, front: int, k: int) -> int:
    """Return how many vertices from position `front` on form the next cluster.

    Parameters
    ----------
    degrees : ndarray of int64
        All degrees, descending; those before `front` have their cluster.
    front : int
        Position of the first vertex without a cluster.
    k : int
        Required size.

    Notes
    -----
    Vertices of the last cluster's degree join it. Otherwise a cluster has k vertices, or as many as share the first
    degree if these are more. When fewer than k vertices would be left over, all of them belong to this cluster.

    Examples
    --------
    >>> cluster_size(np.array([9, 8, 7, 5, 5, 5]), 0, 2)
    2
    >>> cluster_size(np.array([9, 9, 7, 5, 5]), 2, 2)
    3
    """
    rest = degrees.size - front
    same = int(np.searchsorted(-degrees[front:], -degrees[front], side="right"))
    if rest - same < k:
        return rest
    if front > 0 and degrees[front - 1] == degrees[front]:
        return same
    return max(k, same) if rest >= 2 * k else rest


class _State:
    """Vertices by descending degree, and the edges added so far."""

    def __init__(self, view: GraphView, rng: Rng) -> None:
        self._view = view
        self._rng = rng
        self._adjacent: dict[int, set[int]] = {}  # of the vertices that were asked for, new edges included
        self._new: dict[int, set[int]] = {}
        self._edges: list[tuple[int, int]] = []
        self._vertices, self.degrees = vertices_by_degree(view)

    def added(self) -> Ints:
        """Return the new edges, canonical."""
        return np.array(sorted(self._edges), dtype=np.int64).reshape(-1, 2)

    def sort(self) -> None:
        """Put vertices in descending order again; equal degrees stay as they are."""
        order = np.argsort(-self.degrees, kind="stable")
        self.degrees, self._vertices = self.degrees[order], self._vertices[order]

    def raise_cluster(self, front: int, size: int) -> int | None:
        """Raise a cluster to its first degree; return the position of a member without a partner, or None."""
        goal = int(self.degrees[front])
        below = [i for i in range(front + 1, front + size) if self.degrees[i] < goal]
        self._ask([int(self._vertices[i]) for i in below])
        for i in below:
            while self.degrees[i] < goal:
                partner = self._partner(i, goal)
                if partner is None:
                    return i
                self._join(i, partner)
        return None

    def relax(self, front: int, stuck: int) -> int:
        """Join a vertex to the last ones possible, up to its cluster's degree; return the first position reached."""
        goal, near = int(self.degrees[front]), self._adjacent[int(self._vertices[stuck])]
        for last in range(self.degrees.size - 1, -1, -1):
            if last != stuck and int(self._vertices[last]) not in near:
                self._join(stuck, last)
                if self.degrees[stuck] == goal:
                    return last
        return 0

    def _partner(self, i: int, goal: int) -> int | None:
        """Return a random position after `i` below the goal that is not adjacent to it, or None."""
        near = self._adjacent[int(self._vertices[i])]
        size = self.degrees.size
        if i + 1 < size:
            # most positions will do: a few guesses save looking at all of them, and are as uniform
            for guess in self._rng.integers(i + 1, size, _GUESSES).tolist():
                if self.degrees[guess] < goal and int(self._vertices[guess]) not in near:
                    return int(guess)
        open_to = i + 1 + np.flatnonzero(self.degrees[i + 1 :] < goal)
        fitting = [j for j in open_to.tolist() if int(self._vertices[j]) not in near]
        return int(self._rng.choice(fitting)) if fitting else None

    def _join(self, i: int, j: int) -> None:
        """Add an edge between two positions."""
        u, v = int(self._vertices[i]), int(self._vertices[j])
        self._edges.append((min(u, v), max(u, v)))
        self.degrees[i] += 1
        self.degrees[j] += 1
        for one, other in ((u, v), (v, u)):
            self._new.setdefault(one, set()).add(other)
            if one in self._adjacent:
                self._adjacent[one].add(other)

    def _ask(self, vertices: list[int]) -> None:
        """Make the neighbours of vertices known, the new ones included."""
        unknown = [v for v in vertices if v not in self._adjacent]
        for v, near in zip(unknown, self._view.neighbours(np.array(unknown, dtype=np.int64)), strict=True):
            self._adjacent[v] = set(near.tolist()) | self._new.get(v, set())
