"""Best sets of vertices whose pairs count against them: rows of cliques, and branching."""

from itertools import chain, repeat

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks.bounds import _clique_rows, coverage
from graphkit.networks.bounds._clique_rows import clique_rows_bound
from graphkit.networks.bounds._set_question import SetQuestion
from graphkit.networks.bounds.coverage import BestSets
from graphkit.networks.bounds.top_set import TopSets
from graphkit.networks.graphs.interchange import as_view
from tests.support.best_sets import NO_SPARES, adjacency, best_value

NEVER = 1 << 40


@st.composite
def questions(draw: st.DrawFn, most: int = 9) -> SetQuestion:
    n, seed = draw(st.integers(1, most)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    spares = np.full(draw(st.integers(0, 2)), draw(st.integers(0, 9)))
    size = draw(st.integers(1, n + spares.size))
    weights = np.sort(rng.integers(0, draw(st.integers(2, 15)), n))[::-1]
    return SetQuestion(weights, adjacency(n, draw(st.floats(0, 1)), seed), size, spares)


@given(question=questions(), less=st.integers(0, 3), data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_best_set_is_found_and_proven(question: SetQuestion, less: int, data: st.DataObject) -> None:
    best = best_value(question)
    assert clique_rows_bound(question, best - less, -NEVER, NEVER)[:2] == (best, best)
    # what is enough, or of no use, ends it early
    enough, useless = (data.draw(st.integers(best - 4, best + 4)) for _ in "ab")
    found = clique_rows_bound(question, best - less, enough, useless)
    assert found.value <= best <= found.bound
    assert found.bound in range(best, max(best, enough) + 1) or found.value >= useless


@given(question=questions(), name=st.sampled_from(["_ROUNDS", "_MOST_WORK", "_MOST_ROWS", "_FEWER", "_LEVELS"]))
@settings(max_examples=100, deadline=None)
def test_what_ends_early_is_a_bound(question: SetQuestion, name: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_clique_rows, name, 1)
        found = clique_rows_bound(question, -NEVER, -NEVER, NEVER)
    assert found.value <= best_value(question) <= found.bound


def test_a_program_that_is_not_solved_tells_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    question = SetQuestion(np.full(7, 4), adjacency(7, 0.8, 3), 4, NO_SPARES)
    solved, left = _clique_rows._Program.solved, [0]

    def a_few_times(program: _clique_rows._Program, work: int) -> _clique_rows.Told | None:
        left[0] -= 1
        return solved(program, work) if left[0] >= 0 else None

    monkeypatch.setattr(_clique_rows._Program, "solved", a_few_times)
    for left[0] in range(5):
        found = clique_rows_bound(question, 0, -NEVER, NEVER)
        assert found.value <= best_value(question) <= found.bound


@pytest.mark.parametrize("work", [2_000, 20_000])
def test_rows_of_large_cliques_take_no_more_than_is_given(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # of 30 vertices that are all adjacent a row has up to 465 entries, and there are hundreds of rows
    weights = np.arange(30)[::-1] // 3 + 8
    question = SetQuestion(weights, ~np.eye(30, dtype=bool), 12, NO_SPARES)
    solved, entries = _clique_rows._Program.solved, [0]

    def counted(program: _clique_rows._Program, left: int) -> _clique_rows.Told | None:
        told = solved(program, left)
        entries[0] += program._solver.getInfo().simplex_iteration_count * program._solver.getNumNz()
        return told

    monkeypatch.setattr(_clique_rows._Program, "solved", counted)
    found = clique_rows_bound(question, 0, -NEVER, NEVER, work=work)
    assert entries[0] <= 1.1 * work * _clique_rows._STEPS
    # the heaviest twelve, and the 66 pairs of them
    assert found.bound >= int(weights[:12].sum()) - 66


@given(question=questions(), seed=st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_whatever_the_solver_returns_is_a_bound(question: SetQuestion, seed: int) -> None:
    rng, n = np.random.default_rng(seed), question.n
    joined = np.zeros((n, n))
    members, wanted, excesses = _clique_rows._grown(question.adjacent, rng.random(n), joined, 0.01)
    cliques = [_clique_rows._Clique(members[i], int(wanted[i])) for i in np.flatnonzero(excesses)]
    program = _clique_rows._Program(question, cliques)
    # the multipliers of a pair and of its cliques may be more than 1 in all
    told = program.told(2 * rng.random(question.edges + 1 + len(cliques)) - 0.5)
    assert best_value(question) <= told.bound


@pytest.mark.parametrize("seed", range(1, 4))
def test_sets_among_dense_pairs_are_known_exactly(seed: int) -> None:
    # 2 to 3 more before: a linear program of pairs lets half of every vertex be in at no price
    weights = np.sort(np.random.default_rng(seed).integers(9, 14, 17))[::-1]
    question = SetQuestion(weights, adjacency(17, 0.7, seed), 6, NO_SPARES)
    assert BestSets(question.adjacent).bound(weights, 6).bound == best_value(question)


def test_a_question_with_little_work_is_answered_by_what_others_tell() -> None:
    weights = np.sort(np.random.default_rng(1).integers(9, 14, 40))[::-1]
    adjacent = adjacency(40, 0.7, 1)
    found = [BestSets(adjacent).bound(weights, 15, work=work) for work in (0, 1_400, 1 << 60)]
    bounds, took = [one.bound for one in found], [one.edges for one in found]
    assert bounds == sorted(set(bounds), reverse=True)
    assert took[0] < 800
    assert took[2] > 1_400
    assert took[0] < took[1] < took[2]


def test_when_the_time_is_up_no_program_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, asked = coverage.pair_multipliers, []

    def counted(question: SetQuestion) -> np.ndarray:
        asked.append(question)
        return solved(question)

    monkeypatch.setattr(coverage, "pair_multipliers", counted)
    view = as_view(nx.lollipop_graph(30, 20))
    for seconds, is_solved in ((0.0, True), (9.0, False)):
        asked.clear()
        ticks = chain([0.0], repeat(seconds))
        budget = Budget(clock=lambda ticks=ticks: next(ticks), time_limit=5.0)
        bound, _ = TopSets(view, 7).ask(7, 4, 10_000, budget)
        assert 4 <= bound <= 7
        assert bool(asked) == is_solved
