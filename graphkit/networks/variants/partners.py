"""Partners for demands that could not be met among each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.variants.problem import Problem

__all__ = ["join_to_others"]


def join_to_others(
    problem: Problem,
    edges: NDArray[np.int64],
    demands: NDArray[np.int64],
    partners: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return new edges that join vertices with demands to chosen partners, and what is left of the demands.

    Parameters
    ----------
    problem : Problem
        The graph and what is forbidden in it.
    edges : ndarray of int64, shape (s, 2)
        New edges so far; they stay.
    demands : ndarray of int64, shape (n,)
        How many edges each vertex wants.
    partners : ndarray of int64
        Vertices that may get edges; in large blocks first, at random within a block, none beyond its capacity.

    Returns
    -------
    edges : ndarray of int64, shape (t, 2)
        Low index first.
    demands : ndarray of int64, shape (n,)
        What could not be met.
    """
    room = problem.capacity - np.bincount(edges.ravel(), minlength=problem.n)
    wanting = np.flatnonzero(demands)
    left = demands.copy()
    closed: dict[int, set[int]] = {v: {v} for v in wanting.tolist()}
    for a, b in [*problem.blocked, *edges.tolist()]:
        if a in closed:
            closed[a].add(b)
        if b in closed:
            closed[b].add(a)
    degrees = problem.degrees + np.bincount(edges.ravel(), minlength=problem.n)
    blocks = np.bincount(degrees[partners]) if partners.size else np.zeros(1, dtype=np.int64)
    added: list[tuple[int, int]] = []
    open_to = np.zeros(problem.n, dtype=bool)
    for v, near in zip(wanting.tolist(), problem.view.neighbours(wanting), strict=True):
        if left[v] <= 0:
            continue
        open_to[:] = False
        open_to[partners] = room[partners] > 0
        open_to[near] = False
        open_to[list(closed[v])] = False
        found = rng.permutation(np.flatnonzero(open_to))
        # those that want edges themselves come first: such an edge serves two
        ranked = found[np.lexsort((-blocks[np.minimum(degrees[found], blocks.size - 1)], left[found] <= 0))]
        for u in ranked[: int(min(left[v], room[v]))].tolist():
            added.append((min(u, v), max(u, v)))
            room[u] -= 1
            room[v] -= 1
            left[v] -= 1
            left[u] = max(0, left[u] - 1)
            if u in closed:
                closed[u].add(v)
    new = np.array(added, dtype=np.int64).reshape(-1, 2)
    return np.concatenate((edges, new)), left
