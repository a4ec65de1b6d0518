"""Our method: a first solution at once, then sequences that spare the hubs what they cannot get."""

from __future__ import annotations

from copy import deepcopy

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.graph_view import GraphView
from graphkit.networks.methods._first_solution import first_solution
from graphkit.networks.methods._hub_search import HubSearch
from graphkit.networks.methods._small import compared, exact
from graphkit.networks.methods.solved import Solved
from graphkit.networks.progress import Progress

__all__ = ["optimal"]

_LOOK = 4000


def optimal(
    view: GraphView,
    k: int,
    lower_bound: int,
    rng: np.random.Generator,
    budget: Budget,
    progress: Progress,
) -> Solved:
    """Return edges that make the graph k-anonymous, as few as the search finds.

    The first solution ignores the graph in its choice of the sequence. Where it is not optimal, an integer program
    solves small graphs to the end; in others :class:`~graphkit.networks.methods._hub_search.HubSearch` looks for
    sequences whose demands the hubs can meet. Where that leaves a gap in a graph of few vertices, the other methods are
    asked as well.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3, for the two phases.
    """
    untouched = deepcopy(rng)
    found = Solved(first_solution(view, k, lower_bound, rng, budget, progress), lower_bound)
    if _is_done(found, budget):
        return found
    found = exact(view, k, found, budget)
    if _is_done(found, budget):
        return found
    found = _searched(view, k, found, rng, budget, progress)
    if _is_done(found, budget):
        return found
    return compared(view, k, found, untouched, budget)


def _is_done(found: Solved, budget: Budget) -> bool:
    return budget.is_close(found.size, found.lower_bound) or budget.is_spent()


def _searched(
    view: GraphView,
    k: int,
    found: Solved,
    rng: np.random.Generator,
    budget: Budget,
    progress: Progress,
) -> Solved:
    """Return the best that the search among the hubs finds from there on."""
    # a look at the hubs: often the first solution is proven to be the best, or one that comes soon
    bound = group_diagram_bound(view, k, target=found.size, known=found.lower_bound, work=_LOOK, budget=budget)
    best = found.edges
    if best.shape[0] == bound:
        return Solved(best, bound)
    search = HubSearch(view, k, rng, budget)
    for edges in search.solutions(best.shape[0]):
        best = edges
        progress("improve", int(best.shape[0]), bound)
        if best.shape[0] == bound or budget.is_close(best.shape[0], bound):
            break
    return Solved(best, bound, search.obstacles)
