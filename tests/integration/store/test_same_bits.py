"""One seed, one graph, one answer: in memory, in Neo4j, in DuckDB and in Spark."""

from __future__ import annotations

from typing import Any

import ibis
import numpy as np
import pytest

from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.opening import Store
from auditor.subjects.networks.repository import Networks
from graphkit.networks.driver import anonymize
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.edge_tables import view_of

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


def test_an_engine_gives_the_same_bits_on_every_backend(store: Store, spark: Any) -> None:
    rng = np.random.default_rng(11)
    hubs = [(hub, v) for hub in range(3) for v in rng.choice(np.arange(3, 200), 70, replace=False).tolist()]
    graph = SimpleGraph.from_edges(np.concatenate((rng.integers(0, 200, (400, 2)), np.array(hubs))), 205)
    Networks(store).add("same", LoadedNetwork(graph, np.arange(graph.n)), source="f", actor="ada")
    views = {
        "igraph": graph,
        "neo4j": Networks(store).view("same"),
        "duckdb": view_of(ibis.duckdb.connect(threads=1), graph),
        "spark": view_of(spark, graph),
    }
    answers = {name: anonymize(view, 7, seed=4, effort=1) for name, view in views.items()}
    edges = {name: answer.edges.tolist() for name, answer in answers.items()}
    assert edges["igraph"]
    assert edges == dict.fromkeys(edges, edges["igraph"])
    assert len({answer.lower_bound for answer in answers.values()}) == 1
