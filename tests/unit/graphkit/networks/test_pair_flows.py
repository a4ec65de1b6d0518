"""Multipliers of pairs by maximum flows, against the linear program and against all sets."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphkit.networks.bounds._pair_flows import pair_multipliers
from graphkit.networks.bounds._pair_program import pair_program, pairs_of
from graphkit.networks.bounds._set_question import GRID, SetQuestion, told_by
from tests.support.best_sets import NO_SPARES, adjacency, best_value


@st.composite
def questions(draw: st.DrawFn) -> SetQuestion:
    n, seed = draw(st.integers(1, 9)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    spares = np.full(draw(st.integers(0, 3)), draw(st.integers(-3, 9)))
    weights = rng.integers(-4, draw(st.integers(-2, 15)), n)
    return SetQuestion(
        weights, adjacency(n, draw(st.floats(0, 1)), seed), draw(st.integers(1, n + spares.size)), spares
    )


def told(question: SetQuestion) -> float:
    multipliers = pair_multipliers(question)
    assert (multipliers == multipliers.T).all()
    assert ((multipliers >= 0) & (multipliers <= GRID * question.adjacent)).all()
    loads = multipliers.sum(axis=1)
    return told_by(question, loads, int(loads.sum()) // 2).above / GRID


@given(question=questions())
# two tangents that cross between thresholds, a threshold below all weights, nobody above the first one
@example(question=SetQuestion(np.array([7, 5, 5, 4, 4, 3, 3]), ~np.eye(7, dtype=bool), 4, NO_SPARES))
@example(question=SetQuestion(np.full(6, 20), ~np.eye(6, dtype=bool), 5, NO_SPARES))
@example(question=SetQuestion(np.full(3, 2), ~np.eye(3, dtype=bool), 2, np.full(2, 9)))
@settings(max_examples=300, deadline=None)
def test_they_tell_what_the_linear_program_tells(question: SetQuestion) -> None:
    solver = pair_program(question, pairs_of(question))
    solver.run()
    optimum = -solver.getInfo().objective_function_value
    # the best threshold may be between two of the grid, where the bound rises by each vertex and its twin at most
    assert optimum - 1e-6 <= told(question) <= optimum + 2 * (question.n + question.spares.size) / GRID + 1e-6
    assert best_value(question) <= told(question)


def test_thousands_of_pairs_take_few_flows() -> None:
    # as among the 200 most frequent of a text's words: nearly all are adjacent, of much the same weight. The simplex
    # method takes 30 000 steps and more than a second
    rng = np.random.default_rng(1)
    question = SetQuestion(np.sort(rng.integers(300, 420, 200))[::-1], adjacency(200, 0.7, 1), 100, NO_SPARES)
    solver = pair_program(question, pairs_of(question))
    solver.run()
    assert told(question) - -solver.getInfo().objective_function_value < 0.5
