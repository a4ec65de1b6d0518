"""Figures of the papers and of their data, recomputed by others with linear and integer programs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import prod

import numpy as np
import pytest
from scipy.optimize import linprog

from graphkit.budget import Budget
from graphkit.tables.programs._corner_rows import corner_rows
from graphkit.tables.programs.program import MarginalProgram
from graphkit.tables.propagation.shuttle import MergedBounds, shuttle
from graphkit.tables.search.exhaustive import FeasibleTables, feasible_tables
from graphkit.tables.sharp_bounds.cell_bounds import bounds
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.frechet import frechet_bounds
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.merged_tables import merged_cells
from tests.support.small_tables import autoworkers, rochdale, table_of

UNIQUE = (0, 1, 1, 0, 0, 1)
"""The one worker whose combination nobody else has."""
TWO_TO_THE_FOUR = np.array([0, 1, 1, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1, 0, 0, 0]).reshape(2, 2, 2, 2)


def ways(table: ContingencyTable, size: int) -> ReleasedMarginals:
    return ReleasedMarginals.of(table, combinations(range(len(table.shape)), size))


def first_stage(released: ReleasedMarginals) -> MergedBounds:
    return shuttle(merged_cells(released.shape), released.marginals, released.total)


def all_tables(released: ReleasedMarginals) -> FeasibleTables:
    found = feasible_tables(released, first_stage(released), steps=10_000_000)
    assert found is not None
    assert found.complete
    return found


def relaxed(released: ReleasedMarginals) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of linear programming, by HiGHS as SciPy brings it."""
    size = prod(released.shape)
    matrix, right = corner_rows(released, np.arange(size))
    rows = matrix.toarray()
    found = [
        [sign * linprog(sign * np.eye(size)[cell], A_eq=rows, b_eq=right).fun for cell in range(size)]
        for sign in (1, -1)
    ]
    return np.array(found[0]).reshape(released.shape), np.array(found[1]).reshape(released.shape)


def fractional(values: Iterable[np.ndarray]) -> int:
    return sum(int((np.abs(side - np.rint(side)) > 1e-6).sum()) for side in values)


def loose(outer: MergedBounds, lower: np.ndarray, upper: np.ndarray) -> int:
    """Return how many bounds of the first stage are wider than sharp ones."""
    low, high = outer.of_cells()
    assert (low <= lower).all()
    assert (upper <= high).all()
    return int((low < lower).sum() + (upper < high).sum())


def test_the_table() -> None:
    workers = autoworkers()
    assert workers.total == 1841
    assert np.argwhere(workers.dense() == 1).tolist() == [list(UNIQUE)]


def test_table_2_of_the_paper_is_what_propagation_and_linear_programs_say_too() -> None:
    released = ReleasedMarginals.of(autoworkers(), ["BF", "ABCE", "ADE"])
    closed_form = frechet_bounds(released)
    assert all(map(np.array_equal, first_stage(released).of_cells(), closed_form))
    for side, expected in zip(relaxed(released), closed_form, strict=True):
        assert np.allclose(side, expected, atol=1e-6)


def test_a_marginal_of_the_paper_from_its_six_pairs() -> None:
    table = autoworkers().marginal("ABCE")
    released = ways(table, 2)
    outer, sharp, linear = first_stage(released).of_cells(), bounds_of(table, released), relaxed(released)
    # A, not B, C, E < 3: the paper prints 0 for 30
    cell = (1, 0, 1, 0)
    assert (sharp[0][cell], sharp[1][cell]) == (30, 463)
    # A, B, not C, E < 3
    cell = (1, 1, 0, 0)
    assert (outer[1][cell], sharp[1][cell]) == (314, 312)
    assert linear[1][cell] == pytest.approx(312 + 2 / 3)


def test_table_5_of_the_paper() -> None:
    workers = autoworkers()
    released = ReleasedMarginals.of(workers, ["BF", "BC", "BE", "AB", "AC", "AE", "CE", "DE", "AD"])
    linear = relaxed(released)
    assert fractional(linear) == 2
    found = bounds(workers, ["BF", "BC", "BE", "AB", "AC", "AE", "CE", "DE", "AD"])
    assert found.sharp
    assert np.array_equal(found.lower, np.ceil(linear[0].reshape(-1) - 1e-6))
    assert np.array_equal(found.upper, np.floor(linear[1].reshape(-1) + 1e-6))


