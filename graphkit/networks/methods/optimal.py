"""Our method: a first solution at once, then sequences that spare the hubs what they cannot get."""

from collections.abc import Iterator
from itertools import count

from graphkit.arrays import Rng
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._hub_search import HubSearch
from graphkit.networks.methods._small import compared

_DOUBLINGS = 6


def improving(view: GraphView, k: int, standing: Standing, rng: Rng, untouched: Rng) -> Iterator[bool]:
    """Look for fewer edges than those that stand, step by step.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size.
    standing : Standing
        Begins with the first solution, which ignores the graph in its choice of the sequence; is improved.
    rng : numpy.random.Generator
        Source of all randomness.
    untouched : numpy.random.Generator
        As it was before anything was drawn: with it other methods answer what they would answer alone.

    Yields
    ------
    bool
        True after each step.

    Notes
    -----
    In small graphs the other methods are asked as well. Then
    :class:`~graphkit.networks.methods._hub_search.HubSearch` looks for sequences whose demands the hubs can meet; when
    it finds no more, it begins anew with other random numbers and twice the work.
    """
    standing.is_opening = True
    for _ in compared(view, k, standing, untouched):
        yield True
    for turn in count():
        search = HubSearch(view, k, rng, standing.budget, patience=1 << min(turn, _DOUBLINGS))
        for edges in search.steps(standing.size):
            standing.violated_sets = search.violated_sets
            if edges is not None:
                standing.offer(edges)
            yield True
            standing.is_opening = False
