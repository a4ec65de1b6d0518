"""The view pushed down into the database answers like a naive reading of the edge list."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.opening import Store
from auditor.subjects.networks.repository import Networks
from graphkit.networks.driver import anonymize
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.store_samples import random_network
from tests.support.view_contract import check_view

pytestmark = pytest.mark.neo4j


def test_a_stored_network_answers_like_its_edge_list(store: Store) -> None:
    generator = np.random.default_rng(7)
    graphs = [random_network(seed, n=4 + seed, m=3 * seed).graph for seed in range(8)]
    graphs += [
        SimpleGraph.from_edges([], n=0),
        SimpleGraph.from_edges([], n=3),
        SimpleGraph.from_edges([(i, j) for i in range(6) for j in range(i)]),
        SimpleGraph.from_edges([(0, i) for i in range(1, 12)]),
    ]
    # all in one store: an answer that mixes networks is wrong
    for place, graph in enumerate(graphs):
        Networks(store).add(str(place), LoadedNetwork(graph, np.arange(graph.n)), source="f", actor="ada")
    for place, graph in enumerate(graphs):
        view = Networks(store).view(str(place))
        check_view(view, graph, np.empty(0, dtype=np.int64))
        check_view(view, graph, generator.permutation(graph.n))
        if graph.n:
            check_view(view, graph, generator.permutation(graph.n)[: graph.n // 2])


@pytest.mark.slow
def test_an_engine_gives_the_same_bits_on_the_database_as_in_memory(store: Store) -> None:
    rng = np.random.default_rng(3)
    hubs = [(hub, v) for hub in range(4) for v in rng.choice(np.arange(4, 300), 90, replace=False).tolist()]
    graph = SimpleGraph.from_edges(np.concatenate((rng.integers(0, 300, (700, 2)), np.array(hubs))), 300)
    Networks(store).add("engine", LoadedNetwork(graph, np.arange(graph.n)), source="f", actor="ada")
    for k, seed in ((2, 0), (5, 1), (20, 2)):
        pushed_down = anonymize(Networks(store).view("engine"), k, seed=seed, effort=1)
        in_memory = anonymize(graph, k, seed=seed, effort=1)
        assert pushed_down.edges.tolist() == in_memory.edges.tolist()
        assert pushed_down.lower_bound == in_memory.lower_bound
