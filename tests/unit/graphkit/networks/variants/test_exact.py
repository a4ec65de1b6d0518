"""The integer program: the optimum of brute force, a proof that there is none, and honest limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks import Constraints, SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.variants.exact import solve_exactly, variable_count
from graphkit.networks.variants.problem import Problem
from tests.support.variants import fewest_changes, problems


def problem_of(graph: SimpleGraph, k: int, limits: Constraints, *, deletions: bool = False) -> Problem:
    return Problem.of(IgraphView.of(graph), k, limits.checked(graph.n, k), deletions=deletions)


@given(drawn=problems(max_n=5), deletions=st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_finds_the_optimum_or_proves_that_there_is_none(
    drawn: tuple[SimpleGraph, int, Constraints], deletions: bool
) -> None:
    graph, k, limits = drawn
    problem = problem_of(graph, k, limits, deletions=deletions)
    fewest = fewest_changes(graph, k, problem.constraints, deletions=deletions)
    exact = solve_exactly(problem, Budget(), nodes=10_000)
    assert exact.infeasible == (fewest is None)
    if fewest is not None:
        assert exact.added is not None
        assert exact.deleted is not None
        assert exact.added.shape[0] + exact.deleted.shape[0] == exact.bound == fewest
        assert problem.respects(exact.added, exact.deleted)


def test_without_nodes_nothing_is_claimed() -> None:
    edges = np.array([(a, b) for a in range(12) for b in range(a) if (a * b) % 3 == 1])
    problem = problem_of(SimpleGraph.from_edges(edges, 12), 4, Constraints(forbidden_vertices=np.array([1])))
    whole = solve_exactly(problem, Budget(), nodes=100_000)
    cut = solve_exactly(problem, Budget(), nodes=0)
    assert not cut.infeasible or whole.infeasible
    assert cut.bound <= whole.bound


@pytest.mark.parametrize("n", [4, 9])
def test_the_size_is_known_before_it_is_built(n: int) -> None:
    graph = SimpleGraph.from_edges([(0, 1)], n)
    assert variable_count(problem_of(graph, 2, Constraints())) >= n * (n - 1) // 2
    assert variable_count(problem_of(graph, 2, Constraints(forbidden_vertices=np.arange(n)))) == 0
