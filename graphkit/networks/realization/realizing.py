"""Realize demands by new edges: greedy by largest demand, then alternating walks, or a proof that it cannot be."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.budget import Budget
from graphkit.kernels import compiled
from graphkit.networks.effort.work import WALK_STEPS
from graphkit.networks.graphs.ordering import adjacency_lists, canonical_edges
from graphkit.networks.realization.alternating_paths import Search, augment, is_settled, new_search
from graphkit.networks.realization.demand_order import join_to_largest, ordered_by_demand
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.realization.new_edges import NewEdges, edges_of, insert_all

_LIMIT = 1_000_000_000
_SLICE = 60_000_000
_PATIENCE = 100
"""Passes without gain over sources in doubt before the search gives up."""


@dataclass(frozen=True, slots=True, eq=False)
class Realization:
    """New edges for demands, and what is known about those that could not be met."""

    edges: Ints
    """New edges as vertex indices of the graph: simple, disjoint from the graph's, no vertex above its demand.
    Low index first, lexicographic order; shape (s, 2)."""
    leftover: Ints
    """Demand that is not met, per vertex with a demand; all zero when the demands are realized."""
    is_largest: bool
    """Whether it is proven that no new edges within the demands are more; with a leftover, nothing realizes them."""
    violated: Ints | None
    """Vertices of the graph whose demands exceed what their non-neighbours can take, by the inequality of
    :func:`~graphkit.networks.sequences.graphic.advanced_deficit`: proof enough that no new edges meet the demands. None
    where no such set was found."""


def realize(demand_map: DemandMap, rng: Rng) -> tuple[Ints, Ints]:
    """Return the edges and the leftover of :func:`realize_exactly`."""
    realization = realize_exactly(demand_map, rng)
    return realization.edges, realization.leftover


def realize_exactly(demand_map: DemandMap, rng: Rng, budget: Budget | None = None, limit: int = _LIMIT) -> Realization:
    """Return as many new edges within the demands as can be found, and a proof where they do not meet them.

    Parameters
    ----------
    demand_map : DemandMap
        Vertices, demands, and the edges among them that exist already.
    rng : numpy.random.Generator
        Breaks ties between equal demands and orders the searches.
    budget : Budget, optional
        Ends the search early; the result is valid all the same.
    limit : int
        Steps of search after which it ends. Without a clock in `budget` the result depends on the input, `rng` and
        this number alone.

    Notes
    -----
    The vertex of largest demand is joined to the non-adjacent vertices of largest remaining demand, repeatedly
    (the choice that realizes every graphic sequence where nothing is adjacent yet: Havel, Hakimi). What is left is
    met by augmenting alternating walks of any length: a factor with given degrees of the complement graph, of which
    only the pairs that are missing in it are ever stored. O(D + E) for the first part with D the sum of demands and
    E the adjacency among the vertices, up to conflicts; O(n + D + E) for each walk.

    A search that reaches no vertex with demand left proves that its source gains nothing, whatever the other sources
    do. Searches follow walks, not paths, so one may end in doubt (an odd cycle that has to be passed twice, a blossom
    of Edmonds); it is repeated from elsewhere in another order, 100 times without gain at most.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, appendix A, phase 2.2; Edmonds, Johnson, Matching: a well-solved class of
    integer linear programs, 1970; Tutte, A short proof of the factor theorem for finite graphs, 1954.

    Examples
    --------
    >>> star = DemandMap(np.arange(4), np.array([1, 1, 1, 1]), np.array([[0, 1], [0, 2], [0, 3]]))
    >>> found = realize_exactly(star, np.random.default_rng(0))
    >>> found.leftover.sum(), found.is_largest, found.violated
    (np.int64(2), True, array([0]))
    """
    number = demand_map.vertices.size
    if number == 0:
        return Realization(np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.int64), True, None)
    offsets, neighbours = adjacency_lists(demand_map.adjacency, number)
    order = np.lexsort((rng.permutation(number), demand_map.demands))
    remaining = demand_map.demands.copy()
    edges = np.empty((int(remaining.sum()) // 2 + 1, 2), dtype=np.int64)
    edges = edges[: _connect(offsets, neighbours, order, remaining, edges)]
    if not remaining.any():
        return Realization(canonical_edges(demand_map.vertices[edges]), remaining, True, None)
    first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(demand_map.demands)))
    partner = np.empty(first[-1], dtype=np.int64)
    new = NewEdges(offsets, neighbours, first, partner, np.zeros(number, dtype=np.int64), remaining)
    insert_all(new, edges)
    search = new_search(number)
    _improve(new, search, rng, budget or Budget(), limit)
    found = canonical_edges(demand_map.vertices[edges_of(new)])
    outer = is_settled(search)
    outer[search.order[search.open[0] :]] = False
    excess = _excess(demand_map, outer)
    violated = demand_map.vertices[outer] if excess > 0 else None
    return Realization(found, remaining, bool(np.all(is_settled(search)[remaining > 0])), violated)


def _improve(new: NewEdges, search: Search, rng: Rng, budget: Budget, limit: int) -> None:
    """Augment from every vertex with demand left until nothing is gained, or the limits are reached."""
    patience = _PATIENCE
    while limit > 0 and patience > 0 and not budget.is_spent():
        sources = np.flatnonzero((new.remaining > 0) & ~is_settled(search))
        if sources.size == 0:
            return
        rng.shuffle(search.order[: search.open[0]])
        turns = rng.integers(1 << 62, size=sources.size)
        gained, doubtful, work = augment(new, search, rng.permutation(sources), turns, min(limit, _SLICE))
        limit -= work
        budget.charge(work // WALK_STEPS)
        patience = patience - 1 if gained == 0 and doubtful > 0 else _PATIENCE


def _excess(demand_map: DemandMap, inside: Bools) -> int:
    """Return by how much the demands of a set R exceed what fits; positive: no new edges meet the demands.

    ``Σ_{v∈R} d_v − 2·nonadjacent_pairs(R) − Σ_{v∉R} min(d_v, |R \\ N(v)|)``.
    """
    ends, others = np.concatenate((demand_map.adjacency, demand_map.adjacency[:, ::-1])).T
    free = np.count_nonzero(inside) - np.bincount(ends[inside[others]], minlength=inside.size)
    room = int((free[inside] - 1).sum()) + int(np.minimum(demand_map.demands, free)[~inside].sum())
    return int(demand_map.demands[inside].sum()) - room


@compiled
def _connect(offsets: Ints, neighbours: Ints, order: Ints, remaining: Ints, edges: Ints) -> int:
    """Join largest to largest; write new edges, lower `remaining`, return the number of edges.

    `order` ascends by remaining demand.
    """
    by_demand = ordered_by_demand(order, remaining)
    n = order.size
    stamp = np.full(n, -1, np.int64)
    count = 0
    for last in range(n - 1, 0, -1):
        u = order[last]
        if remaining[u] == 0:
            break
        before = count
        count = join_to_largest(by_demand, offsets, neighbours, u, last - 1, stamp, edges, count)
        remaining[u] -= count - before
    return count
