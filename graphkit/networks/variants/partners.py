"""Partners for demands that could not be met among each other."""

from itertools import chain, islice

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.variants.problem import Problem


def join_to_others(problem: Problem, edges: Ints, demands: Ints, partners: Ints, rng: Rng) -> tuple[Ints, Ints]:
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
        Vertices that may get edges: those with demands first, then out of large blocks, in turn and at random within a
        block, none beyond its capacity.

    Returns
    -------
    edges : ndarray of int64, shape (t, 2)
        Low index first.
    demands : ndarray of int64, shape (n,)
        What could not be met.
    """
    room = (problem.capacity - np.bincount(edges.ravel(), minlength=problem.n)).tolist()
    wanting = np.flatnonzero(demands)
    left = demands.copy()
    closed: dict[int, set[int]] = {v: {v} for v in wanting.tolist()}
    for a, b in [*problem.blocked, *edges.tolist()]:
        if a in closed:
            closed[a].add(b)
        if b in closed:
            closed[b].add(a)
    degrees = problem.degrees + np.bincount(edges.ravel(), minlength=problem.n)
    blocks = np.bincount(degrees)
    order = partners[np.lexsort((rng.random(partners.size), -blocks[degrees[partners]]))].tolist()
    # an edge between two that want one serves both
    mutual = np.intersect1d(wanting, partners).tolist()
    added: list[tuple[int, int]] = []
    place = 0
    for v, near in zip(wanting.tolist(), problem.view.neighbours(wanting), strict=True):
        if left[v] <= 0:
            continue
        taken = 0
        closed[v].update(near.tolist())
        first = [u for u in mutual if left[u] > 0]
        for step, u in enumerate(chain(first, islice(order, place, None), islice(order, place)), 1 - len(first)):
            if left[v] <= 0 or room[v] <= 0:
                break
            if room[u] <= 0 or u in closed[v]:
                continue
            added.append((min(u, v), max(u, v)))
            room[u] -= 1
            room[v] -= 1
            left[v] -= 1
            left[u] = max(0, left[u] - 1)
            closed[v].add(u)
            if u in closed:
                closed[u].add(v)
            taken = max(taken, step)
        place = (place + taken) % max(1, len(order))
    new = np.array(added, dtype=np.int64).reshape(-1, 2)
    return np.concatenate((edges, new)), left
