"""Windows of levels and bands: what brute force finds in each, whoever stays outside; and steps from one to another."""

from collections import Counter
from functools import partial
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from graphkit.budget import Budget
from graphkit.networks import anonymize
from graphkit.networks.bounds.integer_program import IntegerProgram
from graphkit.networks.bounds.programs.windows import WindowProgram
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.progress import silent
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.methods._level_windows import LevelWindows
from graphkit.networks.risk.degree_risk import is_k_anonymous
from tests.support.brute_force import all_graphs, anonymizing

LONG = 100_000


def is_near(other: np.ndarray, after: np.ndarray, window: tuple[int, int]) -> bool:
    """Return whether all but the vertices on the levels of a window stay, and those remain between the others."""
    levels = np.unique(after)[::-1]
    above = levels[window[0] - 1] if window[0] else after.size
    below = levels[window[1]] if window[1] < levels.size else -1
    is_free = (above > after) & (after > below)
    return bool(np.where(is_free, (above > other) & (other > below), other == after).all())


def is_in_band(other: np.ndarray, after: np.ndarray, moves: int) -> bool:
    """Return whether nobody moves farther."""
    return bool((np.abs(other - after) <= moves).all())


def test_windows_and_bands_have_what_brute_force_finds_there() -> None:
    seen: Counter[tuple[bool, bool]] = Counter()
    for graph, k in all_graphs():
        if graph.n != 5 or k == 1:
            continue
        view = as_view(graph)
        positions = Positions.of(view, k, graph.n)
        vertices = positions.core.vertices
        solutions = list(anonymizing(graph, k))
        for after in solutions[:: max(1, len(solutions) // 6)]:
            program = WindowProgram(positions, after[vertices])
            windows = list(combinations(range(program.levels + 1), 2))
            questions = [(program.within(*window), partial(is_near, after=after, window=window)) for window in windows]
            questions += [(program.near(moves), partial(is_in_band, after=after, moves=moves)) for moves in (1, 2)]
            for most, is_allowed in questions:
                fewest = min(int(other.sum()) for other in solutions if is_allowed(other))
                found, is_cut = program.solved(most, LONG, Budget())
                assert not is_cut
                assert (found is not None) == (fewest < after.sum())
                if found is not None:
                    other = graph.degrees() + np.bincount(found.ravel(), minlength=graph.n)
                    assert other.sum() == fewest
                    assert is_allowed(other)
                    assert is_k_anonymous(np.bincount(other), k)
                    assert not nx.Graph(found.tolist()).edges & nx.Graph(graph.edges.tolist()).edges
                seen[is_allowed.func is is_near, found is not None] += 1
    assert len(seen) == 4
    assert min(seen.values()) > 200


def standing_of(graph: nx.Graph, k: int) -> tuple[Standing, LevelWindows]:
    """Return what one look at sequences alone leaves, and windows of it."""
    with pytest.MonkeyPatch.context() as patch:
        # the program of all edges would find the optimum
        patch.setattr(IntegerProgram, "suits", staticmethod(lambda view: False))
        edges = anonymize(graph, k, seed=1, method="clustering", effort=0.2).edges
    standing = Standing(edges, Budget(), silent)
    return standing, LevelWindows(as_view(graph), k, standing)


def test_windows_improve_a_set_until_none_of_them_can() -> None:
    graph = nx.gnp_random_graph(50, 0.9, seed=3)
    standing, windows = standing_of(graph, 10)
    steps, before = windows.steps(), standing.size
    while next(steps):
        pass
    best = anonymize(graph, 10, seed=1)
    assert best.lower_bound <= standing.size < before
    after = np.array([degree for _, degree in graph.degree]) + np.bincount(standing.edges.ravel(), minlength=50)
    assert is_k_anonymous(np.bincount(after), 10)
    assert not any(graph.has_edge(u, v) for u, v in standing.edges.tolist())
    # nothing to do, until another set stands
    work = standing.budget.work
    assert not next(steps)
    assert standing.budget.work == work
    standing.edges = standing.edges.copy()
    assert next(steps)
    assert standing.budget.work > work


def test_bands_find_what_no_window_has() -> None:
    # all levels of the best set are lower
    graph = nx.gnp_random_graph(40, 0.9, seed=1)
    standing, windows = standing_of(graph, 8)
    steps = windows.steps()
    while next(steps):
        pass
    best = anonymize(graph, 8, seed=1)
    assert best.status == "optimal"
    assert standing.size == best.size


def test_a_window_that_takes_long_waits_until_more_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    standing, windows = standing_of(nx.gnp_random_graph(50, 0.9, seed=3), 10)
    monkeypatch.setattr(WindowProgram, "price", lambda program, most: 10**9)
    steps, before = windows.steps(), standing.size
    assert [next(steps) for _ in range(3)] == [False] * 3
    standing.budget.charge(10**12)
    while standing.size == before:
        assert next(steps)


def test_dense_is_where_most_pairs_are_adjacent() -> None:
    assert standing_of(nx.gnp_random_graph(20, 0.7, seed=1), 2)[1].is_dense
    assert not standing_of(nx.gnp_random_graph(20, 0.3, seed=1), 2)[1].is_dense
