"""Exchanges that make added edges look real: everything that held still holds, and the score does not fall."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphkit.budget import Budget
from graphkit.networks import Constraints, SimpleGraph, anonymize_under
from graphkit.networks.igraph_view import IgraphView
from graphkit.networks.variants.plausibility import make_plausible, plausibility_of
from graphkit.networks.variants.problem import Problem
from tests.support.variants import keeps_its_promises, problems


def clustered(seed: int) -> SimpleGraph:
    return SimpleGraph.from_edges(np.array(nx.powerlaw_cluster_graph(300, 4, 0.8, seed=seed).edges), 300)


def score(graph: SimpleGraph, a: int, b: int) -> float:
    near = [set(graph.edges[(graph.edges == v).any(axis=1)].ravel().tolist()) - {v} for v in (a, b)]
    common, degrees = len(near[0] & near[1]), sorted(map(len, near))
    return common / (common + 1) + (degrees[0] / degrees[1] if degrees[1] else 1) / 2


@pytest.mark.parametrize("seed", range(3))
def test_added_edges_look_more_like_the_original(seed: int) -> None:
    graph = clustered(seed)
    plain = anonymize_under(graph, 8, seed=seed)
    result = anonymize_under(graph, 8, plausible=True, seed=seed)
    assert result.size == plain.size
    assert keeps_its_promises(graph, result) == []
    found = result.plausibility
    assert found is not None
    assert plain.plausibility is None
    assert found.before == pytest.approx(np.mean([score(graph, a, b) for a, b in plain.added.tolist()]))
    assert found.added == pytest.approx(np.mean([score(graph, a, b) for a, b in result.added.tolist()]))
    assert found.added > found.before
    assert 0.5 < found.distinguishability < 1


def test_distinguishability_is_the_share_of_pairs_that_are_told_apart() -> None:
    graph = SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (3, 4)], n=8)
    problem = Problem.of(IgraphView.of(graph), 2, Constraints(), deletions=False)
    added = np.array([[0, 3], [5, 6]])
    found = plausibility_of(problem, added, added, np.random.default_rng(0))
    # 0–3: nothing in common, degrees 2 and 1; 5–6: nothing in common, degrees equal; an edge of the triangle: 1.0
    assert found.added == pytest.approx((0.25 + 0.5) / 2)
    assert 0.5 < found.original < 1
    assert 0.75 <= found.distinguishability <= 1


def test_nothing_added_is_told_apart_by_nobody() -> None:
    graph = SimpleGraph.from_edges([(0, 1)], n=2)
    result = anonymize_under(graph, 2, plausible=True)
    assert result.plausibility is not None
    assert result.plausibility.distinguishability == 0.5


@given(drawn=problems(min_n=6, max_n=12))
@settings(max_examples=60, deadline=None)
def test_exchanges_keep_every_degree_class_and_limit(drawn: tuple[SimpleGraph, int, Constraints]) -> None:
    graph, k, limits = drawn
    problem = Problem.of(IgraphView.of(graph), k, limits.checked(graph.n, k), deletions=False)
    rng = np.random.default_rng(graph.m)
    absent = [
        (a, b)
        for a, b in np.argwhere(np.triu(np.ones((graph.n, graph.n)), 1)).tolist()
        if (a, b) not in {(x, y) for x, y in graph.edges.tolist()} | problem.blocked
        and not (problem.fixed[a] or problem.fixed[b])
    ]
    added = np.array([pair for pair in absent if rng.random() < 0.3], dtype=np.int64).reshape(-1, 2)
    gain = np.bincount(added.ravel(), minlength=graph.n)
    if np.any(gain > problem.capacity):
        return
    better = make_plausible(problem, added, np.empty((0, 2), dtype=np.int64), rng, Budget())
    assert len({tuple(edge) for edge in better.tolist()}) == added.shape[0]
    assert not {(a, b) for a, b in better.tolist()} - set(absent)
    after = np.bincount(better.ravel(), minlength=graph.n)
    keys = problem.classes * 1000 + problem.degrees
    for changed in (gain, after):
        assert np.all(changed <= problem.capacity)
    # vertices of one class and degree may change roles, nothing else
    assert sorted(zip(keys.tolist(), gain.tolist(), strict=True)) == sorted(
        zip(keys.tolist(), after.tolist(), strict=True)
    )
    scores = [score(graph, a, b) for a, b in better.tolist()]
    assert sum(scores) >= sum(score(graph, a, b) for a, b in added.tolist()) - 1e-9
