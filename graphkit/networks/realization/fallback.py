"""A valid supergraph for every graph with n ≥ k, however dense or hub-heavy, when nothing cheaper was realized."""

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import vertices_by_degree
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import canonical_edges
from graphkit.networks.graphs.overlay_view import OverlayView
from graphkit.networks.realization.mapping import map_demands
from graphkit.networks.realization.realizing import realize
from graphkit.networks.risk.degree_risk import is_k_anonymous
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.slack_demand import add_slack_demand, graphic_slack

_ROUNDS = 40


def complete_somehow(view: GraphView, k: int, rng: Rng, budget: Budget) -> Ints:
    """Return new edges that make the graph k-anonymous, whatever they cost.

    Parameters
    ----------
    view : GraphView
        The graph, with at least `k` vertices.
    k : int
        Required block size.
    rng : numpy.random.Generator
        Source of all randomness.
    budget : Budget
        When it is spent, cheaper attempts are left out; the last one is always made.

    Notes
    -----
    Attempt i makes the i vertices of largest degree adjacent to everything (i = 0, k, 2k, 4k, …, n), which gives them
    one common degree n−1, and then works on what is left in rounds: anonymize, realize as far as possible, give every
    vertex that still has a demand arbitrary partners, look at the resulting graph anew. The partners are of low
    degree, where repairing is cheap. With i = n the result is the complete graph, which is k-anonymous since n ≥ k;
    so the loop ends with a valid answer.
    """
    n = view.vertex_count
    dominating = 0
    while True:
        start = _dominate(view, dominating)
        if dominating < n and not (budget.is_spent() and dominating):
            edges = _in_rounds(view, start, k, rng)
            if edges is not None:
                return edges
        elif dominating >= n:
            return start
        dominating = n if budget.is_spent() else min(n, max(k, 2 * dominating))


def _dominate(view: GraphView, number: int) -> Ints:
    """Return the edges that join the `number` vertices of largest degree to everything, canonical."""
    if number == 0:
        return np.empty((0, 2), dtype=np.int64)
    n = view.vertex_count
    hubs = vertices_by_degree(view)[0][:number]
    keys = []
    for hub, near in zip(hubs.tolist(), view.neighbours(hubs), strict=True):
        free = np.ones(n, dtype=bool)
        free[near] = False
        free[hub] = False
        partners = np.flatnonzero(free)
        keys.append(np.minimum(partners, hub) * n + np.maximum(partners, hub))
    key = np.unique(np.concatenate(keys))
    return np.column_stack((key // n, key % n))


def _in_rounds(view: GraphView, start: Ints, k: int, rng: Rng) -> Ints | None:
    """Return edges, `start` among them, that make the graph k-anonymous, or None after too many rounds."""
    edges = start
    for _ in range(_ROUNDS):
        current: GraphView = OverlayView(view, edges) if edges.size else view
        blocks = current.block_sequence()
        if is_k_anonymous(blocks, k):
            return edges
        raises, _ = minimum_raises(blocks, k)
        # with slack demand up to a graphic sequence where that is possible
        raises = add_slack_demand(blocks, raises, k, graphic_slack(raises)) or raises
        chosen = map_demands(current, raises, rng)
        added, leftover = realize(chosen, rng)
        edges = canonical_edges(np.concatenate((edges, added)))
        if leftover.any():
            more = _arbitrary_partners(OverlayView(view, edges), chosen.vertices, leftover, rng)
            if added.size == 0 and more.size == 0:
                return None
            edges = canonical_edges(np.concatenate((edges, more)))
    return None


def _arbitrary_partners(view: GraphView, vertices: Ints, leftover: Ints, rng: Rng) -> Ints:
    """Return new edges from each vertex with a leftover to that many non-neighbours, as far as there are any.

    Partners come from the largest blocks, where one vertex more or less matters least.
    """
    blocks = view.block_sequence()
    large = np.argsort(-blocks, kind="stable")
    large = large[blocks[large] > 0]
    added: list[tuple[int, int]] = []
    taken: set[tuple[int, int]] = set()
    for v, wanted in zip(vertices[leftover > 0].tolist(), leftover[leftover > 0].tolist(), strict=True):
        for degree in large.tolist():
            candidates = view.non_neighbours(np.array([v]), degree, int(blocks[degree]))
            for partner in rng.permutation(candidates)[:wanted].tolist():
                edge = (min(v, partner), max(v, partner))
                if edge not in taken:
                    taken.add(edge)
                    added.append(edge)
                    wanted -= 1
            if wanted <= 0:
                break
    return np.array(added, dtype=np.int64).reshape(-1, 2)
