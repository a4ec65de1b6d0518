"""Moves of even balance, near to as many edges as before, and as cheap as they were."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from graphkit.networks import Constraints, SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.variants.balance import balanced
from graphkit.networks.variants.demand_moves import cheapest_moves, choose_demands
from graphkit.networks.variants.problem import Problem
from tests.support.strategies import graphs
from tests.support.variants import problems


@given(drawn=problems(min_n=4, max_n=14))
@settings(max_examples=150, deadline=None)
def test_balanced_moves_stay_anonymous_and_within_the_bounds(drawn: tuple[SimpleGraph, int, Constraints]) -> None:
    graph, k, limits = drawn
    problem = Problem.of(IgraphView.of(graph), k, limits.checked(graph.n, k), deletions=True)
    moves = cheapest_moves(problem, max_increase=limits.max_increase)
    if moves is None:
        return
    level = balanced(problem, moves)
    changes = choose_demands(problem, level, np.random.default_rng(0))
    assert problem.is_anonymous(problem.degrees + changes)
    assert not np.any(changes[problem.fixed])
    assert limits.max_increase is None or int(changes.max(initial=0)) <= limits.max_increase
    assert np.all(problem.degrees + changes >= 0)
    assert level.cost >= moves.cost
    if moves.balance % 2 == 0:
        assert level.cost == moves.cost
        assert abs(level.balance) <= abs(moves.balance)


@given(graph=graphs(min_n=5, max_n=14))
@settings(max_examples=60, deadline=None)
def test_where_one_vertex_more_than_k_is_left_the_balance_becomes_even(graph: SimpleGraph) -> None:
    problem = Problem.of(IgraphView.of(graph), 2, Constraints(), deletions=True)
    moves = cheapest_moves(problem)
    assert moves is not None
    level = balanced(problem, moves)
    after = problem.degrees + choose_demands(problem, level, np.random.default_rng(0))
    sizes = np.unique(after, return_counts=True)[1]
    # all degrees of an even number of vertices: a shift changes the balance by an even number
    assert level.balance % 2 == 0 or np.all(sizes % 2 == 0)
