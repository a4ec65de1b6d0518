"""Bounds from linear programs hold for every whole table, whatever the solver computed in floating point."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.tables.programs import program as module
from graphkit.tables.programs._corner_rows import corner_rows
from graphkit.tables.programs._equations import GRID_BITS, RAY_BITS
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals, wider_marginals
from tests.support.small_tables import feasible_tables, released_marginals, table_of

EVERYTHING = released_marginals() | wider_marginals() | agreeing_marginals()
WEIGHTS = st.integers(-3, 3)


def all_tables(released: ReleasedMarginals) -> NDArray[np.int64]:
    """Return all feasible tables, one a row."""
    return np.array(list(feasible_tables(released)), dtype=np.int64).reshape(-1, prod(released.shape))


def program_of(released: ReleasedMarginals, start: NDArray[np.int64] | None = None) -> MarginalProgram:
    size = prod(released.shape)
    upper = np.full(size, released.total)
    return MarginalProgram(released, np.arange(size), np.zeros(size, dtype=np.int64), upper, start)


def drawn_objective(data: st.DataObject, size: int) -> NDArray[np.int64]:
    return np.array(data.draw(st.lists(WEIGHTS, min_size=size, max_size=size)), dtype=np.int64)


def marginal_rows(shape: tuple[int, ...], sets: list[tuple[int, ...]]) -> NDArray[np.int64]:
    """Return one row a count of each marginal and of the total."""
    codes = np.array(np.unravel_index(np.arange(prod(shape)), shape))
    rows = [np.ones(prod(shape), dtype=np.int64)]
    for axes in sets:
        places = np.ndindex(tuple(shape[axis] for axis in axes))
        rows += [(codes[list(axes)] == np.array(place)[:, None]).all(axis=0).astype(np.int64) for place in places]
    return np.array(rows)


@given(released_marginals() | wider_marginals())
@settings(deadline=None)
def test_corner_rows_are_independent_and_say_the_same_as_the_marginals(released: ReleasedMarginals) -> None:
    matrix, right = corner_rows(released, np.arange(prod(released.shape)))
    rows = matrix.toarray()
    assert set(np.unique(rows)) <= {0, 1}
    said = marginal_rows(released.shape, list(released.sets))
    rank = np.linalg.matrix_rank(said)
    assert rows.shape[0] == np.linalg.matrix_rank(rows) == rank == np.linalg.matrix_rank(np.vstack((rows, said)))
    for table in all_tables(released)[:50]:
        assert np.array_equal(rows @ table, right)


@given(EVERYTHING, st.data())
@settings(deadline=None)
def test_no_table_is_above_the_proven_bound(released: ReleasedMarginals, data: st.DataObject) -> None:
    tables, program = all_tables(released), program_of(released)
    for _ in range(2):
        objective = drawn_objective(data, program.size)
        found = program.maximum(objective, Budget())
        if found is None:
            continue
        if found.bound is None:
            assert not len(tables)
        elif len(tables):
            assert (tables @ objective).max() <= found.bound
        if found.table is not None:
            assert any(np.array_equal(found.table, table) for table in tables)
            assert program._equations.hold(found.table)


@given(released_marginals(), st.data())
@settings(deadline=None)
def test_the_solver_always_answers_where_there_is_a_table(released: ReleasedMarginals, data: st.DataObject) -> None:
    program = program_of(released)
    found = program.maximum(drawn_objective(data, program.size), Budget())
    assert found is not None
    assert found.bound is not None
    assert abs(found.values.sum() - released.total) < 1e-6


@given(EVERYTHING, st.data(), st.booleans())
@settings(deadline=None)
def test_narrower_limits_hold_for_one_time(released: ReleasedMarginals, data: st.DataObject, by_prices: bool) -> None:
    tables = all_tables(released)
    with pytest.MonkeyPatch.context() as patch:
        if by_prices and len(tables):
            patch.setattr(module, "_FEW", 0)
            patch.setattr(module, "_ADDED", 1)
        program = program_of(released, tables[0] if len(tables) else None)
        for _ in range(3):
            ends = st.lists(st.integers(0, released.total), min_size=program.size, max_size=program.size)
            lower, upper = np.array(data.draw(ends)) // 3, released.total - np.array(data.draw(ends)) // 2
            inside = tables[((tables >= lower) & (tables <= upper)).all(axis=1)]
            objective = drawn_objective(data, program.size)
            found = program.maximum(objective, Budget(), lower, upper)
            if found is not None and found.bound is None:
                assert not len(inside)
            elif found is not None and found.bound is not None:
                assert not len(inside) or (inside @ objective).max() <= found.bound
                assert found.table is None or any(np.array_equal(found.table, table) for table in inside)
        again = program.maximum(objective, Budget())
        assert again is None or again.bound is None or not len(tables) or (tables @ objective).max() <= again.bound


@given(released_marginals(), st.data())
@settings(deadline=None)
def test_columns_by_their_prices_give_the_same_optimum(released: ReleasedMarginals, data: st.DataObject) -> None:
    assume(released.total > 0)
    tables = all_tables(released)
    start = tables[data.draw(st.integers(0, len(tables) - 1))]
    whole = program_of(released)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW", 0)
        patch.setattr(module, "_ADDED", 2)
        few = program_of(released, start)
        for _ in range(3):
            objective = drawn_objective(data, whole.size)
            one, other = whole.maximum(objective, Budget()), few.maximum(objective, Budget())
            assert one is not None
            assert other is not None
            assert (one.bound is None) == (other.bound is None)
            assert one.values @ objective == pytest.approx(other.values @ objective, abs=1e-6)


@given(EVERYTHING, st.data(), st.sampled_from([GRID_BITS, RAY_BITS]))
@settings(deadline=None)
def test_any_multipliers_prove_a_bound(released: ReleasedMarginals, data: st.DataObject, bits: int) -> None:
    tables, program = all_tables(released), program_of(released)
    rows = program._equations.right.size
    multipliers = np.array(data.draw(st.lists(st.floats() | st.floats(-3, 3), min_size=rows, max_size=rows)))
    objective = drawn_objective(data, program.size)
    value = program._equations.weighed(objective, multipliers, bits, program.lower, program.upper)
    assert not len(tables) or (tables @ objective).max() <= value >> bits


@given(released_marginals(), st.data(), st.sampled_from([2**20, 2**40, 2**49]))
@settings(deadline=None)
def test_bounds_of_large_counts_hold(released: ReleasedMarginals, data: st.DataObject, factor: int) -> None:
    marginals = {axes: counts * factor for axes, counts in released.marginals.items()}
    program = program_of(ReleasedMarginals(released.shape, marginals, released.total * factor))
    objective = drawn_objective(data, program.size)
    found = program.maximum(objective, Budget())
    if found is not None:
        assert found.bound is not None
        assert int((all_tables(released) @ objective).max()) * factor <= found.bound


def test_equal_equal_different_has_no_table() -> None:
    same, other = np.array([[5, 0], [0, 5]]), np.array([[0, 5], [5, 0]])
    program = program_of(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}))
    found = program.maximum(np.zeros(8, dtype=np.int64), Budget())
    assert found is not None
    assert found.bound is None


def test_limits_that_cross_leave_no_table() -> None:
    program = program_of(ReleasedMarginals((2, 2), {(0,): [1, 1]}))
    found = program.maximum(np.ones(4, dtype=np.int64), Budget(), program.upper, program.lower)
    assert found is not None
    assert found.bound is None


@pytest.mark.parametrize(("total", "bound"), [(0, 0), (3, None)])
def test_where_every_cell_is_zero(total: int, bound: int | None) -> None:
    nothing = np.empty(0, dtype=np.int64)
    found = MarginalProgram(ReleasedMarginals((2, 2), {}, total), nothing, nothing, nothing).maximum(nothing, Budget())
    assert found is not None
    assert found.bound == bound
    assert (found.table is None) == (bound is None)


def test_time_that_ran_out_says_nothing_wrong() -> None:
    ticks = iter(range(10_000))
    budget = Budget(clock=lambda: float(next(ticks)), time_limit=1.0)
    table = table_of(np.random.default_rng(1).integers(0, 50, (3, 4, 5, 2)))
    program = program_of(ReleasedMarginals.of(table, combinations(range(4), 2)))
    objective = np.zeros(program.size, dtype=np.int64)
    objective[7] = 1
    found = program.maximum(objective, budget)
    assert found is None or (found.bound is not None and found.bound >= table.dense().reshape(-1)[7])


def test_weights_that_could_wrap_around_are_refused() -> None:
    program = program_of(ReleasedMarginals((2,), {}, 3))
    with pytest.raises(InvalidInput, match="weights"):
        program.maximum(np.array([2**20, 0]), Budget())
    found = program.maximum(np.array([2**20 - 1, 1 - 2**20]), Budget())
    assert found is not None
    assert found.bound == 3 * (2**20 - 1)
