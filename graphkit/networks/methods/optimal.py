"""Our method: a first solution at once, then sequences that spare the hubs what they cannot get."""

from collections.abc import Iterator
from itertools import count

from graphkit.arrays import Rng
from graphkit.effort import SECOND
from graphkit.networks.bounds.integer_program import IntegerProgram
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._hub_search import HubSearch
from graphkit.networks.methods._level_windows import LevelWindows
from graphkit.networks.methods._small import compared

_DOUBLINGS = 6
# units that windows are given after each gain, and for one of the other search, also if most pairs are adjacent
_CREDIT, _SHARE, _SHARE_IF_DENSE = SECOND, 0.5, 3.0


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
    hubs = _hub_searches(view, k, standing, rng)
    yield from _with_windows(view, k, standing, hubs) if IntegerProgram.suits(view) else hubs


def _hub_searches(view: GraphView, k: int, standing: Standing, rng: Rng) -> Iterator[bool]:
    """Look for sequences that the hubs can meet, each time with twice the work."""
    for turn in count():
        search = HubSearch(view, k, rng, standing.budget, patience=1 << min(turn, _DOUBLINGS))
        for edges in search.steps(standing.size):
            standing.violated_sets = search.violated_sets
            if edges is not None:
                standing.offer(edges)
            yield True
            standing.is_opening = False
            search.first_groups, standing.first_groups = standing.first_groups or search.first_groups, None


def _with_windows(view: GraphView, k: int, standing: Standing, hubs: Iterator[bool]) -> Iterator[bool]:
    """Let windows of levels go on as well, for longer where most pairs are adjacent, and where they gain."""
    windows, budget = LevelWindows(view, k, standing), standing.budget
    steps = windows.steps()
    credit, share = (_CREDIT, _SHARE_IF_DENSE) if windows.is_dense else (0, _SHARE)
    while True:
        before = budget.work
        next(hubs)
        credit += round(share * (budget.work - before))
        yield True
        while credit > 0:
            before, size = budget.work, standing.size
            is_busy = next(steps)
            credit -= budget.work - before
            if standing.size < size:
                credit = max(credit, _CREDIT)
            if not is_busy:
                credit = min(credit, _CREDIT)
                break
            yield True
