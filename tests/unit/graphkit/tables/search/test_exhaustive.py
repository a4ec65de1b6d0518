"""The second stage of the shuttle algorithm counts every table with the marginals, each once."""

from __future__ import annotations

from itertools import combinations
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import shuttle
from graphkit.tables.search import _search
from graphkit.tables.search.exhaustive import FeasibleTables, feasible_tables
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import agreeing_marginals, merged_cells, wider_marginals
from tests.support.small_tables import feasible_tables as by_brute_force
from tests.support.small_tables import released_marginals, table_of

EVERYTHING = released_marginals() | wider_marginals() | agreeing_marginals()


def searched(released: ReleasedMarginals, **limits: int) -> FeasibleTables:
    bounds = shuttle(merged_cells(released.shape), released.marginals, released.total)
    found = feasible_tables(released, bounds, **limits)
    assert found is not None
    return found


@given(EVERYTHING)
@settings(deadline=None)
def test_count_list_and_extent_are_those_of_all_tables(released: ReleasedMarginals) -> None:
    expected = np.array(list(by_brute_force(released)), dtype=np.int64).reshape(-1, prod(released.shape))
    found = searched(released, listed=len(expected) + 5)
    assert (found.count, found.complete) == (len(expected), True)
    assert len(found.tables) == len(expected)
    assert set(map(tuple, found.tables.tolist())) == set(map(tuple, expected.tolist()))
    if len(expected):
        assert np.array_equal(found.lower, expected.min(axis=0).reshape(released.shape))
        assert np.array_equal(found.upper, expected.max(axis=0).reshape(released.shape))


@given(EVERYTHING, st.integers(1, 40), st.integers(0, 30), st.integers(0, 10))
@settings(deadline=None)
def test_a_search_that_ends_early_says_at_least(
    released: ReleasedMarginals, most: int, steps: int, listed: int
) -> None:
    number = len(list(by_brute_force(released)))
    found = searched(released, most=most, steps=steps, listed=listed)
    assert found.count <= number
    if found.complete:
        assert found.count == number
    assert len(found.tables) == min(found.count, listed)
    assert len(set(map(tuple, found.tables.tolist()))) == len(found.tables)
    everything = {tuple(table.reshape(-1).tolist()) for table in by_brute_force(released)}
    assert set(map(tuple, found.tables.tolist())) <= everything
    assert found.complete or number >= most or steps < 30
    if len(found.tables) == found.count > 0:
        assert np.array_equal(found.lower.reshape(-1), found.tables.min(axis=0))
        assert np.array_equal(found.upper.reshape(-1), found.tables.max(axis=0))


@given(released_marginals())
@settings(deadline=None, max_examples=25)
def test_blocks_change_nothing(released: ReleasedMarginals) -> None:
    bounds = shuttle(merged_cells(released.shape), released.marginals, released.total)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_search, "_BLOCK", 0)
        patch.setattr("graphkit.tables.search.exhaustive.visit_tables", _search.visit_tables.__wrapped__)
        one_by_one = feasible_tables(released, bounds, most=300, listed=300)
    whole = searched(released, listed=300)
    assert one_by_one is not None
    if one_by_one.complete:
        assert one_by_one.count == whole.count
        assert set(map(tuple, one_by_one.tables.tolist())) == set(map(tuple, whole.tables.tolist()))


@pytest.mark.parametrize("total", [2**31, 2**50, 2**53 - 1])
def test_large_counts_lie_on_lines(total: int) -> None:
    found = searched(ReleasedMarginals((2, 2), {(0,): [total - 5, 5], (1,): [5, total - 5]}), listed=9)
    assert (found.count, found.complete, len(found.tables)) == (6, True, 6)
    half = total // 2
    found = searched(ReleasedMarginals((2, 2), {(0,): [half, total - half], (1,): [half, total - half]}), listed=2)
    assert (found.count, found.complete) == (half + 1, False)
    assert (found.lower[0, 0], found.upper[0, 0]) == (0, half)
    found = searched(ReleasedMarginals((2, 2), {(0,): [half, total - half], (1,): [half, total - half]}), most=2**60)
    assert (found.count, found.complete) == (half + 1, True)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 2, 2), (3, 3)])
def test_more_tables_than_numbers_of_64_bits(shape: tuple[int, ...]) -> None:
    found = searched(ReleasedMarginals(shape, {}, 2**53 - 1), steps=2_000)
    assert not found.complete
    assert 0 <= found.count < 2**62


def test_the_number_of_lines_does_not_wrap_around() -> None:
    upper = np.array([2**52, 4095, 2**52 - 1])
    _, opened, lines = _search._narrowest(np.zeros(3, dtype=np.int64), upper, np.arange(3))
    assert opened == 3
    assert lines > _search._LINES


@pytest.mark.parametrize(("people", "cells"), [(6, 4), (12, 6), (30, 4)])
def test_only_the_total(people: int, cells: int) -> None:
    found = searched(ReleasedMarginals((cells,), {}, people))
    assert (found.count, found.complete) == (comb(people + cells - 1, cells - 1), True)


def test_no_table_is_none() -> None:
    same, other = np.array([[5, 0], [0, 5]]), np.array([[0, 5], [5, 0]])
    found = searched(ReleasedMarginals((2, 2, 2), {(0, 1): same, (1, 2): same, (0, 2): other}))
    assert (found.count, found.complete) == (0, True)


def test_too_many_merged_cells_or_not_all_of_them() -> None:
    released = ReleasedMarginals((4, 2), {}, 3)
    bounds = shuttle(merged_cells((4, 2), single=True), {}, 3)
    assert feasible_tables(released, bounds) is None
    shape = (2,) * 11
    cells = MergedCells.of_shape(shape)
    assert cells is not None
    assert feasible_tables(ReleasedMarginals(shape, {}, 0), shuttle(cells, {}, 0)) is None


@pytest.mark.parametrize("shape", [(2, 2, 2), (3, 2, 2), (2, 2, 2, 2)])
def test_pairs_of_a_table_with_many_people(shape: tuple[int, ...]) -> None:
    table = table_of(np.random.default_rng(3).integers(0, 2**44, shape))
    released = ReleasedMarginals.of(table, combinations(range(len(shape)), 2))
    found = searched(released, most=1000, listed=50, steps=10_000)
    assert found.count >= 1
    for flat in found.tables:
        again = ReleasedMarginals.of(table_of(flat.reshape(shape)), released.sets)
        assert all(np.array_equal(again.marginals[axes], released.marginals[axes]) for axes in released.sets)
