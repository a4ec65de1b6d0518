"""Our method: a first solution at once, then sequences that spare the hubs what they cannot get."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.graph_view import GraphView
from graphkit.networks.methods._first_solution import first_solution
from graphkit.networks.methods._hub_search import HubSearch

__all__ = ["optimal"]

_LOOK = 4000


def optimal(
    view: GraphView,
    k: int,
    lower_bound: int,
    rng: np.random.Generator,
    budget: Budget,
    progress: Callable[[str, int | None, int | None], None],
) -> NDArray[np.int64]:
    """Return edges that make the graph k-anonymous, as few as the search finds.

    The first solution ignores the graph in its choice of the sequence. Where it is not optimal,
    :class:`~graphkit.networks.methods._hub_search.HubSearch` looks for sequences whose demands the hubs can meet.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3, for the two phases.
    """
    best = first_solution(view, k, lower_bound, rng, budget, progress)
    if best.shape[0] == lower_bound or budget.is_close(best.shape[0], lower_bound) or budget.is_spent():
        return best
    # a look at the hubs: often the first solution is proven to be the best, or one that comes soon
    lower_bound = group_diagram_bound(view, k, target=best.shape[0], known=lower_bound, work=_LOOK, budget=budget)
    if best.shape[0] == lower_bound:
        return best
    for edges in HubSearch(view, k, rng, budget).solutions(best.shape[0]):
        best = edges
        progress("improve", int(best.shape[0]), lower_bound)
        if best.shape[0] == lower_bound or budget.is_close(best.shape[0], lower_bound):
            break
    return best
