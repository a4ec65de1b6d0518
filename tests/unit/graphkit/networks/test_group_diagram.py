"""The diagram of groups proves what brute force finds, whatever is merged or cut short."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks.bounds.diagram import search as _diagram_search
from graphkit.networks.bounds.diagram._bits import common, joinable_rows
from graphkit.networks.bounds.diagram._labels import DEPTH
from graphkit.networks.bounds.diagram._rest import PARTS, rest_from, rest_tables
from graphkit.networks.bounds.diagram.search import GroupDiagram
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.words import has, put
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs


def barabasi_albert(n: int, m: int, seed: int) -> IgraphView:
    graph = nx.barabasi_albert_graph(n, m, seed=seed)
    return IgraphView.of(SimpleGraph.from_edges(np.array(graph.edges()), n))


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave so little room for labels that nearly all are merged."""
    monkeypatch.setattr(_diagram_search, "_WIDTH", 8)


def test_the_bound_holds_on_every_graph_with_up_to_five_vertices() -> None:
    tight = 0
    for graph, k in all_graphs():
        if graph.n <= 5:
            least = minimum_edges(graph, k)
            found = group_diagram_bound(IgraphView.of(graph), k, target=least + 3)
            assert found <= least
            tight += found == least
    assert tight > 50


@given(graph=graphs(min_n=6, max_n=8), k=st.integers(2, 4), more=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_for_every_target(graph: SimpleGraph, k: int, more: int) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:  # sparse ones take too many subsets to try
        return
    least = minimum_edges(graph, k)
    assert group_diagram_bound(IgraphView.of(graph), k, target=least + more) <= least


@pytest.mark.usefixtures("narrow")
@given(graph=graphs(min_n=6, max_n=8), k=st.integers(2, 3))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_when_labels_are_merged(graph: SimpleGraph, k: int) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:
        return
    least = minimum_edges(graph, k)
    assert group_diagram_bound(IgraphView.of(graph), k, target=least + 3) <= least


def test_the_hubs_of_a_scale_free_network_leave_one_way_to_group_them() -> None:
    # the solution of that size is found by the search; the sequence alone proves less
    assert group_diagram_bound(barabasi_albert(2000, 3, seed=1), 3, target=74) == 74


def test_merged_labels_prove_less_but_never_more(monkeypatch: pytest.MonkeyPatch) -> None:
    view = barabasi_albert(600, 4, seed=3)
    wide = group_diagram_bound(view, 4, target=200)
    monkeypatch.setattr(_diagram_search, "_WIDTH", 8)
    assert 0 < group_diagram_bound(view, 4, target=200) <= wide


def test_little_work_proves_little_and_enough_work_the_optimum() -> None:
    view = barabasi_albert(2000, 3, seed=1)
    found = [group_diagram_bound(view, 3, target=74, work=work) for work in (1, 10, 1000)]
    assert found == sorted(found)
    assert found[0] < found[-1] == 74


def test_what_is_known_already_is_kept_without_time() -> None:
    ticks = iter(range(1000))
    spent = Budget(lambda: float(next(ticks)), 0.5)
    assert group_diagram_bound(barabasi_albert(100, 2, seed=1), 3, target=50, known=7, budget=spent) >= 7


def test_nothing_is_looked_at_where_the_target_is_known() -> None:
    assert group_diagram_bound(barabasi_albert(100, 2, seed=1), 3, target=7, known=7) == 7


@pytest.mark.parametrize("k", [2, 5, 60])
def test_the_first_term_is_the_cheapest_sequence(k: int) -> None:
    view = barabasi_albert(120, 2, seed=2)
    cheapest = minimum_raises(view.block_sequence(), k)[0].cost
    assert GroupDiagram(Positions.of(view, k, 600), 10_000).least(4 * cheapest + 99, DEPTH, Budget()) >= cheapest


def test_the_rest_is_the_cheapest_of_all_groups() -> None:
    degrees, k = np.array([9, 7, 7, 6, 4, 4, 3, 3, 1]), 2
    tables = rest_tables(degrees, k, 3, 4)
    rest = np.empty((PARTS + 1, 4), np.int64)
    rest_from(degrees, tables, k, 2, 8, rest)

    def weighed(borders: list[int], r: int, part: int) -> int:
        total = 0
        for begin, end in pairwise(borders):
            goal = 8 if begin == 2 else degrees[begin]
            for demand in goal - degrees[begin:end]:
                total += (PARTS - part) * demand + part * max(demand - r, 0)
        return int(total)

    ways = [[2, 4, 6, 9], [2, 4, 7, 9], [2, 5, 7, 9], [2, 5, 9], [2, 6, 9], [2, 9], [2, 7, 9], [2, 4, 9]]
    for part in range(PARTS + 1):
        for r in range(4):
            assert rest[part, r] == min(weighed(way, r, part) for way in ways)


@given(st.lists(st.integers(0, 127), max_size=20), st.lists(st.integers(0, 127), max_size=20))
@settings(deadline=None)
def test_sets_of_positions_behave_as_sets(left: list[int], right: list[int]) -> None:
    words = np.zeros((2, 2), np.uint64)
    for members, wanted in zip(words, (left, right), strict=True):
        for position in wanted:
            put(members, position, True)
    assert common(words[0], words[1]) == len(set(left) & set(right))
    for position in left[::2]:
        put(words[0], position, False)
    assert {v for v in range(128) if has(words[0], v)} == set(left) - set(left[::2])


def test_rows_hold_the_first_positions_of_a_matrix() -> None:
    matrix = np.random.default_rng(1).random((150, 150)) < 0.3
    rows = joinable_rows(matrix)
    assert [[has(row, v) for v in range(128)] for row in rows] == matrix[:, :128].tolist()
