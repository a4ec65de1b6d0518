"""Branching on which levels are used: what is proven of each part is what brute force finds of its sets."""

import networkx as nx
import numpy as np
import pytest

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import SimpleGraph
from graphkit.networks.bounds.integer_program import integer_program_bound
from graphkit.networks.bounds.programs import edge_relaxation
from graphkit.networks.bounds.programs.edge_model import EdgeModel
from graphkit.networks.bounds.programs.edge_relaxation import UNKNOWN, UNUSED, USED, EdgeRelaxation
from graphkit.networks.bounds.programs.edges import EdgeParts, Told
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.interchange import as_view
from tests.support.brute_force import all_graphs, anonymizing


def sets_of(graph: SimpleGraph, k: int) -> list[tuple[int, set[int]]]:
    """Return the size of each set of new edges that makes the graph k-anonymous, and the degrees that then occur."""
    before = graph.degrees().sum()
    return [(int(after.sum() - before) // 2, set(after.tolist())) for after in anonymizing(graph, k)]


def least_of(sets: list[tuple[int, set[int]]], levels: frozenset[tuple[int, bool]], most: int) -> int:
    """Return the size of the smallest of the sets that use these levels and not those, at most a number."""
    return min((size for size, used in sets if all((d in used) == use for d, use in levels)), default=most)


@pytest.mark.parametrize("more", [0, 3])
def test_each_part_of_small_graphs_has_what_brute_force_finds(more: int) -> None:
    for graph, k in all_graphs():
        if graph.n > 5:
            continue
        sets = sets_of(graph, k)
        fewest = min(size for size, _ in sets)
        told: list[Told] = []
        # the linear program may be one of larger sets as well
        relaxation = EdgeRelaxation(Positions.of(as_view(graph), k, graph.n), fewest + 4 + more)
        program = EdgeParts(relaxation, fewest + 4, told)
        assert program.is_relaxed or program.relax(SECOND, Budget())
        while program.can_go_on:
            assert program.proven <= fewest
            program.go_on(relaxation.work + SECOND, program.target, Budget())
        assert program.target == program.proven == fewest
        for part in told:
            assert part.least <= least_of(sets, part.levels, fewest + 4) + 1e-6


@pytest.mark.parametrize("use", [UNUSED, USED])
def test_no_linear_program_of_a_level_cuts_off_a_set(use: int) -> None:
    for graph, k in all_graphs():
        if graph.n != 5:
            continue
        sets = sets_of(graph, k)
        most = min(size for size, _ in sets) + 4
        program = EdgeRelaxation(Positions.of(as_view(graph), k, graph.n), most)
        for level in range(program.number_of_levels):
            levels = np.full(program.number_of_levels, UNKNOWN)
            levels[level] = use
            relaxed = program.solved(levels, np.ones(program.columns), SECOND, Budget())
            assert relaxed is not None
            assert min(relaxed.value, most) <= least_of(sets, program.degrees_of(levels), most) + 1e-6


def test_few_choices_of_levels_are_left() -> None:
    # all bounds together ended with 37, after an effort of 20
    graph, budget = nx.gnp_random_graph(200, 0.9, seed=2), Budget()
    assert integer_program_bound(as_view(graph), 10, target=38, known=35, work=8 * SECOND, budget=budget) == 38
    assert budget.work < 8 * SECOND


def test_values_only_rise_until_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    # after few rounds of rows, so that there is something to branch on
    monkeypatch.setattr(edge_relaxation, "_GAIN", 1.0)
    relaxation = EdgeRelaxation(Positions.of(as_view(nx.gnp_random_graph(60, 0.9, seed=1)), 8, 60), 40)
    program = EdgeParts(relaxation, 40, [])
    assert program.relax(SECOND, Budget())
    values, sizes = [program.value], []
    while program.can_go_on:
        edges = program.go_on(relaxation.work + SECOND, program.target, Budget())
        values.append(program.value)
        sizes += [edges.shape[0]] if edges is not None else []
    assert values == sorted(values)
    assert len(values) > 2
    # the last set that was found is proven to be the smallest
    assert program.target == program.proven == sizes[-1]


def test_what_was_told_of_a_part_holds_in_other_programs() -> None:
    positions = Positions.of(as_view(nx.gnp_random_graph(60, 0.9, seed=1)), 8, 60)
    # of no set whatsoever, as if it had been proven
    program = EdgeParts(EdgeRelaxation(positions, 40), 40, [Told(frozenset(), 40)])
    assert program.relax(SECOND, Budget())
    assert program.proven == 40


def test_the_columns_of_fewer_edges_are_those_of_a_program_of_its_own() -> None:
    positions = Positions.of(as_view(nx.gnp_random_graph(60, 0.9, seed=1)), 8, 60)
    relaxation = EdgeRelaxation(positions, 40)
    assert relaxation.below(40).all()
    for target in (20, 28, 39):
        own, possible = EdgeModel(positions, target), relaxation.below(target)
        assert possible.sum() == own.columns < relaxation.columns


def test_one_linear_program_says_of_all_aims_no_less_than_one_for_each() -> None:
    # 17 edges are fewest
    positions, budget = Positions.of(as_view(nx.gnp_random_graph(60, 0.9, seed=1)), 8, 60), Budget()
    shared, said, said_alone = EdgeRelaxation(positions, 30), [], []
    for aim in (14, 20, 16, 30, 18):
        for relaxation, values in ((shared, said), (EdgeRelaxation(positions, aim), said_alone)):
            program = EdgeParts(relaxation, aim, [])
            assert program.is_relaxed or program.relax(relaxation.work + SECOND, budget)
            assert program.proven <= min(17, aim)
            values.append(program.proven)
    assert sum(said) >= sum(said_alone)


def test_what_took_too_long_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_relaxation, "_GAIN", 1.0)
    positions, budget = Positions.of(as_view(nx.gnp_random_graph(60, 0.9, seed=1)), 8, 60), Budget()
    relaxation = EdgeRelaxation(positions, 40)
    program = EdgeParts(relaxation, 40, [])
    assert not program.relax(relaxation.work + 10_000, budget)
    assert program.value == 0
    assert program.relax(relaxation.work + SECOND, budget)
    before = program.value
    # not enough for one step
    assert program.go_on(relaxation.work, 40, budget) is None
    assert program.value == before
    while program.can_go_on:
        program.go_on(relaxation.work + SECOND, program.target, budget)
    assert program.proven == program.target == 17
