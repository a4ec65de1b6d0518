"""The first stage of the shuttle algorithm: no bound is ever wrong, and it is the fixed point of all sums."""

from __future__ import annotations

import math
from itertools import combinations, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.tables.propagation import _sweeps
from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import MergedBounds, shuttle
from graphkit.tables.structure.frechet import is_decomposable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals, merged, merged_cells, naive_bounds, wider_marginals
from tests.support.small_tables import brute_force_bounds, feasible_tables, released_marginals, table_of

EVERYTHING = released_marginals() | wider_marginals() | agreeing_marginals()


def bounds_of(released: ReleasedMarginals, single: bool = False) -> MergedBounds:
    return shuttle(merged_cells(released.shape, single), released.marginals, released.total)


def scaled(released: ReleasedMarginals, factor: int) -> ReleasedMarginals:
    marginals = {axes: counts * factor for axes, counts in released.marginals.items()}
    return ReleasedMarginals(released.shape, marginals, released.total * factor)


def assert_equal(one: MergedBounds, other: MergedBounds) -> None:
    assert one.inconsistent == other.inconsistent
    if not one.inconsistent:
        assert np.array_equal(one.lower, other.lower)
        assert np.array_equal(one.upper, other.upper)


@given(EVERYTHING, st.booleans())
@settings(deadline=None, max_examples=150)
def test_every_feasible_table_is_within_the_bounds_of_all_merged_cells(
    released: ReleasedMarginals, single: bool
) -> None:
    found = bounds_of(released, single)
    # of thousands of tables some hundreds will do
    for table in islice(feasible_tables(released), 0, None, 1 if released.marginals else 97):
        counts = merged(found.cells, table)
        assert not found.inconsistent
        assert (found.lower <= counts).all()
        assert (counts <= found.upper).all()


@given(EVERYTHING, st.booleans())
@settings(deadline=None, max_examples=150)
def test_it_is_the_fixed_point_of_all_sums(released: ReleasedMarginals, single: bool) -> None:
    found, expected = bounds_of(released, single), naive_bounds(released, single)
    assert found.inconsistent == (expected is None)
    if expected is not None:
        sets = [[frozenset(np.flatnonzero(row).tolist()) for row in axis.members] for axis in found.cells.axes]
        for place in np.ndindex(found.cells.shape):
            cell = tuple(sets[axis][number] for axis, number in enumerate(place))
            assert (found.lower[place], found.upper[place]) == (expected[0][cell], expected[1][cell])


@given(released_marginals())
@settings(deadline=None, max_examples=150)
def test_bounds_of_decomposable_marginals_are_sharp(released: ReleasedMarginals) -> None:
    if is_decomposable(released):
        assert all(map(np.array_equal, bounds_of(released).of_cells(), brute_force_bounds(released)))


@given(st.lists(st.integers(0, 15), max_size=12))
@settings(deadline=None, max_examples=150)
def test_bounds_from_all_but_the_whole_of_a_dichotomous_table_are_sharp(people: list[int]) -> None:
    table = table_of(np.bincount(np.array(people, dtype=np.int64), minlength=16).reshape(2, 2, 2, 2))
    released = ReleasedMarginals.of(table, combinations(range(4), 3))
    assert all(map(np.array_equal, bounds_of(released).of_cells(), brute_force_bounds(released)))


@given(EVERYTHING, st.booleans(), st.integers(0, 3), st.sampled_from([1, 3, 9, 100]), st.integers(1, 60))
@settings(deadline=None, max_examples=150)
def test_blocks_and_threads_change_nothing(
    released: ReleasedMarginals, single: bool, threads_from: int, rows: int, block: int
) -> None:
    whole = bounds_of(released, single)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sweeps, "_ROWS", rows)
        patch.setattr(_sweeps, "_BLOCK", block)
        patch.setattr(_sweeps, "_MANY_CELLS", 10**threads_from)
        patch.setattr(_sweeps, "_TASKS", 3)
        assert_equal(bounds_of(released, single), whole)


