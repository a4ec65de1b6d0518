"""Sets near a linear program: each is one, none has fewer edges than brute force finds, and they are found early."""

import networkx as nx
import numpy as np
import pytest

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.integer_program import IntegerProgram
from graphkit.networks.bounds.programs import edge_looks
from graphkit.networks.bounds.programs.edge_looks import dive, look_near
from graphkit.networks.bounds.programs.edge_relaxation import UNKNOWN, EdgeRelaxation
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.risk.degree_risk import is_k_anonymous
from tests.support.brute_force import all_graphs, minimum_edges


def check(graph: nx.Graph, k: int, edges: np.ndarray, size: int) -> None:
    assert edges.shape[0] < size
    after = graph.copy()
    after.add_edges_from(edges.tolist())
    assert after.number_of_edges() == graph.number_of_edges() + edges.shape[0]
    assert is_k_anonymous(np.bincount([degree for _, degree in after.degree()]), k)


def relaxed(program: EdgeRelaxation) -> tuple[np.ndarray, edge_looks.Relaxed]:
    levels, possible = np.full(program.number_of_levels, UNKNOWN), np.ones(program.columns)
    found = program.solved(levels, possible, 10 * SECOND, Budget())
    assert found is not None
    return possible, found


def test_looks_find_the_fewest_edges_of_small_graphs_and_never_fewer() -> None:
    found, asked = 0, 0
    for small, k in all_graphs():
        if small.n != 5:
            continue
        graph = nx.empty_graph(small.n)
        graph.add_edges_from(small.edges.tolist())
        fewest = minimum_edges(small, k)
        program = EdgeRelaxation(Positions.of(as_view(graph), k, small.n), fewest + 3)
        possible, root = relaxed(program)
        if root.after is None:
            continue
        sets = [
            look_near(program, possible, root.after, fewest + 3, Budget()),
            dive(program, root, fewest + 3, Budget()),
        ]
        asked += 1
        for edges in sets:
            if edges is not None:
                check(graph, k, edges, fewest + 3)
                assert edges.shape[0] >= fewest
        found += any(edges is not None and edges.shape[0] == fewest for edges in sets)
        # there is none of fewer
        assert look_near(program, possible, root.after, fewest, Budget()) is None
    assert found > 0.9 * asked > 30


def test_a_dive_finds_at_once_what_the_search_looks_for_long() -> None:
    # 124 edges were left after an effort of 20
    graph = nx.gnp_random_graph(200, 0.9, seed=1)
    program = EdgeRelaxation(Positions.of(as_view(graph), 20, 200), 124)
    program.aim_at(118)
    root = program.solved(np.full(program.number_of_levels, UNKNOWN), program.below(118), 10 * SECOND, Budget())
    assert root is not None
    edges = dive(program, root, 124, Budget())
    assert edges is not None
    check(graph, 20, edges, 123)
    assert program.work < 8 * SECOND


def test_sets_above_the_aim_are_taken_as_well() -> None:
    graph, budget = nx.gnp_random_graph(200, 0.9, seed=1), Budget()
    answer = IntegerProgram(as_view(graph), 20).ask(124, 105, 4 * SECOND, budget)
    assert answer.edges is not None
    check(graph, 20, answer.edges, 124)
    # what was found is not yet proven
    assert answer.bound < answer.edges.shape[0]
    assert 0 < answer.searched < budget.work


def test_a_look_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_looks, "ROUNDS_NEAR", 1_000)
    program = EdgeRelaxation(Positions.of(as_view(nx.gnp_random_graph(200, 0.9, seed=1)), 20, 200), 124)
    possible, root = relaxed(program)
    assert root.after is not None
    now = iter(range(10**6))
    budget = Budget(clock=lambda: float(next(now)), time_limit=0.5)
    assert look_near(program, possible, root.after, 100, budget) is None
