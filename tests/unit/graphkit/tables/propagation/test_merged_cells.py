"""Merged cells: the sets of categories of every variable, and all sums among them."""

from __future__ import annotations

from itertools import combinations

import pytest

from graphkit.tables.propagation.merged_cells import MergedAxis, MergedCells


def sets_of(axis: MergedAxis) -> list[frozenset[int]]:
    return [frozenset(c for c, is_in in enumerate(row) if is_in) for row in axis.members.tolist()]


def sums_of(axis: MergedAxis) -> list[tuple[frozenset[int], frozenset[frozenset[int]]]]:
    sets = sets_of(axis)
    return [
        (sets[whole], frozenset(sets[part] for part in axis.parts[axis.first_part[s] : axis.first_part[s + 1]]))
        for s, whole in enumerate(axis.whole)
    ]


@pytest.mark.parametrize("categories", range(1, 7))
def test_all_sets_with_every_way_to_split_one_in_two(categories: int) -> None:
    axis = MergedAxis.full(categories)
    sets = sets_of(axis)
    assert len(set(sets)) == axis.size == 2**categories - 1
    assert sets[:categories] == [frozenset([c]) for c in range(categories)]
    assert sets[-1] == frozenset(range(categories))
    sums = sums_of(axis)
    expected = {(a | b, frozenset([a, b])) for a, b in combinations(sets, 2) if not a & b}
    assert len(sums) == len(expected)
    assert set(sums) == expected


@pytest.mark.parametrize("categories", [4, 5, 9])
def test_single_categories_their_complements_and_the_total(categories: int) -> None:
    axis = MergedAxis.single(categories)
    sets, every = sets_of(axis), frozenset(range(categories))
    assert sets == [*(frozenset([c]) for c in every), *(every - {c} for c in every), every]
    sums = sums_of(axis)
    assert set(sums) == {(every, frozenset([frozenset([c]), every - {c}])) for c in every} | {
        (every - {c}, frozenset(frozenset([other]) for other in every - {c})) for c in every
    }
    assert len(sums) == 2 * categories


@pytest.mark.parametrize("categories", [1, 2, 3])
def test_few_categories_have_no_other_sets(categories: int) -> None:
    assert sums_of(MergedAxis.single(categories)) == sums_of(MergedAxis.full(categories))


@pytest.mark.parametrize(
    ("shape", "cells"),
    [((2,) * 6, 729), ((3, 3, 3), 343), ((2,) * 16, 43_046_721), ((1,), 1), ((1, 1, 2), 3), ((12,), 4095)],
)
def test_all_sets_where_they_are_not_too_many(shape: tuple[int, ...], cells: int) -> None:
    found = MergedCells.of_shape(shape)
    assert found is not None
    assert (found.size, found.complete) == (cells, True)


@pytest.mark.parametrize(
    ("shape", "merged"),
    [((18, 8, 5, 2), (37, 255, 31, 3)), ((17,), (35,)), ((1000, 2), (2001, 3)), ((12,) * 3, (25, 25, 4095))],
)
def test_the_variables_of_the_most_categories_keep_few_sets(shape: tuple[int, ...], merged: tuple[int, ...]) -> None:
    # all sets of 17 categories have 64 million sums
    found = MergedCells.of_shape(shape)
    assert found is not None
    assert (found.shape, found.complete) == (merged, False)


@pytest.mark.parametrize("shape", [(2,) * 17, (1001,), (2, 100_000), (3,) * 10, (40, 40, 40, 40, 40)])
def test_too_many_cells_even_so(shape: tuple[int, ...]) -> None:
    assert MergedCells.of_shape(shape) is None


def test_fewer_cells_or_sums_can_be_asked_for() -> None:
    assert MergedCells.of_shape((2,) * 6, most_cells=728) is None
    few = MergedCells.of_shape((5, 4), most_cells=400)
    assert few is not None
    assert few.shape == (11, 15)
    fewer = MergedCells.of_shape((5, 4), most_sums=500)
    assert fewer is not None
    assert fewer.shape == (11, 9)
