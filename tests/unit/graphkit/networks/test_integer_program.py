"""The integer program of a whole small graph: the optimum of brute force, whatever is known and however it is asked."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import SimpleGraph, anonymize
from graphkit.networks.bounds.integer_program import IntegerProgram, integer_program_bound
from graphkit.networks.bounds.programs import edge_model
from graphkit.networks.constraints import Constraints
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.risk.degree_risk import is_k_anonymous
from graphkit.networks.variants.exact import solve_exactly
from graphkit.networks.variants.problem import Problem
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs


def is_solution(graph: SimpleGraph, k: int, edges: np.ndarray) -> bool:
    """Return whether these are new edges that make the graph k-anonymous."""
    pairs = {tuple(sorted(pair)) for pair in edges.tolist()}
    are_new = len(pairs) == edges.shape[0] and not pairs & {tuple(sorted(pair)) for pair in graph.edges.tolist()}
    degrees = graph.degrees() + np.bincount(edges.ravel(), minlength=graph.n)
    return are_new and is_k_anonymous(np.bincount(degrees), k)


def check(graph: SimpleGraph, k: int, fewest: int, more: int) -> None:
    program, best, found = IntegerProgram(as_view(graph), k), fewest + more, []
    while True:
        bound, is_open, edges, _ = program.ask(best, 0, 10 * SECOND, Budget())
        if edges is None:
            break
        assert edges.shape[0] < best
        assert is_solution(graph, k, edges)
        found.append(edges)
        best = edges.shape[0]
    assert (bound, is_open, best) == (fewest, False, fewest)
    assert bool(found) == (more > 0)


def test_every_graph_with_up_to_five_vertices_is_solved() -> None:
    for graph, k in all_graphs():
        if graph.n <= 5:
            for more in (0, 1, 3):
                check(graph, k, minimum_edges(graph, k), more)


@pytest.mark.slow
def test_every_graph_with_six_vertices_is_solved() -> None:
    for graph, k in all_graphs():
        if graph.n == 6:
            for more in (0, 2):
                check(graph, k, minimum_edges(graph, k), more)


@given(graph=graphs(min_n=4, max_n=11), k=st.integers(2, 5), more=st.integers(0, 4), work=st.integers(1, 40_000))
@settings(max_examples=60, deadline=None)
def test_it_says_what_another_program_says_however_often_it_is_asked(
    graph: SimpleGraph, k: int, more: int, work: int
) -> None:
    k, view = min(k, graph.n), as_view(graph)
    other = solve_exactly(Problem.of(view, k, Constraints(), deletions=False), Budget(), 100_000)
    assert other.added is not None
    fewest, best, known, is_open = other.bound, other.bound + more, 0, True
    program, budget = IntegerProgram(view, k), Budget()
    while is_open or best > fewest:
        before = budget.work
        known, is_open, edges, _ = program.ask(best, known, work, budget)
        assert known <= fewest
        assert known == best or budget.work > before
        if edges is not None:
            assert is_solution(graph, k, edges)
            assert fewest <= edges.shape[0] < best
            best = edges.shape[0]
        work *= 2
    assert known == fewest


@pytest.mark.parametrize(
    ("n", "density", "seed", "k", "fewest"),
    [
        # half of what a search for sequences finds in that time
        (70, 0.95, 5, 15, 29),
        (50, 0.9, 1, 10, 27),
        (100, 0.97, 1, 20, 30),
        (150, 0.9, 1, 11, 24),
        (150, 0.97, 1, 35, 90),
    ],
)
def test_small_dense_graphs_are_solved_and_proven(n: int, density: float, seed: int, k: int, fewest: int) -> None:
    result = anonymize(nx.gnp_random_graph(n, density, seed=seed), k, seed=1, effort=6)
    assert (result.size, result.lower_bound) == (fewest, fewest)


def test_more_work_never_says_less() -> None:
    view = as_view(nx.gnp_random_graph(60, 0.9, seed=2))
    said = [integer_program_bound(view, 12, target=40, work=SECOND * units // 20) for units in (0, 1, 4, 40, 400)]
    assert said == sorted(said)
    assert said[0] < said[-1]


def test_large_and_sparse_graphs_are_left_to_others() -> None:
    assert IntegerProgram.suits(as_view(nx.gnp_random_graph(200, 0.9, seed=1)))
    assert not IntegerProgram.suits(as_view(nx.gnp_random_graph(200, 0.2, seed=1)))
    assert not IntegerProgram.suits(as_view(nx.complete_graph(601)))
    view, budget = as_view(nx.star_graph(130)), Budget()
    # who is raised to the height of the hub, and to whom: too many columns to ask for
    program = IntegerProgram(view, 20)
    assert program.least_work(3_000, 2_900) == 0
    assert program.ask(3_000, 2_900, SECOND, budget) == (2_900, False, None, 0)
    assert 0 < budget.work < SECOND
    # for fewer edges there are none
    assert program.least_work(3_000, 7) > 0


def test_without_all_groups_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    view = as_view(nx.gnp_random_graph(50, 0.9, seed=1))
    assert integer_program_bound(view, 10, target=32) == 27
    monkeypatch.setattr(edge_model, "_GROUPS", 50)
    # of few edges there are fewer groups than that
    assert integer_program_bound(view, 10, target=32) <= 27


def test_few_edges_are_aimed_at_first() -> None:
    # of the size of a first solution nothing is told in forty times the work
    program, budget = IntegerProgram(as_view(nx.gnp_random_graph(150, 0.97, seed=2)), 35), Budget()
    bound, is_open, found, _ = program.ask(294, 79, 4 * SECOND, budget)
    assert (bound, is_open) == (97, False)
    assert found is not None
    assert found.shape[0] == 97
    assert budget.work < 4 * SECOND


def test_what_starts_far_below_is_left_after_the_first_level() -> None:
    # its linear program says 202 where 261 are known: more levels raise it by one each
    program, budget = IntegerProgram(as_view(nx.barabasi_albert_graph(100, 3, seed=1)), 15), Budget()
    assert program.ask(284, 261, 20 * SECOND, budget) == (261, False, None, 0)
    assert budget.work < 4 * SECOND
    # a small one, whose levels take little, goes on
    assert IntegerProgram(as_view(nx.karate_club_graph()), 15).ask(95, 86, 2 * SECOND, Budget()).is_open


def test_it_ends_with_its_time() -> None:
    view = as_view(nx.gnp_random_graph(160, 0.8, seed=3))
    now = iter(range(1_000))
    answer = IntegerProgram(view, 6).ask(23, 0, 60 * SECOND, Budget(clock=lambda: next(now), time_limit=1.0))
    assert answer.is_open
    assert answer.bound <= 23
