"""Exchanges that make added edges look real: everything that held still holds, and none makes them easier to tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphkit.budget import Budget
from graphkit.networks import Constraints, SimpleGraph, anonymize_under
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.variants.plausibility import Scores, make_plausible, plausibility_of
from graphkit.networks.variants.problem import Problem
from tests.support.variants import keeps_its_promises, problems


def clustered(seed: int) -> SimpleGraph:
    return SimpleGraph.from_edges(np.array(nx.powerlaw_cluster_graph(100, 3, 0.8, seed=seed).edges), 100)


def score(graph: SimpleGraph, a: int, b: int) -> float:
    near = neighbourhoods(graph)
    common, degrees = len(near[a] & near[b]), sorted((len(near[a]), len(near[b])))
    return common / (common + 1) + (degrees[0] / degrees[1] if degrees[1] else 1) / 2


@cache
def neighbourhoods(graph: SimpleGraph) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(graph.n)]
    for a, b in graph.edges.tolist():
        near[a].add(b)
        near[b].add(a)
    return near


def chance(graph: SimpleGraph, added: list[list[int]]) -> float:
    """Return the chance that an edge of the graph scores higher than an added one, from all pairs of them."""
    theirs = np.array([score(graph, a, b) for a, b in graph.edges.tolist()])[:, None]
    ours = np.array([score(graph, a, b) for a, b in added])[None]
    return float(np.mean((theirs > ours) + 0.5 * (theirs == ours)))


def preferring_hubs(seed: int) -> SimpleGraph:
    return SimpleGraph.from_edges(np.array(nx.barabasi_albert_graph(100, 3, seed=seed).edges), 100)


@pytest.mark.parametrize("make", [clustered, preferring_hubs])
@pytest.mark.parametrize("seed", range(2))
def test_added_edges_look_neither_less_nor_more_real_than_those_of_the_graph(
    make: Callable[[int], SimpleGraph], seed: int
) -> None:
    graph, allow = make(seed), ("add", "delete")
    plain = anonymize_under(graph, 5, allow=allow, seed=seed)
    result = anonymize_under(graph, 5, allow=allow, plausible=True, seed=seed)
    assert result.size == plain.size
    assert keeps_its_promises(graph, result) == []
    found = result.plausibility
    assert found is not None
    assert plain.plausibility is None
    assert found.before == pytest.approx(np.mean([score(graph, a, b) for a, b in plain.added.tolist()]))
    assert found.added == pytest.approx(np.mean([score(graph, a, b) for a, b in result.added.tolist()]))
    assert found.distinguishability == pytest.approx(chance(graph, result.added.tolist()))
    assert found.distinguishability_before == pytest.approx(chance(graph, plain.added.tolist()))
    assert found.distance == abs(found.distinguishability - 0.5)
    assert found.distance <= min(0.15, abs(found.distinguishability_before - 0.5))


@pytest.mark.parametrize("too_real", [False, True])
def test_exchanges_stop_half_way_from_either_side(too_real: bool) -> None:
    graph = SimpleGraph.from_edges(np.array(nx.powerlaw_cluster_graph(400, 3, 0.3, seed=1).edges), 400)
    problem = Problem.of(IgraphView.of(graph), 2, Constraints(), deletions=False)
    rng = np.random.default_rng(1)
    pairs = np.argwhere(np.triu(nx.to_numpy_array(nx.complement(nx.Graph(graph.edges.tolist())), nodelist=range(400))))
    pairs = pairs[rng.permutation(pairs.shape[0])[:4000]]
    scores = Scores(problem, rng)
    added = pairs[np.argsort(scores.of_all(pairs), kind="stable")][-80:] if too_real else pairs[:80]
    before = chance(graph, added.tolist())
    assert before < 0.2 if too_real else before > 0.6
    after = make_plausible(problem, scores, added, np.empty((0, 2), dtype=np.int64), rng, Budget())
    assert abs(chance(graph, after.tolist()) - 0.5) <= 0.006


def test_where_nothing_can_be_exchanged_all_stays() -> None:
    star = SimpleGraph.from_edges([(0, v) for v in range(1, 8)], 8)
    plain, result = anonymize_under(star, 8), anonymize_under(star, 8, plausible=True)
    assert result.added.tolist() == plain.added.tolist()


def test_distinguishability_is_the_share_of_pairs_that_are_told_apart() -> None:
    graph = SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (3, 4)], n=8)
    problem = Problem.of(IgraphView.of(graph), 2, Constraints(), deletions=False)
    added = np.array([[0, 3], [5, 6]])
    found = plausibility_of(Scores(problem, np.random.default_rng(0)), added, added)
    # 0–3: nothing in common, degrees 2 and 1; 5–6: nothing in common, degrees equal; an edge of the triangle: 1.0
    assert found.added == pytest.approx((0.25 + 0.5) / 2)
    assert found.original == pytest.approx((3 * 1.0 + 0.5) / 4)
    # 0–3 is below all four; 5–6 is below the triangle's three and ties with 3–4
    assert found.distinguishability == pytest.approx((4 + 3.5) / 8)
    assert found.distance == pytest.approx(7.5 / 8 - 0.5)


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
    scores = Scores(problem, rng)
    better = make_plausible(problem, scores, added, np.empty((0, 2), dtype=np.int64), rng, Budget())
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
    if better.size and graph.m:
        distances = [abs(chance(graph, edges.tolist()) - 0.5) for edges in (better, added)]
        assert distances[0] <= distances[1] + 1e-12
