"""Edge tables answer, are normalised, released and verified alike on DuckDB and on Spark."""

from __future__ import annotations

import hashlib
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from graphkit.networks.driver import anonymize
from graphkit.networks.edge_table import keep, normalise, published_ids, released_edges, verify_edge_table
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify import DegreeClaim
from tests.support.edge_tables import edges_of, view_of
from tests.support.view_contract import check_view

SECRET = bytes(range(32))


def with_hubs(seed: int, n: int) -> SimpleGraph:
    rng = np.random.default_rng(seed)
    hubs = [(hub, v) for hub in range(4) for v in rng.choice(np.arange(4, n), n // 3, replace=False).tolist()]
    return SimpleGraph.from_edges(np.concatenate((rng.integers(0, n, (2 * n, 2)), np.array(hubs))), n)


@pytest.mark.parametrize(
    "graph",
    [
        SimpleGraph.from_edges([], n=3),
        SimpleGraph.from_edges([(i, j) for i in range(5) for j in range(i)], n=6),
    ],
    ids=["no edges", "complete with an isolated vertex"],
)
def test_a_view_answers_like_the_edge_list(connection: Any, graph: SimpleGraph) -> None:
    vertices = np.random.default_rng(0).permutation(graph.n)[: graph.n // 2 + 1]
    check_view(view_of(connection, graph), graph, vertices)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "seed"), [(2, 0), (5, 1), (20, 2)])
def test_an_engine_gives_the_same_bits_as_in_memory(connection: Any, k: int, seed: int) -> None:
    graph = with_hubs(3, 300)
    in_table = anonymize(view_of(connection, graph), k, seed=seed, effort=0.5)
    in_memory = anonymize(graph, k, seed=seed, effort=0.5)
    assert in_table.edges.tolist() == in_memory.edges.tolist()
    assert in_table.lower_bound == in_memory.lower_bound


def test_an_edge_table_is_normalised_released_and_verified(connection: Any) -> None:
    rows = {"source": ["b", "a", "c", "c", "d", "e"], "target": ["a", "b", "a", "c", "e", "c"]}
    table = connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(rows))
    graph = normalise(connection, table)
    assert (graph.vertex_count, graph.edge_count, graph.loops, graph.repeated, graph.reversed) == (5, 4, 1, 1, 1)
    assert edges_of(connection, graph.edges) == [(0, 1), (0, 2), (2, 4), (3, 4)]
    added = np.array([[1, 3]])
    view = graph.view()
    published = keep(connection, published_ids(view.vertices, SECRET))
    released = keep(connection, released_edges(graph.edges, added, published))
    claim = DegreeClaim(k=5, n=5)
    verification = verify_edge_table(connection, claim, released, 5, original=graph.edges, published=published)
    assert verification.passed
    ids = dict(edges_of(connection, published.select("vertex", "published")))
    assert sorted(ids.values()) == list(range(5))
    expected = {tuple(sorted((ids[u], ids[v]))) for u, v in [(0, 1), (0, 2), (2, 4), (3, 4), (1, 3)]}
    assert edges_of(connection, released) == sorted(expected)


@pytest.mark.parametrize("kind", ["int64", "string"])
def test_no_row_is_no_vertex(connection: Any, kind: str) -> None:
    nothing = ibis.memtable(pa.table({name: pa.array([], type=kind) for name in ("source", "target")}))
    graph = normalise(connection, connection.create_table(ibis.util.gen_name("rows"), nothing))
    assert (graph.vertex_count, graph.edge_count, graph.reversed) == (0, 0, 0)


def test_edges_in_both_directions_are_counted_once_each(connection: Any) -> None:
    pairs = [("a", "b"), ("b", "a"), ("b", "a"), ("c", "c"), ("c", "a"), ("c", "a"), ("b", "d"), ("d", "b")]
    rows = {"source": [one for one, _ in pairs], "target": [other for _, other in pairs]}
    graph = normalise(connection, connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(rows)))
    assert (graph.edge_count, graph.loops, graph.repeated, graph.reversed) == (3, 1, 4, 2)
    assert graph.edges.columns == ("low", "high")


def test_fresh_ids_follow_the_digests_on_every_backend(connection: Any) -> None:
    view = view_of(connection, SimpleGraph.from_edges([(0, 1)], n=20))
    ids = dict(edges_of(connection, published_ids(view.vertices, SECRET).select("vertex", "published")))
    digests = {v: hashlib.sha256(f"{SECRET.hex()}{v}".encode()).hexdigest() for v in range(20)}
    assert sorted(range(20), key=ids.__getitem__) == sorted(range(20), key=digests.__getitem__)
