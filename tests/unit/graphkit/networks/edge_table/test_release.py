"""Fresh ids are a permutation that only the secret tells; every edge leaves under them, in their order."""

from __future__ import annotations

import os
import sys

import ibis
import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table import keep, published_ids, released_edges
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.edge_tables import edges_of, view_of

CONNECTION = ibis.duckdb.connect(threads=1)


def ids_of(n: int, secret: bytes) -> list[int]:
    vertices = view_of(CONNECTION, SimpleGraph.from_edges([], n=n)).vertices
    return [v for _, v in edges_of(CONNECTION, published_ids(vertices, secret).select("vertex", "published"))]


def test_fresh_ids_are_a_permutation_that_depends_on_the_secret() -> None:
    first, second = ids_of(1000, os.urandom(32)), ids_of(1000, os.urandom(32))
    assert sorted(first) == sorted(second) == list(range(1000))
    assert first != second
    # a permutation of 1000 leaves one of them in its place on average, and more than 12 with probability below 1e-9
    assert sum(v == place for place, v in enumerate(first)) <= 12


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(InvalidInput, match="32 random bytes"):
        ids_of(3, b"seed")


def test_all_edges_leave_under_the_fresh_ids_and_sorted() -> None:
    rng = np.random.default_rng(4)
    whole = SimpleGraph.from_edges(rng.integers(0, 50, (200, 2)), 50)
    kept = SimpleGraph(50, whole.edges[::2])
    view = view_of(CONNECTION, kept)
    published = keep(CONNECTION, published_ids(view.vertices, os.urandom(32)))
    low_high = view._edges
    result = CONNECTION.to_pyarrow(released_edges(low_high, whole.edges[1::2], published))
    found = list(zip(result["source"].to_pylist(), result["target"].to_pylist(), strict=True))
    ids = np.array([v for _, v in edges_of(CONNECTION, published.select("vertex", "published"))])
    expected = SimpleGraph.from_edges(ids[whole.edges], 50).edges.tolist()
    assert found == [tuple(edge) for edge in expected]


def test_fresh_ids_are_drawn_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    # the container has none
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert sorted(ids_of(5, os.urandom(32))) == list(range(5))
