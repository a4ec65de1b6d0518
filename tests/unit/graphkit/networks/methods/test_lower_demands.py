"""Demands below the hubs: anonymous, no more than the limit, and enough partners for every set that was named."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.networks import dominant_hub
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import anonymize
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.lower_vertices import MEMBER, LowerVertices
from graphkit.networks.core.violated_sets import violated_set_of
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._candidate import candidate_of
from graphkit.networks.methods.lower.demands import LowerDemands
from graphkit.networks.methods.lower.serving_sets import lowest_ends
from graphkit.networks.sequences.violated_set_dp import cheapest_groups
from tests.support.strategies import graphs


def non_neighbours(graph: SimpleGraph) -> np.ndarray:
    joinable = ~np.eye(graph.n, dtype=bool)
    joinable[graph.edges[:, 0], graph.edges[:, 1]] = joinable[graph.edges[:, 1], graph.edges[:, 0]] = False
    return joinable


@given(graph=graphs(min_n=4, max_n=24), k=st.integers(2, 4), data=st.data())
@settings(max_examples=200, deadline=None)
def test_what_is_chosen_is_anonymous_and_serves_every_set(graph: SimpleGraph, k: int, data: st.DataObject) -> None:
    view = IgraphView.of(graph)
    positions = Positions.of(view, k, data.draw(st.integers(1, graph.n)))
    candidate = candidate_of(positions, cheapest_groups(positions.degrees, k))
    size = positions.core.size
    sets = [
        violated_set_of(positions.core, np.isin(np.arange(size), sorted(members)))
        for members in data.draw(st.lists(st.sets(st.integers(0, size - 1), min_size=1), min_size=1, max_size=3))
    ]
    least, limit = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 100))
    last = data.draw(st.sampled_from((min, max)))(lowest_ends(positions, candidate, sets))
    lower = LowerDemands(view, positions, candidate, sets, last)
    found = lower.chosen(least, limit, np.random.default_rng(1), Budget(), SECOND)
    if found is None:
        return
    assert lower.is_known
    vertices, asked = found
    demands = np.zeros(graph.n, dtype=np.int64)
    np.add.at(demands, vertices, asked)
    assert len(set(vertices.tolist())) == vertices.size
    assert asked.min(initial=1) > 0
    total = int(demands.sum())
    assert total % 2 == 0
    assert least <= total < limit
    degrees = view.degrees(np.arange(graph.n))
    assert min(Counter((degrees + demands).tolist()).values()) >= k
    joinable = non_neighbours(graph)
    for asking in sets:
        members = positions.core.vertices[asking.members]
        own = np.zeros(graph.n, dtype=bool)
        own[members] = True
        partners = joinable[:, members].sum(axis=1)
        inside = int(partners[members].sum())
        assert demands[own].sum() <= inside + np.minimum(demands, partners)[~own].sum()


@given(graph=graphs(min_n=2, max_n=14), data=st.data())
@settings(max_examples=100, deadline=None)
def test_vertices_of_a_kind_have_one_degree_and_as_many_partners(graph: SimpleGraph, data: st.DataObject) -> None:
    hubs = np.array(sorted(data.draw(st.sets(st.integers(0, graph.n - 1), min_size=1, max_size=graph.n - 1))))
    sets = [hubs, hubs[:1], np.setdiff1d(np.arange(graph.n), hubs[1:])]
    view = IgraphView.of(graph)
    lower = LowerVertices.outside(view, hubs, sets)
    assert sorted([*lower.vertices.tolist(), *hubs.tolist()]) == list(range(graph.n))
    assert lower.counts.tolist() == np.bincount(lower.kind, minlength=lower.counts.size).tolist()
    assert lower.degrees[lower.kind].tolist() == view.degrees(lower.vertices).tolist()
    joinable = non_neighbours(graph)
    for number, members in enumerate(sets):
        inside = np.isin(lower.vertices, members)
        partners = np.where(inside, MEMBER, joinable[np.ix_(lower.vertices, members)].sum(axis=1))
        assert lower.partners[lower.kind, number].tolist() == partners.tolist()
    kinds = np.arange(lower.counts.size)
    columns = np.concatenate((kinds, kinds)), np.repeat([0, 3], kinds.size)
    halves = np.concatenate((lower.counts // 2, lower.counts - lower.counts // 2))
    vertices, demands = lower.with_demands(*columns, halves, np.random.default_rng(1))
    assert demands.tolist() == [3] * int(halves[kinds.size :].sum())
    raised = np.bincount(lower.kind[np.isin(lower.vertices, vertices)], minlength=kinds.size)
    assert raised.tolist() == halves[kinds.size :].tolist()


def test_hubs_that_are_not_known_one_by_one_are_not_asked_about() -> None:
    view = IgraphView.of(SimpleGraph.from_edges(np.array([(v, v + 1) for v in range(20)]), 21))
    positions = Positions.of(view, 2, 3)
    candidate = candidate_of(positions, cheapest_groups(positions.degrees, 2))
    everyone = violated_set_of(positions.core, np.ones(3, dtype=bool))
    (last,) = lowest_ends(positions, candidate, [everyone])
    lower = LowerDemands(view, positions, candidate, [everyone], last)
    assert not lower.is_known
    assert lower.chosen(0, 100, np.random.default_rng(1), Budget(), SECOND) is None


def test_a_vertex_that_is_to_be_joined_to_nearly_all_costs_little_more_than_it_must() -> None:
    """Who is its neighbour already gives it nothing, and all others are raised by one: their groups have to bear that.

    With demand that was raised in groups, whoever is in them, the gap was 1.6 to 4.1 % for such networks.
    """
    for seed, k in ((1, 2), (1, 5), (2, 3)):
        graph = dominant_hub(1600, 150, seed=seed)
        found = anonymize(IgraphView.of(graph), k, seed=1, effort=4)
        assert found.size - found.lower_bound <= 0.001 * found.size


def test_nothing_is_begun_after_the_end() -> None:
    view = IgraphView.of(dominant_hub(400, 40, seed=1))
    positions = Positions.of(view, 2, 100)
    candidate = candidate_of(positions, cheapest_groups(positions.degrees, 2))
    asking = violated_set_of(positions.core, np.arange(100) == 1)
    (last,) = lowest_ends(positions, candidate, [asking])
    lower, budget = LowerDemands(view, positions, candidate, [asking], last), Budget()
    assert lower.chosen(0, 10_000, np.random.default_rng(1), budget, 0) is None
    assert budget.work == 0
    assert lower.chosen(0, 10_000, np.random.default_rng(1), budget, SECOND) is not None
    assert 0 < budget.work < SECOND
