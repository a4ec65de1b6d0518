"""What is particular to the clustering of Lu, Song and Bressan."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks import SimpleGraph, anonymize
from graphkit.networks.methods.clustering import cluster_size
from graphkit.networks.risk.degree_risk import is_k_anonymous


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.integers(2, 6))
@settings(max_examples=200, deadline=None)
def test_raising_each_cluster_to_its_first_degree_is_anonymous(degrees: list[int], k: int) -> None:
    k = min(k, len(degrees))
    after = np.array(sorted(degrees, reverse=True))
    front = 0
    while front < after.size:
        size = cluster_size(after, front, k)
        after[front : front + size] = after[front]
        front += size
    assert front == after.size
    assert is_k_anonymous(np.bincount(after), k)


@pytest.mark.parametrize(
    ("degrees", "front", "size"),
    [
        ([9, 8, 7, 6, 5, 4], 0, 3),  # k, when no more share the first degree
        ([9, 9, 9, 9, 5, 4, 3], 0, 4),  # all of one degree
        ([9, 9, 9, 9, 5, 4, 3], 3, 1),  # the last cluster's degree: they join it
        ([9, 8, 7, 6, 5], 0, 5),  # fewer than 2k are left
        ([9, 9, 9, 9, 5, 4], 3, 3),  # joining would leave fewer than k
    ],
)
def test_the_size_of_a_cluster(degrees: list[int], front: int, size: int) -> None:
    assert cluster_size(np.array(degrees), front, 3) == size


def test_members_are_joined_to_vertices_behind_them() -> None:
    # a star of 6 and 20 single edges: the second hub needs 5 partners, none of whom may pass degree 6
    edges = [(0, i) for i in range(1, 7)] + [(7 + 2 * i, 8 + 2 * i) for i in range(20)]
    result = anonymize(SimpleGraph.from_edges(edges), 2, method="clustering", seed=3)
    degrees = np.bincount(np.concatenate((edges, result.edges.tolist())).astype(int).ravel())
    assert degrees.max() == 6
    assert result.size in (5, 6)


def test_a_relaxed_edge_that_breaks_a_finished_cluster_is_repaired() -> None:
    # dense graphs on few vertices are where partners run out
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 14))
        pairs = np.array([(u, v) for u in range(n) for v in range(u)])
        graph = SimpleGraph.from_edges(pairs[rng.random(len(pairs)) < 0.7], n)
        result = anonymize(graph, 3, method="clustering", seed=seed)
        degrees = graph.degrees() + np.bincount(result.edges.ravel(), minlength=n)
        assert is_k_anonymous(np.bincount(degrees), 3)