def test_all_five_ways() -> None:
    released = ways(autoworkers(), 5)
    found = all_tables(released)
    assert found.count == 2
    assert (found.lower[UNIQUE], found.upper[UNIQUE]) == (0, 1)
    assert loose(first_stage(released), found.lower, found.upper) == 0


def test_all_four_ways() -> None:
    released = ways(autoworkers(), 4)
    found = all_tables(released)
    assert found.count == 705_884
    assert (found.lower[UNIQUE], found.upper[UNIQUE]) == (0, 10)
    assert loose(first_stage(released), found.lower, found.upper) == 36
    assert fractional(relaxed(released)) == 14
    proven = bounds(autoworkers(), released)
    assert proven.sharp
    assert np.array_equal(proven.lower, found.lower.reshape(-1))
    assert np.array_equal(proven.upper, found.upper.reshape(-1))


def test_all_three_ways() -> None:
    workers = autoworkers()
    released = ways(workers, 3)
    found = bounds(workers, released)
    assert found.sharp
    lower, upper = found.lower.reshape(workers.shape), found.upper.reshape(workers.shape)
    assert (lower[UNIQUE], upper[UNIQUE]) == (0, 21)
    assert loose(first_stage(released), lower, upper) == 25


def test_all_pairs() -> None:
    workers = autoworkers()
    released = ways(workers, 2)
    cell = np.ravel_multi_index(UNIQUE, workers.shape)
    found = bounds(workers, released, cells=np.array([cell]))
    assert (found.upper.tolist(), found.sharp) == ([95], True)
    assert first_stage(released).of_cells()[1][UNIQUE] == 119
    program = MarginalProgram(released, np.arange(64), np.zeros(64, dtype=np.int64), np.full(64, 1841))
    objective = np.zeros(64, dtype=np.int64)
    objective[cell] = 1
    optimum = program.maximum(objective, Budget())
    assert optimum is not None
    assert optimum.values[cell] == pytest.approx(95 + 2 / 3)
    assert optimum.bound == 95


def test_six_large_marginals() -> None:
    released = ReleasedMarginals.of(autoworkers(), ["ACDEF", "ABDEF", "ABCDE", "BCDF", "ABCF", "BCEF"])
    assert all_tables(released).count == 810


def test_propagation_is_looser_than_linear_programs_and_these_than_whole_tables() -> None:
    released = ways(table_of(TWO_TO_THE_FOUR), 2)
    outer, found = first_stage(released).of_cells(), all_tables(released)
    cell = (0, 0, 0, 0)
    assert (outer[0][cell], outer[1][cell]) == (0, 1)
    assert relaxed(released)[1][cell] == pytest.approx(2 / 3)
    assert (found.lower[cell], found.upper[cell]) == (0, 0)


def test_large_released_counts_do_not_protect_small_cells() -> None:
    table = table_of(np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2))
    released = ways(table, 2)
    assert min(int(counts.min()) for counts in released.marginals.values()) >= 6
    for lower, upper in (first_stage(released).of_cells(), bounds_of(table, released)):
        for cell in ((0, 0, 0), (1, 1, 1)):
            assert (lower[cell], upper[cell]) == (0, 2)


def bounds_of(table: ContingencyTable, released: ReleasedMarginals) -> tuple[np.ndarray, np.ndarray]:
    found = bounds(table, released)
    assert found.sharp
    return found.lower.reshape(table.shape), found.upper.reshape(table.shape)


def test_all_four_ways_of_rochdale_tell_every_small_count() -> None:
    table = rochdale()
    lower, upper = first_stage(ways(table, 4)).of_cells()
    dense = table.dense()
    small = (dense == 1) | (dense == 2)
    assert (table.total, int(small.sum())) == (665, 45)
    assert np.array_equal(lower[small], dense[small])
    assert np.array_equal(upper[small], dense[small])
