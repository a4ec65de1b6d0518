"""The view pushed down into the database answers like a naive reading of the edge list."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.formats.network import LoadedNetwork
from auditor.store.opening import Store
from graphkit.networks.graph import SimpleGraph
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
        store.networks.add(str(place), LoadedNetwork(graph, np.arange(graph.n)), source="f", actor="ada")
    for place, graph in enumerate(graphs):
        view = store.networks.view(str(place))
        check_view(view, graph, np.empty(0, dtype=np.int64))
        check_view(view, graph, generator.permutation(graph.n))
        if graph.n:
            check_view(view, graph, generator.permutation(graph.n)[: graph.n // 2])
