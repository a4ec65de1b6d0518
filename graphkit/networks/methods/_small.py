"""Small graphs: the integer program, and the answers of the other methods."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.networks.constraints import Constraints
from graphkit.networks.graph_view import GraphView
from graphkit.networks.methods._drawn_sequences import drawn_sequences
from graphkit.networks.methods.clustering import clustering
from graphkit.networks.methods.liu_terzi import liu_terzi
from graphkit.networks.methods.solved import Solved
from graphkit.networks.methods.two_phase import two_phase
from graphkit.networks.ordering import canonical_edges
from graphkit.networks.progress import silent
from graphkit.networks.variants.exact import solve_exactly
from graphkit.networks.variants.problem import Problem

__all__ = ["compared", "exact"]

_VERTICES = 100
_VARIABLES = 400
_WORK = 25_000_000
"""Nodes that the integer program may look at, times the square of its variables: a node takes about that time."""


def exact(view: GraphView, k: int, found: Solved, budget: Budget) -> Solved:
    """Return what the integer program finds and proves where it is small, and `found` where it is not.

    Notes
    -----
    Measured on graphs of 12 to 18 vertices, to hand over `found` as a first solution, or as a limit on the size, does
    not make it faster, so it starts from nothing.
    """
    if view.vertex_count > _VERTICES:
        return found
    problem = Problem.of(view, k, Constraints(), deletions=False)
    # pairs, and the degrees that each vertex may end with: few where the graph is dense
    growth = int(problem.capacity.sum())
    variables = growth // 2 + growth + view.vertex_count
    if variables > _VARIABLES:
        return found
    answer = solve_exactly(problem, budget, _WORK // max(1, variables**2))
    if answer.infeasible:
        raise BrokenClaim("the integer program has no solution, and there is one")
    bound = max(found.lower_bound, answer.bound)
    if answer.added is not None and answer.added.shape[0] < found.size:
        return Solved(canonical_edges(answer.added), bound)
    return Solved(found.edges, bound)


def compared(view: GraphView, k: int, found: Solved, rng: np.random.Generator, budget: Budget) -> Solved:
    """Return the best of `found`, sequences drawn at random and what the other methods answer, if the graph is small.

    With the generator that a method would be given, it answers what it would: then none is better than the result.
    """
    if view.vertex_count > _VERTICES:
        return found
    for edges in drawn_sequences(view, k, found.size, deepcopy(rng), budget):
        found = replace(found, edges=edges)
    for method in (clustering, liu_terzi, two_phase):
        if found.size == found.lower_bound or budget.is_spent():
            break
        edges = method(view, k, found.lower_bound, deepcopy(rng), budget, silent)
        if edges.shape[0] < found.size:
            found = replace(found, edges=edges)
    return found
