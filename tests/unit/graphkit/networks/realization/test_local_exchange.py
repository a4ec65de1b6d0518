"""Random insertion and Supergraph with local exchange: what they answer is simple and meets no demand twice."""

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks import SimpleGraph
from graphkit.networks.realization.local_exchange import realize_at_random, realize_supergraph
from graphkit.networks.realization.mapping import DemandMap
from tests.support.strategies import graphs

Realize = Callable[[DemandMap, np.random.Generator], tuple[np.ndarray, np.ndarray]]
both = pytest.mark.parametrize("realize", [realize_at_random, realize_supergraph])


def demand_map(graph: SimpleGraph, demands: list[int]) -> DemandMap:
    wanted = np.array(demands, dtype=np.int64)
    vertices = np.flatnonzero(wanted)
    inside = graph.edges[np.isin(graph.edges, vertices).all(axis=1)]
    return DemandMap(vertices, wanted[vertices], np.searchsorted(vertices, inside))


@both
@given(graph=graphs(min_n=2, max_n=12), data=st.data())
@settings(max_examples=100, deadline=None)
def test_edges_are_new_and_with_the_leftover_make_up_the_demands(
    realize: Realize, graph: SimpleGraph, data: st.DataObject
) -> None:
    demands = data.draw(st.lists(st.integers(0, 4), min_size=graph.n, max_size=graph.n))
    asked = demand_map(graph, demands)
    edges, leftover = realize(asked, np.random.default_rng(data.draw(st.integers(0, 5))))
    SimpleGraph.from_edges(edges, graph.n)
    present = {tuple(edge) for edge in graph.edges.tolist()}
    added = [tuple(edge) for edge in edges.tolist()]
    assert added == sorted(set(added) - present)
    assert all(low < high for low, high in added)
    met = np.bincount(edges.ravel(), minlength=graph.n)[asked.vertices]
    assert np.array_equal(met + leftover, asked.demands)
    # nothing that is insertable is left out
    open_ends = asked.vertices[leftover > 0].tolist()
    assert all((u, v) in present | set(added) for u in open_ends for v in open_ends if u < v)


@both
def test_demands_of_a_random_graph_far_from_the_present_edges_are_always_met(realize: Realize) -> None:
    for seed in range(20):
        wanted = nx.gnm_random_graph(40, 60, seed=seed)
        demands = [degree for _, degree in wanted.degree()]
        graph = SimpleGraph.from_edges(list(nx.cycle_graph(40).edges), 40)
        _, leftover = realize(demand_map(graph, demands), np.random.default_rng(seed))
        assert leftover.sum() == 0


@both
def test_an_exchange_is_found_where_insertion_alone_is_stuck(realize: Realize) -> None:
    # 0 and 1 are adjacent: whoever joins 2 and 3 first has to give way
    graph = SimpleGraph.from_edges([(0, 1)], 4)
    for seed in range(20):
        edges, leftover = realize(demand_map(graph, [1, 1, 1, 1]), np.random.default_rng(seed))
        assert leftover.sum() == 0
        assert sorted(map(tuple, edges.tolist())) in ([(0, 2), (1, 3)], [(0, 3), (1, 2)])


@both
def test_what_cannot_be_is_left_over(realize: Realize) -> None:
    complete = SimpleGraph.from_edges(list(nx.complete_graph(4).edges))
    edges, leftover = realize(demand_map(complete, [1, 1, 1, 1]), np.random.default_rng(0))
    assert edges.shape == (0, 2)
    assert leftover.tolist() == [1, 1, 1, 1]
