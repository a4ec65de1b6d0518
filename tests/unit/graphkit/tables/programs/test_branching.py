"""Branch and bound over whole tables: its bound is proven, wherever it was stopped."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.tables.programs import program as module
from graphkit.tables.programs.branching import Best, _branches, best_table
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals, wider_marginals
from tests.support.small_tables import feasible_tables, released_marginals, table_of

EVERYTHING = released_marginals() | wider_marginals() | agreeing_marginals()


def searched(
    released: ReleasedMarginals, objective: np.ndarray, tables: np.ndarray, by_prices: bool = False, **limits: object
) -> Best:
    size = objective.size
    upper = np.full(size, released.total)
    with pytest.MonkeyPatch.context() as patch:
        if by_prices:
            patch.setattr(module, "_FEW", 0)
            patch.setattr(module, "_ADDED", 1)
        start = tables[0] if by_prices and len(tables) else None
        program = MarginalProgram(released, np.arange(size), np.zeros(size, dtype=np.int64), upper, start)
        above = int(np.abs(objective).max(initial=0)) * released.total
        return best_table(program, objective, above, Budget(), **limits)  # type: ignore[arg-type]


@st.composite
def questions(draw: st.DrawFn) -> tuple[ReleasedMarginals, np.ndarray, np.ndarray]:
    """Marginals, an objective, and all tables."""
    released = draw(EVERYTHING)
    size = int(np.prod(released.shape))
    tables = np.array(list(feasible_tables(released)), dtype=np.int64).reshape(-1, size)
    if draw(st.booleans()):
        objective = np.zeros(size, dtype=np.int64)
        objective[draw(st.integers(0, size - 1))] = draw(st.sampled_from([1, -1]))
    else:
        objective = np.array(draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size)), dtype=np.int64)
    return released, objective, tables


def test_a_table_of_nobody_is_found_although_no_cell_is_given_to_the_solver_first() -> None:
    nobody = ReleasedMarginals((1,), {}, 0)
    found = searched(nobody, np.array([0]), np.array([[0]]), by_prices=True)
    assert (found.stopped, found.bound, found.table) == (False, 0, np.array([0]))


@given(questions(), st.booleans())
@settings(deadline=None)
def test_without_limits_the_answer_is_exact(
    question: tuple[ReleasedMarginals, np.ndarray, np.ndarray], by_prices: bool
) -> None:
    released, objective, tables = question
    found = searched(released, objective, tables, by_prices)
    if not len(tables):
        assert found.table is None
        assert found.stopped or found.bound is None
        return
    assert not found.stopped
    assert found.bound == (tables @ objective).max()
    assert found.table is not None
    assert any(np.array_equal(found.table, table) for table in tables)
    assert found.table @ objective == found.bound


@given(questions(), st.booleans(), st.data())
@settings(deadline=None, max_examples=200)
def test_limits_never_make_a_bound_wrong(
    question: tuple[ReleasedMarginals, np.ndarray, np.ndarray], by_prices: bool, data: st.DataObject
) -> None:
    released, objective, tables = question
    values = tables @ objective
    nodes = data.draw(st.sampled_from([0, 1, 2, 3, 2000]))
    known = data.draw(st.none() | st.sampled_from(values.tolist())) if len(tables) else None
    enough = data.draw(st.none() | st.integers(-8, 8))
    found = searched(released, objective, tables, by_prices, nodes=nodes, known=known, enough=enough)
    if not len(tables):
        assert found.table is None
        return
    most = values.max()
    assert found.bound is not None
    assert most <= found.bound
    if found.table is not None:
        assert any(np.array_equal(found.table, table) for table in tables)
        assert known is None or found.table @ objective > known
    best = max(
        [v for v in (known, None if found.table is None else found.table @ objective) if v is not None], default=None
    )
    if not found.stopped:
        # answered: the most, or what is enough, or the proof that nothing is
        assert best == most or (enough is not None and ((best is not None and best >= enough) or most < enough))
        if enough is not None and most < enough:
            assert found.bound < enough or best == found.bound


def test_a_table_that_is_enough_ends_the_search() -> None:
    table = table_of(np.random.default_rng(5).integers(0, 30, (3, 3, 3)))
    released = ReleasedMarginals.of(table, combinations(range(3), 2))
    objective = np.zeros(27, dtype=np.int64)
    objective[0] = 1
    count = int(table.dense()[0, 0, 0])
    known = searched(released, objective, np.empty((0, 27)), known=count, enough=count, nodes=5)
    assert (known.table, known.stopped) == (None, False)
    none = searched(released, objective, np.empty((0, 27)), known=count, enough=10_000)
    assert not none.stopped
    assert none.bound is not None
    assert count <= none.bound < 10_000


def test_no_node_no_answer() -> None:
    released = ReleasedMarginals((2, 2), {(0,): [3, 1], (1,): [2, 2]})
    objective = np.array([1, 0, 0, 0])
    found = searched(released, objective, np.empty((0, 4)), nodes=0)
    assert (found.table, found.bound, found.stopped) == (None, 4, True)
    # what is known already is the most: nothing is left to ask
    done = searched(released, objective, np.empty((0, 4)), nodes=0, known=4)
    assert (done.table, done.bound, done.stopped) == (None, 4, False)


def test_time_that_ran_out_leaves_the_bound_that_was_proven() -> None:
    ticks = iter(range(1000))
    size = np.zeros(4, dtype=np.int64), np.full(4, 4)
    program = MarginalProgram(ReleasedMarginals((2, 2), {(0,): [3, 1]}), np.arange(4), *size)
    found = best_table(program, np.array([1, 0, 0, 0]), 3, Budget(lambda: float(next(ticks)), 0.5))
    assert (found.table, found.bound, found.stopped) == (None, 3, True)


def test_a_cell_that_is_fixed_is_not_divided() -> None:
    lower, upper = np.array([2, 0]), np.array([2, 3])
    parts = _branches(np.array([2.4, 1.2]), None, lower, upper)
    assert [(low.tolist(), high.tolist()) for low, high in parts] == [([2, 2], [2, 3]), ([2, 0], [2, 1])]
    assert _branches(np.array([2.4, 1.0]), None, np.array([2, 1]), np.array([2, 1])) == []


@pytest.mark.parametrize("factor", [2**30, 2**46])
def test_large_counts(factor: int) -> None:
    counts = np.random.default_rng(7).integers(0, 9, (3, 2, 2)) * factor
    table = table_of(counts + np.arange(12).reshape(3, 2, 2))
    released = ReleasedMarginals.of(table, ["AB", "BC", "AC"])
    dense = table.dense().reshape(-1)
    for cell in range(12):
        for sign in (1, -1):
            objective = np.zeros(12, dtype=np.int64)
            objective[cell] = sign
            found = searched(released, objective, np.empty((0, 12)), nodes=30)
            assert found.bound is not None
            assert found.bound >= sign * dense[cell]
            if found.table is not None:
                assert found.table @ objective <= found.bound
