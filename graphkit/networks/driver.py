"""API of the package: anonymize a graph, with a proven bound on what that must cost."""

from collections.abc import Callable
from copy import deepcopy
from types import MappingProxyType
from typing import Any

import numpy as np

from graphkit.budget import Budget
from graphkit.effort import units_of
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.networks.bounds.proving import proving
from graphkit.networks.effort.progress import Progress, silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.effort.turns import take_turns
from graphkit.networks.graphs.counted_view import CountedView
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.graphs.overlay_view import OverlayView
from graphkit.networks.methods.registry import METHODS
from graphkit.networks.result import Anonymization, Status
from graphkit.networks.risk.degree_risk import is_k_anonymous
from graphkit.parameters import check_block_size, generator_of, is_whole

DEFAULT_METHOD = "optimal"


def anonymize(
    graph: Any,
    k: int,
    *,
    method: str = DEFAULT_METHOD,
    seed: int | np.random.Generator = 0,
    effort: float | None = None,
    prove: bool = False,
    time_limit: float | None = None,
    gap: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> Anonymization:
    """Return new edges after which every degree that occurs occurs at least k times.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, GraphView or array of int, shape (m, 2)
        The graph; it is not changed. Vertices are numbered by position (networkx: order of nodes).
    k : int
        Required block size, at least 2 and at most the number of vertices.
    method : str, optional
        A name in :data:`~graphkit.networks.methods.registry.METHODS`.
    seed : int or numpy.random.Generator, optional
        Same graph, k, method, seed, effort and version: the same edges, as long as there is no time limit.
    effort : float, optional
        How much work is done, counted in steps of the engine: about seconds on the machine of docs/performance.md, the
        same work on every machine. 20 by default. With more of it there are never more edges, nor is the bound lower.
    prove : bool, optional
        Whether to use up all of the effort, 60 by default, unless an answer is proven earlier. Without it the search
        ends as well when nothing was gained for long.
    time_limit : float, optional
        Seconds after which the best valid set so far is taken; needs `clock`. Without an `effort` the work is not
        limited to less than that.
    gap : float, optional
        Share of its size by which a set may lie above the proven bound and still be good enough to stop: 0.01 is one
        in a hundred. By default the search goes on as far as its limits on work allow.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``; the engines have none. Without one no phase is timed.
    progress : callable, optional
        Called with phase, size of the best valid set, and lower bound.

    Returns
    -------
    Anonymization
        Always valid; `optimal` when its size equals the proven bound.

    Raises
    ------
    InvalidInput
        If `k` is no whole number, below 2 or above the number of vertices, `seed` is neither a whole number from 0 on
        nor a generator, the method is unknown, the graph is directed or has loops or parallel edges, there is a time
        limit without a clock, or `gap` is not within [0, 1).

    Examples
    --------
    >>> result = anonymize([(0, 1), (1, 2), (3, 4)], k=2)
    >>> result.size, result.lower_bound, result.status
    (1, 1, 'optimal')
    """
    units = units_of(effort, prove=prove, time_limit=time_limit)
    budget = Budget(clock, time_limit, 0.0 if gap is None else gap)
    report = progress or silent
    view = as_view(graph)
    check_k(view, k)
    if method not in METHODS:
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(sorted(METHODS))}")
    view = CountedView(view, budget)
    rng = generator_of(seed)
    untouched = deepcopy(rng)
    blocks = view.block_sequence()
    seconds = {"read": budget.elapsed()}
    if is_k_anonymous(blocks, k):
        return Anonymization(k, method, "optimal", np.empty((0, 2), dtype=np.int64), 0, seconds=seconds)
    # a valid answer comes before any bound: a short time limit still gives one
    edges = METHODS[method].first(view, k, rng, budget, report)
    seconds["first"] = budget.elapsed() - sum(seconds.values())
    standing = Standing(edges, budget, report)
    improve = METHODS[method].improve
    search = iter(()) if improve is None else improve(view, k, standing, rng, untouched)
    proof = proving(view, k, standing)
    seconds["solve"], seconds["bound"] = take_turns(standing, search, proof, units, patient=prove)
    edges, size, bound = standing.edges, standing.size, standing.bound
    if not is_k_anonymous(OverlayView(view, edges).block_sequence(), k):
        raise BrokenClaim(f"method {method} returned a graph that is not {k}-anonymous")
    if size < bound:
        raise BrokenClaim(f"method {method} found fewer edges than the proven bound")
    status: Status = "optimal" if size == bound else "feasible"
    proven = MappingProxyType(dict(standing.proven))
    return Anonymization(k, method, status, edges, bound, seconds=seconds, work=budget.work, proven=proven)


def lower_bound(graph: Any, k: int, *, size: int | None = None, effort: float | None = None) -> int:
    """Return a proven lower bound on the number of new edges that make a graph k-anonymous.

    Parameters
    ----------
    graph, k
        As for :func:`anonymize`; so are the errors.
    size : int, optional
        Number of edges of a solution that is known: the answer is at most that and often sharper. Without one it is
        the bound of :func:`anonymize` with the same effort, which looks for a solution as well.
    effort : float, optional
        As for :func:`anonymize`.

    Examples
    --------
    >>> lower_bound([(0, 1), (1, 2), (3, 4)], k=2)
    1
    """
    if size is None:
        return anonymize(graph, k, effort=effort).lower_bound
    if not is_whole(size) or size < 0:
        raise InvalidInput("the size must be the number of edges of a solution: a whole number from 0 on")
    budget, units = Budget(), units_of(effort, prove=False, time_limit=None)
    view = CountedView(as_view(graph), budget)
    check_k(view, k)
    standing = Standing(np.zeros((size, 2), dtype=np.int64), budget, silent)
    take_turns(standing, iter(()), proving(view, k, standing), units, patient=False)
    return standing.bound


def check_k(view: GraphView, k: int) -> None:
    """Refuse a block size for which no answer exists.

    Raises
    ------
    InvalidInput
        If `k` is no whole number, below 2 or above the number of vertices.
    """
    check_block_size(k)
    if k > view.vertex_count:
        raise InvalidInput(
            f"k ({k}) is larger than the number of vertices ({view.vertex_count}): no such graph is {k}-anonymous; "
            "choose a smaller k"
        )
