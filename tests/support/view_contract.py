"""What every GraphView must answer, checked against a naive reading of the edge list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.graph_view import GraphView

__all__ = ["check_view"]


def check_view(view: GraphView, graph: SimpleGraph, vertices: NDArray[np.int64]) -> None:
    """Compare every answer of a view about `vertices` (any order, distinct) with the graph."""
    near: list[set[int]] = [set() for _ in range(graph.n)]
    for u, v in graph.edges.tolist():
        near[u].add(v)
        near[v].add(u)
    degree = [len(adjacent) for adjacent in near]
    largest = max(degree, default=-1)
    assert isinstance(view, GraphView)
    assert (view.vertex_count, view.edge_count) == (graph.n, graph.m)
    _equal(view.block_sequence(), [degree.count(d) for d in range(largest + 1)])
    _equal(view.degrees(vertices), [degree[v] for v in vertices.tolist()])
    asked = np.array([0, largest + 3, *range(largest, -1, -1)], dtype=np.int64)
    for d, block in zip(asked.tolist(), view.vertices_of_degrees(asked), strict=True):
        _equal(block, [v for v in range(graph.n) if degree[v] == d])
    chosen = set(vertices.tolist())
    expected = [[u, v] for u, v in graph.edges.tolist() if u in chosen and v in chosen]
    found = view.edges_among(vertices)
    assert found.shape == (len(expected), 2)
    assert found.tolist() == expected
    for v, adjacent in zip(vertices.tolist(), view.neighbours(vertices), strict=True):
        _equal(adjacent, sorted(near[v]))
    outside = [v for v in range(graph.n) if v not in chosen and not near[v] & chosen]
    for d in range(largest + 1):
        free = [v for v in outside if degree[v] == d]
        _equal(view.non_neighbours(vertices, d, graph.n), free)
        _equal(view.non_neighbours(vertices, d, 2), free[:2])


def _equal(found: NDArray[np.int64], expected: list[int]) -> None:
    assert found.dtype == np.int64
    assert found.tolist() == expected
