"""Small graphs are solved to the end, and no other method finds fewer edges there."""

from __future__ import annotations

from itertools import count

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks import METHODS, SimpleGraph, anonymize
from graphkit.networks.bounds.integer_program import IntegerProgram
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods import _small
from graphkit.networks.methods._small import drawn_sequences
from graphkit.networks.risk.degree_risk import is_k_anonymous
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs

SIX = [(0, 3), (0, 4), (0, 5), (1, 2), (3, 5), (4, 5)]
ELEVEN = [
    *[(0, 1), (0, 2), (0, 3), (0, 4), (0, 6), (0, 7), (0, 10)],
    *[(1, 2), (1, 3), (1, 7), (2, 3), (2, 4), (2, 6), (3, 10)],
]
OTHERS = sorted(set(METHODS) - {"optimal"})


def graph_of(graph: nx.Graph) -> SimpleGraph:
    return SimpleGraph.from_edges(np.array(list(graph.edges), dtype=np.int64), graph.number_of_nodes())


def test_every_graph_with_up_to_five_vertices_is_solved_and_proven() -> None:
    for graph, k in all_graphs():
        if graph.n <= 5:
            result = anonymize(graph, k)
            assert result.size == result.lower_bound == minimum_edges(graph, k)


@pytest.mark.slow
def test_every_graph_with_six_vertices_is_solved_and_proven() -> None:
    for graph, k in all_graphs():
        if graph.n == 6:
            result = anonymize(graph, k)
            assert result.size == result.lower_bound == minimum_edges(graph, k)


@pytest.mark.parametrize(("edges", "n", "k", "size"), [(SIX, 6, 3, 6), (ELEVEN, 11, 4, 14)])
def test_many_vertices_rise_together_where_nothing_else_helps(
    edges: list[tuple[int, int]], n: int, k: int, size: int
) -> None:
    result = anonymize(SimpleGraph.from_edges(np.array(edges), n), k)
    assert (result.size, result.lower_bound) == (size, size)


@given(graph=graphs(min_n=6, max_n=11), data=st.data())
@settings(max_examples=40, deadline=None)
def test_no_other_method_finds_fewer_edges(graph: SimpleGraph, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, graph.n))
    best = anonymize(graph, k)
    for method in OTHERS:
        assert best.size <= anonymize(graph, k, method=method).size


@pytest.mark.parametrize(
    ("graph", "k"),
    [
        (nx.complement(nx.barabasi_albert_graph(20, 3, seed=4)), 7),
        (nx.barabasi_albert_graph(12, 3, seed=2), 5),
        (nx.gnp_random_graph(30, 0.9, seed=3), 3),
    ],
)
def test_no_other_method_finds_fewer_edges_where_the_program_is_too_large(
    graph: nx.Graph, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IntegerProgram, "suits", lambda view: False)
    sizes = {method: anonymize(graph_of(graph), k, method=method, seed=5, effort=0.3).size for method in METHODS}
    assert sizes["optimal"] == min(sizes.values())


def test_the_others_are_asked_with_the_seed_that_they_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, prices = [], []

    def lengthy(view: IgraphView, k: int, rng: np.random.Generator, *_: object, price: int = 0) -> np.ndarray:
        drawn.append(int(rng.integers(1 << 40)))
        prices.append(price)
        return np.zeros((9 - len(drawn), 2), dtype=np.int64)

    for method in ("clustering", "liu_terzi", "two_phase"):
        monkeypatch.setattr(_small, method, lengthy)
    monkeypatch.setattr(_small, "drawn_sequences", lambda *_: iter(()))
    view = IgraphView.of(SimpleGraph.from_edges(np.array(SIX), 6))
    standing = Standing(np.zeros((9, 2), dtype=np.int64), Budget(), silent, 2)
    assert len(list(_small.compared(view, 3, standing, np.random.default_rng(8)))) == 4
    assert standing.size == 6
    assert drawn == [int(np.random.default_rng(8).integers(1 << 40))] * 3
    # the one that maps sequences at random counts what it tries
    assert prices == [0, 0, _small._TRIAL]


def test_drawn_sequences_lead_from_the_complete_graph_to_the_optimum() -> None:
    graph = SimpleGraph.from_edges(np.array(SIX), 6)
    sizes = []
    for edges in drawn_sequences(IgraphView.of(graph), 3, 9, np.random.default_rng(1), Budget()):
        sizes.append(edges.shape[0])
        degrees = graph.degrees() + np.bincount(edges.ravel(), minlength=6)
        assert is_k_anonymous(np.bincount(degrees), 3)
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] == 6


def test_a_spent_budget_ends_with_what_is_there() -> None:
    ticks = count()
    result = anonymize(np.array(ELEVEN), 4, clock=lambda: float(next(ticks)), time_limit=1.0)
    assert result.size >= result.lower_bound


def test_the_same_seed_gives_the_same_bits_on_small_graphs() -> None:
    graph = graph_of(nx.barabasi_albert_graph(11, 2, seed=3))
    first, second = (anonymize(graph, 4, seed=2).edges for _ in range(2))
    assert np.array_equal(first, second)
