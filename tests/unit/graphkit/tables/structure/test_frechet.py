"""Fréchet bounds are the least and the largest counts of all feasible tables, and witness tables attain them."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, milp

from graphkit.errors import InvalidInput
from graphkit.tables.structure.contingency import SparseCounts, projected_cells
from graphkit.tables.structure.frechet import (
    Bounds,
    frechet_bounds,
    is_decomposable,
    reducible_bounds,
)
from graphkit.tables.structure.frechet_witness import frechet_witness, reducible_witness
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import autoworkers, brute_force_bounds, feasible_tables, released_marginals, table_of

SIDES: tuple[Literal["lower", "upper"], ...] = ("lower", "upper")

# the paper's Table 2, upper bounds (all lower bounds are 0): rows F, E, D, C; columns B, A
TABLE_2 = """
 88  62 224 117
261 246  25  38
 88  62 224 117
261 151  25  38
 58  60 170 148
115 173  20  36
 58  60 170 148
115 173  20  36
 88  62 126 117
134 134  25  38
 88  62 126 117
134 134  25  38
 58  60 126 126
115 134  20  36
 58  60 126 126
115 134  20  36
"""


def by_brute_force(component: ReleasedMarginals, cells: np.ndarray) -> Bounds:
    lower, upper = brute_force_bounds(component)
    return lower.reshape(-1)[cells], upper.reshape(-1)[cells]


def dense(table: SparseCounts, shape: tuple[int, ...]) -> np.ndarray:
    cells, counts = table
    assert (np.diff(cells) > 0).all()
    assert (counts > 0).all()
    flat = np.zeros(int(np.prod(shape)), dtype=np.int64)
    flat[cells] = counts
    return flat.reshape(shape)


def is_feasible(table: np.ndarray, released: ReleasedMarginals) -> bool:
    others = {axes: tuple(a for a in range(table.ndim) if a not in axes) for axes in released.marginals}
    return table.sum() == released.total and all(
        np.array_equal(table.sum(axis=others[axes]), counts) for axes, counts in released.marginals.items()
    )


@given(released_marginals())
@settings(deadline=None)
def test_bounds_are_the_extremes_of_all_feasible_tables(released: ReleasedMarginals) -> None:
    expected = brute_force_bounds(released)
    if is_decomposable(released):
        found = frechet_bounds(released)
    else:
        found = reducible_bounds(released, by_brute_force)
        with pytest.raises(InvalidInput, match="not decomposable"):
            frechet_bounds(released)
    for bound, extreme in zip(found, expected, strict=True):
        assert bound.dtype == np.int64
        assert np.array_equal(bound, extreme)


@given(released_marginals(), st.data())
@settings(deadline=None)
def test_bounds_of_chosen_cells_are_those_of_all(released: ReleasedMarginals, data: st.DataObject) -> None:
    size = int(np.prod(released.shape))
    cells = data.draw(st.lists(st.integers(0, size - 1)))
    everywhere = reducible_bounds(released, by_brute_force)
    chosen = reducible_bounds(released, by_brute_force, cells)
    for one, all_of_them in zip(chosen, everywhere, strict=True):
        assert np.array_equal(one, all_of_them.reshape(-1)[cells])


@given(released_marginals(), st.data())
@settings(deadline=None)
def test_witnesses_are_feasible_and_attain_the_bounds(released: ReleasedMarginals, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, int(np.prod(released.shape)) - 1))
    decomposition = released.decomposition
    for side, bounds in zip(SIDES, brute_force_bounds(released), strict=True):
        tables = {}
        for axes, known in zip(decomposition.components, decomposition.known, strict=True):
            if not known:
                place = int(projected_cells(np.array([cell]), released.shape, axes)[0])
                flat = [table.reshape(-1) for table in feasible_tables(released.restricted(axes))]
                best = (min if side == "lower" else max)(flat, key=lambda counts: counts[place])
                tables[axes] = (np.flatnonzero(best), best[np.flatnonzero(best)])
        found = reducible_witness(released, tables, cell, side)
        table = dense(found, released.shape)
        assert is_feasible(table, released)
        assert table.reshape(-1)[cell] == bounds.reshape(-1)[cell]
        if not tables:
            assert all(map(np.array_equal, frechet_witness(released, cell, side), found))


REDUCIBLE = [
    ["AB", "BC", "AC", "CD"],
    ["AB", "BC", "AC", "D"],
    ["AB", "BC", "AC", "ACD"],
    ["AB", "BC", "AC", "AD", "CD"],
]


@pytest.mark.parametrize("sets", REDUCIBLE, ids="-".join)
@given(people=st.lists(st.integers(0, 15), min_size=3, max_size=7))
@settings(deadline=None, max_examples=30)
def test_reducible_marginals_are_pieced_together(sets: list[str], people: list[int]) -> None:
    released = ReleasedMarginals.of(table_of(np.bincount(people, minlength=16).reshape(2, 2, 2, 2)), sets)
    assert len(released.decomposition.components) == 2
    found = reducible_bounds(released, by_brute_force)
    assert all(map(np.array_equal, found, brute_force_bounds(released)))


def test_table_2_of_the_paper() -> None:
    workers = autoworkers()
    released = ReleasedMarginals.of(workers, ["BF", "ABCE", "ADE"])
    lower, upper = frechet_bounds(released)
    expected = np.array(TABLE_2.split(), dtype=np.int64).reshape(2, 2, 2, 2, 2, 2)  # F, E, D, C, B, A
    assert (lower == 0).all()
    assert np.array_equal(upper, expected.transpose(5, 4, 3, 2, 1, 0))
    for cell in range(64):
        for side, bounds in zip(SIDES, (lower, upper), strict=True):
            table = dense(frechet_witness(released, cell, side), workers.shape)
            assert is_feasible(table, released)
            assert table.reshape(-1)[cell] == bounds.reshape(-1)[cell]


def test_table_5_of_the_paper_falls_into_its_components() -> None:
    released = ReleasedMarginals.of(autoworkers(), ["BF", "BC", "BE", "AB", "AC", "AE", "CE", "DE", "AD"])
    decomposition = released.decomposition
    assert decomposition.components == ((0, 1, 2, 4), (0, 3, 4), (1, 5))
    assert decomposition.sequence.separators == ((0, 4), (1,))
    assert decomposition.known == (False, False, True)


def by_integer_program(component: ReleasedMarginals, cells: np.ndarray) -> Bounds:
    """Bounds by HiGHS, as SciPy brings it."""
    size = int(np.prod(component.shape))
    rows = [
        projected_cells(np.arange(size), component.shape, axes) == place
        for axes, counts in component.marginals.items()
        for place in range(counts.size)
    ]
    values = np.concatenate([counts.reshape(-1) for counts in component.marginals.values()])
    marginals = LinearConstraint(np.array(rows, dtype=float), values, values)
    objectives = [(sign, np.eye(size)[cell] * sign) for sign in (1, -1) for cell in cells]
    found = [
        sign * round(milp(objective, constraints=marginals, integrality=np.ones(size)).fun)
        for sign, objective in objectives
    ]
    return np.array(found[: len(cells)]), np.array(found[len(cells) :])


def test_table_5_of_the_paper_pieced_together_is_the_optimum_over_whole_tables() -> None:
    released = ReleasedMarginals.of(autoworkers(), ["BF", "BC", "BE", "AB", "AC", "AE", "CE", "DE", "AD"])
    pieced = reducible_bounds(released, by_integer_program)
    whole = by_integer_program(released, np.arange(64))
    assert all(np.array_equal(one.reshape(-1), other) for one, other in zip(pieced, whole, strict=True))
    # A and B, not C, E < 3: the linear program's bound is 312.67
    assert (pieced[1][1, 1, 0, 0, 0, 0], pieced[1][0, 1, 1, 0, 0, 0]) == (312, 119)


def test_three_pairs_are_not_decomposable_though_their_graph_is_chordal() -> None:
    # with [ABC], which nobody released, Theorem 1 would report an exact count
    released = ReleasedMarginals.of(table_of(np.array([[[1, 6], [7, 8]], [[9, 10], [5, 1]]])), ["AB", "BC", "AC"])
    assert not is_decomposable(released)
    with pytest.raises(InvalidInput, match="not decomposable"):
        frechet_bounds(released)


def test_a_variable_of_one_category_does_not_hide_that_marginals_are_decomposable() -> None:
    pairs = ReleasedMarginals.of(table_of(np.array([[[1, 2], [3, 4]]])), ["AB", "BC", "AC"])
    assert is_decomposable(pairs)
    lower, upper = frechet_bounds(pairs)
    assert np.array_equal(lower, upper)


@pytest.mark.parametrize(("shape", "lower"), [((2, 3), 0), ((2, 1), 5), ((1, 2), 0)])
def test_a_variable_without_a_marginal(shape: tuple[int, int], lower: int) -> None:
    counts = np.full(shape[0], 5)
    found = frechet_bounds(ReleasedMarginals(shape, {(0,): counts}))
    assert found[0].tolist() == np.full(shape, lower).tolist()
    assert found[1].tolist() == np.full(shape, 5).tolist()


@pytest.mark.parametrize(("shape", "lower"), [((1,), 7), ((1, 1), 7), ((2,), 0), ((1, 3), 0)])
def test_only_the_total_is_known(shape: tuple[int, ...], lower: int) -> None:
    found = frechet_bounds(ReleasedMarginals(shape, {}, 7))
    assert found[0].tolist() == np.full(shape, lower).tolist()
    assert found[1].tolist() == np.full(shape, 7).tolist()


def test_a_table_too_large_to_be_written_out() -> None:
    rng = np.random.default_rng(5)
    shape = (2,) * 50
    people = rng.integers(0, 2, (50, 1000)) | rng.integers(0, 2, (50, 1000))
    pairs = {}
    for axis in range(49):
        counts = np.zeros((2, 2), dtype=np.int64)
        np.add.at(counts, (people[axis], people[axis + 1]), 1)
        pairs[axis, axis + 1] = counts
    released = ReleasedMarginals(shape, pairs)
    with pytest.raises(InvalidInput, match="name cells"):
        frechet_bounds(released)
    cells = np.array([0, 2**50 - 1, 2**33 + 5])
    lower, upper = frechet_bounds(released, cells)
    for i, cell in enumerate(cells):
        for side, bound in zip(SIDES, (lower[i], upper[i]), strict=True):
            numbers, counts = frechet_witness(released, int(cell), side)
            assert counts[numbers == cell].sum() == bound
            for axes, released_counts in pairs.items():
                place = projected_cells(numbers, shape, axes)
                assert np.bincount(place, counts, minlength=4).tolist() == released_counts.reshape(-1).tolist()


def test_large_counts_do_not_wrap_around() -> None:
    big = 2**53 - 1
    counts = {(axis,): [big, 0] for axis in range(20)}
    lower, upper = frechet_bounds(ReleasedMarginals((2,) * 20, counts), [0, 1])
    assert lower.tolist() == [big, 0]
    assert upper.tolist() == [big, 0]


def test_marginals_that_contradict_each_other_are_refused() -> None:
    released = ReleasedMarginals((2, 2, 2), {(0, 1): [[1, 2], [3, 4]], (1, 2): [[1, 2], [3, 4]]})
    with pytest.raises(InvalidInput, match=r"\[0, 1\] and \[1, 2\] differ"):
        frechet_bounds(released)


@pytest.mark.parametrize("cells", [[-1], [4], [0.5], [[0]], [True]])
def test_cells_that_are_not_there_are_refused(cells: list[int]) -> None:
    with pytest.raises(InvalidInput, match="cell"):
        frechet_bounds(ReleasedMarginals((2, 2), {}, 3), cells)


def test_what_cannot_be_combined_is_refused() -> None:
    table = table_of(np.array([[[1, 6], [7, 8]], [[9, 10], [5, 1]]]))
    pairs = ReleasedMarginals.of(table, ["AB", "BC", "AC"])
    with pytest.raises(InvalidInput, match="give a table"):
        frechet_witness(pairs, 0, "lower")
    for cell in (-1, 8, 0.5):
        with pytest.raises(InvalidInput, match="no such cell"):
            frechet_witness(pairs, cell, "lower")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="'lower' or 'upper'"):
        frechet_witness(pairs, 0, "least")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="totals"):
        reducible_witness(pairs, {(0, 1, 2): (np.array([0]), np.array([1]))}, 0, "lower")
    two = table_of(np.ones((2, 2, 2, 2), dtype=np.int64))
    more = ReleasedMarginals.of(two, [*map("".join, combinations("ABC", 2)), "CD"])
    with pytest.raises(InvalidInput, match="different counts"):
        reducible_witness(more, {(0, 1, 2): (np.array([0]), np.array([16]))}, 0, "lower")
