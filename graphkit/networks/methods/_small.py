"""Small graphs: the integer program, and the answers of the other methods."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import numpy as np

from graphkit.errors import BrokenClaim
from graphkit.networks.constraints import Constraints
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.effort.work import NODE_STEPS, SECOND
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import canonical_edges
from graphkit.networks.methods._drawn_sequences import drawn_sequences
from graphkit.networks.methods.clustering import clustering
from graphkit.networks.methods.liu_terzi import liu_terzi
from graphkit.networks.methods.two_phase import two_phase
from graphkit.networks.variants.exact import solve_exactly
from graphkit.networks.variants.problem import Problem

__all__ = ["compared", "exact"]

_VERTICES = 100
_VARIABLES = 400
_WORK = 25_000_000
"""Nodes that the integer program may look at, times the square of its variables: a node takes about that time."""
_METHOD = SECOND // 4
"""About what another method takes at most for so few vertices."""


def exact(view: GraphView, k: int, standing: Standing) -> None:
    """Improve what stands by what the integer program finds and proves, where it is small.

    Notes
    -----
    Measured on graphs of 12 to 18 vertices, to hand over a first solution, or its size as a limit, does not make it
    faster, so it starts from nothing.
    """
    if view.vertex_count > _VERTICES or standing.is_done:
        return
    problem = Problem.of(view, k, Constraints(), deletions=False)
    # pairs, and the degrees that each vertex may end with: few where the graph is dense
    growth = int(problem.capacity.sum())
    variables = growth // 2 + growth + view.vertex_count
    if variables > _VARIABLES:
        return
    answer = solve_exactly(problem, standing.budget, _WORK // max(1, variables**2))
    standing.budget.charge(answer.nodes * variables**2 // NODE_STEPS)
    if answer.infeasible:
        raise BrokenClaim("the integer program has no solution, and there is one")
    if answer.added is not None and answer.added.shape[0] < standing.size:
        standing.offer(canonical_edges(answer.added))
    standing.prove(answer.bound, "integer-program")


def compared(view: GraphView, k: int, standing: Standing, rng: np.random.Generator) -> Iterator[None]:
    """Improve what stands by sequences drawn at random and by what the other methods answer, if the graph is small.

    With the generator that a method would be given, it answers what it would: then none is better than the result.
    """
    if view.vertex_count > _VERTICES:
        return
    budget = standing.budget
    for edges in drawn_sequences(view, k, standing.size, deepcopy(rng), budget):
        standing.offer(edges)
    budget.charge(_METHOD)
    yield
    for method in (clustering, liu_terzi, two_phase):
        if standing.is_done:
            return
        standing.offer(method(view, k, standing.bound, deepcopy(rng), budget, silent))
        budget.charge(_METHOD)
        yield