@pytest.mark.parametrize("shape", [(2,) * 7, (3, 4, 1, 2, 2), (4, 4, 4), (6, 1, 1, 5), (1, 8, 1, 3)])
@pytest.mark.parametrize("single", [False, True])
def test_many_blocks_of_all_kinds_change_nothing(shape: tuple[int, ...], single: bool) -> None:
    rng = np.random.default_rng(8)
    table = table_of(rng.integers(0, 4, shape) * rng.integers(0, 2, shape))
    pairs = ReleasedMarginals.of(table, combinations(range(len(shape)), 2))
    whole = bounds_of(pairs, single)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sweeps, "_MANY_CELLS", 1)
        for rows, block in [(1, 1), (10, 200), (30, 1), (100, 2_000), (700, 20_000)]:
            patch.setattr(_sweeps, "_ROWS", rows)
            patch.setattr(_sweeps, "_BLOCK", block)
            assert_equal(bounds_of(pairs, single), whole)


@given(EVERYTHING, st.booleans(), st.sampled_from([2**20, 2**26, 2**27, 2**28, 2**29, 2**45, 2**49]))
@settings(deadline=None, max_examples=150)
def test_large_counts_do_not_wrap_around(released: ReleasedMarginals, single: bool, factor: int) -> None:
    small = bounds_of(released, single)
    large = bounds_of(scaled(released, factor), single)
    assert large.inconsistent == small.inconsistent
    if not small.inconsistent:
        assert np.array_equal(large.lower, small.lower.astype(np.int64) * factor)
        assert np.array_equal(large.upper, small.upper.astype(np.int64) * factor)


@pytest.mark.parametrize("total", [2**30 - 1, 2**30, 2**31, 2**53 - 1])
@pytest.mark.parametrize("categories", [2, 3, 1000])
def test_the_largest_totals(total: int, categories: int) -> None:
    cells = MergedCells.of_shape((categories, 2))
    assert cells is not None
    found = shuttle(cells, {(1,): np.array([total, 0])}, total)
    assert not found.inconsistent
    lower, upper = found.of_cells()
    assert (lower == 0).all()
    assert np.array_equal(upper, np.tile([total, 0], (categories, 1)))
    parts = 999 if categories == 1000 else 2
    assert found.lower.dtype == (np.int32 if total * parts < 2**31 else np.int64)


def test_equal_equal_different_has_no_table() -> None:
    same, other = np.array([[5, 0], [0, 5]]), np.array([[0, 5], [5, 0]])
    found = bounds_of(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}))
    assert found.inconsistent
    assert found.with_marginals({(0,): np.array([5, 5])}, Budget()).inconsistent


@given(agreeing_marginals())
@settings(deadline=None, max_examples=150)
def test_inconsistent_means_that_there_is_no_table(released: ReleasedMarginals) -> None:
    if bounds_of(released).inconsistent:
        assert not list(feasible_tables(released))


@given(EVERYTHING, st.booleans(), st.integers(0, 5))
@settings(deadline=None, max_examples=150)
def test_one_more_marginal_starts_from_the_present_bounds(
    released: ReleasedMarginals, single: bool, first: int
) -> None:
    items = list(released.marginals.items())
    before = shuttle(merged_cells(released.shape, single), dict(items[:first]), released.total)
    kept = before.lower.copy(), before.upper.copy()
    after = before.with_marginals(dict(items[first:]), Budget())
    assert_equal(after, bounds_of(released, single))
    assert np.array_equal(before.lower, kept[0])
    assert np.array_equal(before.upper, kept[1])


@pytest.mark.parametrize("counts", [[4, 4], [2**40, 3], [11, -1]])
def test_counts_that_the_total_forbids_are_inconsistent(counts: list[int]) -> None:
    found = shuttle(merged_cells((2, 2)), {(0,): np.array(counts)}, 10)
    assert found.inconsistent


def test_only_the_total() -> None:
    found = shuttle(merged_cells((2, 3)), {}, 7)
    assert [side.tolist() for side in found.of_cells()] == [[[0] * 3] * 2, [[7] * 3] * 2]
    by_marginal = shuttle(merged_cells((2, 3)), {(): np.array(7)}, 7)
    assert_equal(found, by_marginal)


def test_bounds_are_valid_where_time_ran_out() -> None:
    ticks = iter(range(100))
    budget = Budget(clock=lambda: float(next(ticks)), time_limit=0.5)
    table = table_of(np.arange(8).reshape(2, 2, 2))
    released = ReleasedMarginals.of(table, ["AB", "BC", "AC"])
    found = shuttle(merged_cells((2, 2, 2)), released.marginals, released.total, budget=budget)
    assert not found.settled
    assert not found.inconsistent
    lower, upper = found.of_cells()
    assert (lower <= table.dense()).all()
    assert (table.dense() <= upper).all()
    assert math.prod((upper - lower + 1).reshape(-1).tolist()) > 1
