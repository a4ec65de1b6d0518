"""What is particular to Liu and Terzi's method: its inequalities, its noise, and that probing ends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks import SimpleGraph, anonymize, is_k_anonymous
from graphkit.networks.methods import liu_terzi as method
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.sequences.position_dp import minimum_raises
from tests.support.strategies import graphs


def excess_by_definition(demands: np.ndarray, adjacency: np.ndarray) -> int:
    order = np.argsort(-demands, kind="stable")
    joined = {frozenset(edge) for edge in adjacency.tolist()}
    worst = []
    for size in range(1, demands.size + 1):
        top, rest = order[:size].tolist(), order[size:].tolist()
        inside = {v: sum(frozenset((v, u)) in joined for u in top) for v in order.tolist()}
        right = sum(size - 1 - inside[v] for v in top) + sum(min(size - inside[v], int(demands[v])) for v in rest)
        worst.append(int(demands[top].sum()) - right)
    return max(worst)


@given(graph=graphs(min_n=1, max_n=9), data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_inequalities_are_the_paper_s(graph: SimpleGraph, data: st.DataObject) -> None:
    demands = np.array(data.draw(st.lists(st.integers(1, 6), min_size=graph.n, max_size=graph.n)))
    found = method._largest_excess(DemandMap(np.arange(graph.n), demands, graph.edges))
    expected = max(excess_by_definition(demands, graph.edges), 0)
    # beyond the largest demand + 1 the graph can still violate one; what is found is never made up
    assert found <= expected
    if demands.size <= demands.max() + 1:
        assert found == expected


@given(degrees=st.lists(st.integers(0, 8), min_size=3, max_size=30), k=st.integers(2, 3))
@settings(max_examples=150, deadline=None)
def test_the_sequence_is_the_cheapest_also_when_the_degrees_are_in_no_order(degrees: list[int], k: int) -> None:
    given_degrees = np.array(degrees)
    after = method._anonymous(given_degrees, k)
    assert np.all(after >= given_degrees)
    assert is_k_anonymous(np.bincount(after), k)
    assert (after - given_degrees).sum() == minimum_raises(np.bincount(given_degrees), k)[1]


def test_noise_walks_up_the_degrees_and_begins_anew_at_the_end() -> None:
    noisy = np.array([0, 0, 1, 3])
    raised = method._add_noise(noisy, 0, 3)
    assert noisy.tolist() == [1, 1, 2, 3]
    method._add_noise(noisy, raised, 2)
    assert noisy.tolist() == [2, 2, 2, 3], "a vertex that is adjacent to all others cannot be raised"


def test_noise_ends_where_nothing_can_be_raised() -> None:
    noisy = np.array([1, 1])
    method._add_noise(noisy, 0, 5)
    assert noisy.tolist() == [1, 1]


@pytest.mark.parametrize("k", [2, 5, 20])
def test_probing_ends_with_a_graph_where_the_first_sequence_has_none(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    star = SimpleGraph.from_edges([(0, i) for i in range(1, 40)])
    probes = 0

    def counted(*args: object) -> tuple[np.ndarray, int]:
        nonlocal probes
        probes += 1
        return construct(*args)

    construct = method._construct
    monkeypatch.setattr(method, "_construct", counted)
    monkeypatch.setattr(method, "complete_somehow", lambda *_: pytest.fail("probing did not succeed by itself"))
    result = anonymize(star, k, method="liu-terzi")
    assert 1 < probes < method._PROBES
    assert is_k_anonymous(np.bincount(np.concatenate((star.edges, result.edges)).ravel()), k)


def test_what_no_probe_realizes_is_completed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method, "_construct", lambda *_: (np.empty((0, 2), dtype=np.int64), 1))
    result = anonymize(SimpleGraph.from_edges([(0, 1), (1, 2), (3, 4)]), 2, method="liu-terzi")
    assert result.size >= result.lower_bound


def test_a_sparse_graph_costs_little_more_than_the_bound() -> None:
    rng = np.random.default_rng(3)
    graph = SimpleGraph.from_edges(rng.integers(0, 2000, (3000, 2)), 2000)
    result = anonymize(graph, 5, method="liu-terzi")
    assert result.size <= result.lower_bound + 3
