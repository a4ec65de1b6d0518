"""Released marginals are checked, frozen, and add up to what lies below them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import all_sets, table_of, tables


def summed(counts: np.ndarray, kept: tuple[int, ...]) -> np.ndarray:
    return np.asarray(counts.sum(axis=tuple(axis for axis in range(counts.ndim) if axis not in kept)))


@given(tables(), st.data())
def test_what_is_implied_is_what_the_table_adds_up_to(table: ContingencyTable, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.sampled_from(all_sets(len(table.shape)))))
    released = ReleasedMarginals.of(table, sets)
    assert released.inconsistent is None
    assert set(released.sets) == set(sets)
    for axes in [(), *all_sets(len(table.shape))]:
        implied = released.implied(reversed(axes))
        if axes and not any(set(axes) <= set(out) for out in sets):
            assert implied is None
        else:
            assert implied is not None
            assert implied.dtype == np.int64
            assert np.array_equal(implied, summed(table.dense(), axes))


@given(tables(), st.data())
def test_two_marginals_that_differ_in_what_they_share_are_found(one: ContingencyTable, data: st.DataObject) -> None:
    people = data.draw(st.permutations(np.repeat(np.arange(one.size), one.dense().reshape(-1)).tolist()))
    moved = [(cell + data.draw(st.integers(0, one.size - 1))) % one.size for cell in people[:2]] + people[2:]
    other = np.bincount(np.array(moved, dtype=int), minlength=one.size).reshape(one.shape)
    marginals = {
        axes: summed(data.draw(st.sampled_from([one.dense(), other])), axes)
        for axes in data.draw(st.lists(st.sampled_from(all_sets(len(one.shape))), min_size=1, unique=True))
    }
    released = ReleasedMarginals(one.shape, marginals)
    wrong = {
        (a, b)
        for a, b in combinations(released.sets, 2)
        for shared in [set(a) & set(b)]
        if not np.array_equal(
            *(summed(marginals[axes], tuple(i for i, axis in enumerate(axes) if axis in shared)) for axes in (a, b))
        )
    }
    if released.inconsistent is None:
        assert not wrong
    else:
        assert released.inconsistent in wrong


@given(tables(), st.data())
def test_a_restriction_says_what_the_marginals_say_about_its_variables(
    table: ContingencyTable, data: st.DataObject
) -> None:
    sets = all_sets(len(table.shape))
    released = ReleasedMarginals.of(table, data.draw(st.lists(st.sampled_from(sets))))
    axes = data.draw(st.sampled_from(sets))
    part = released.restricted(axes)
    assert part.shape == tuple(table.shape[axis] for axis in axes)
    assert part.total == table.total
    for inner in all_sets(len(axes)):
        mine, theirs = part.implied(inner), released.implied(axes[place] for place in inner)
        assert (mine is None) == (theirs is None)
        assert mine is None or theirs is None or np.array_equal(mine, theirs)


@given(st.lists(st.sampled_from(all_sets(4))))
def test_maximal_sets_are_within_no_other(sets: list[tuple[int, ...]]) -> None:
    released = ReleasedMarginals.of(table_of(np.ones((2, 2, 2, 2), dtype=np.int64)), sets)
    assert set(released.maximal) == {a for a in sets if not any(set(a) < set(b) for b in sets)}


def test_a_marginal_in_another_order_is_the_same() -> None:
    table = table_of(np.arange(8).reshape(2, 2, 2))
    released = ReleasedMarginals.of(table, ["BA", "AB", [1, 0], ""])
    assert released.sets == ((0, 1),)
    assert released.marginals[0, 1].tolist() == [[1, 5], [9, 13]]


def test_nothing_released_leaves_the_total() -> None:
    released = ReleasedMarginals((2, 2), {}, 7)
    assert (released.sets, released.maximal, released.inconsistent) == ((), (), None)
    total = released.implied(())
    assert total is not None
    assert total == 7
    assert released.implied([0]) is None


def test_counts_are_copied_and_cannot_be_changed() -> None:
    counts = np.array([1, 2])
    released = ReleasedMarginals((2,), {(0,): counts})
    counts[0] = 5
    assert released.marginals[0,].tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        released.marginals[0,][0] = 5


def test_large_counts_do_not_wrap_around() -> None:
    big = 2**52
    assert ReleasedMarginals((2, 2), {(0,): [big, 5], (1,): [5, big]}).total == big + 5
    with pytest.raises(InvalidInput, match="less than 2\\^53"):
        ReleasedMarginals((4,), {(0,): np.full(4, 2**62)})


@pytest.mark.parametrize(
    ("shape", "marginals", "total", "message"),
    [
        ((), {}, 1, "at least one variable"),
        ((2, 0), {}, 1, "needs a category"),
        ((2**31, 2**32), {}, 1, "at most 2\\^62 cells"),
        ((2,), {}, None, "total of the table must be given"),
        ((2,), {}, -1, "whole number from 0 on"),
        ((2,), {}, 2**53, "below 2\\^53"),
        ((2,), {(0,): [1, 2]}, 4, r"\[0\] does not add up"),
        ((2, 2), {(0,): [1, 2], (1,): [2, 2]}, None, r"\[1\] does not add up"),
        ((2, 2), {(1, 0): [[1, 2], [3, 4]]}, None, "ascending order"),
        ((2, 2), {(0, 0): [[1, 2], [3, 4]]}, None, "each once"),
        ((2, 2), {(2,): [1, 2]}, None, "not there"),
        ((2, 2), {(-1,): [1, 2]}, None, "not there"),
        ((2, 2), {(0,): [1, 2, 3]}, None, r"shape \(3,\)"),
        ((2, 2), {(0,): [1, -2]}, None, "negative"),
        ((2, 2), {(0,): [1.0, 2.0]}, None, "whole numbers"),
        ((2, 2), {(0,): [True, False]}, None, "whole numbers"),
    ],
)
def test_what_cannot_be_meant_is_refused(shape: Any, marginals: Any, total: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ReleasedMarginals(shape, marginals, total)


def test_variables_that_are_not_there_are_refused() -> None:
    table = table_of(np.ones((2, 2), dtype=np.int64))
    with pytest.raises(InvalidInput, match="no variable 'Z'"):
        ReleasedMarginals.of(table, ["AZ"])
    with pytest.raises(InvalidInput, match="numbered from 0"):
        ReleasedMarginals.of(table, ["A"]).implied([2])


@given(tables())
def test_no_message_holds_a_count(table: ContingencyTable) -> None:
    assume(table.total > 0)
    counts = table.dense() + 1000
    with pytest.raises(InvalidInput) as caught:
        ReleasedMarginals(table.shape, {tuple(range(counts.ndim)): counts}, 1)
    assert "1000" not in str(caught.value)
