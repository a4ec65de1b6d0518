"""Whether a table has its marginals: a check that trusts nobody."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals, keeps_marginals
from tests.support.merged_tables import wider_marginals
from tests.support.small_tables import released_marginals


def by_hand(released: ReleasedMarginals, counts: np.ndarray) -> bool:
    """Add up cell by cell."""
    sums: dict[tuple[object, ...], int] = {}
    for place, count in np.ndenumerate(counts):
        for axes in released.marginals:
            key = (axes, tuple(place[axis] for axis in axes))
            sums[key] = sums.get(key, 0) + int(count)
    expected = {
        (axes, place): int(count)
        for axes, marginal in released.marginals.items()
        for place, count in np.ndenumerate(marginal)
    }
    return bool((counts >= 0).all()) and int(counts.sum()) == released.total and sums == expected


@given(released_marginals() | wider_marginals(), st.data())
@settings(deadline=None)
def test_it_is_what_adding_up_by_hand_says(released: ReleasedMarginals, data: st.DataObject) -> None:
    size = int(np.prod(released.shape))
    counts = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))).reshape(released.shape)
    for given_counts in (counts, counts.reshape(-1), counts.astype(np.int8)):
        found = has_marginals(released.shape, released.marginals, released.total, given_counts)
        assert found == by_hand(released, counts)


@given(st.data())
@settings(deadline=None)
def test_a_single_move_away_from_the_marginals_is_seen(data: st.DataObject) -> None:
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))).reshape(2, 2, 2)
    marginals = {(0, 1): counts.sum(axis=2), (1, 2): counts.sum(axis=0)}
    total = int(counts.sum())
    assert has_marginals((2, 2, 2), marginals, total, counts)
    one, other = data.draw(st.permutations(range(8)))[:2]
    moved = counts.reshape(-1).copy()
    moved[one] += 1
    moved[other] -= 1
    assert not has_marginals((2, 2, 2), marginals, total, moved)


@pytest.mark.parametrize(
    "counts",
    [
        [[1.0, 2.0], [3.0, 4.0]],
        [[True, True], [True, True]],
        [["1", "2"], ["3", "4"]],
        [1, 2, 3],
        [[1, 2, 3, 4]],
        [[1], [2], [3], [4]],
        [[1, 2], [3, 5]],
    ],
)
def test_what_is_no_table_of_whole_numbers_has_no_marginals(counts: object) -> None:
    assert not has_marginals((2, 2), {}, 10, counts)  # type: ignore[arg-type]


def test_a_table_of_another_shape_is_not_taken_for_one() -> None:
    counts = np.array([[1, 2], [3, 4], [5, 6]])
    assert has_marginals((3, 2), {(0,): [3, 7, 11]}, 21, counts)
    assert not has_marginals((2, 3), {}, 21, counts)


def test_sums_that_wrap_around_are_no_sums() -> None:
    large = 2**63 - 1
    assert not has_marginals((3,), {}, 5, np.array([large, large, 7]))
    assert not has_marginals((2, 2), {(0,): [5, 0]}, 5, np.array([2**63, 2**63, 5, 0], dtype=np.uint64))
    assert not has_marginals((2**11,), {}, 0, np.full(2**11, 2**53))


def test_a_marginal_of_another_shape_is_not_added_up_to() -> None:
    assert not has_marginals((2, 2), {(0,): [[3, 7]]}, 10, [[1, 2], [3, 4]])
    assert has_marginals((2, 2), {(0, 1): [[1, 2], [3, 4]]}, 10, [[1, 2], [3, 4]])


def rows(sets: Iterable[tuple[int, ...]]) -> np.ndarray:
    """Return sets of variables, filled up with −1."""
    listed = list(sets)
    width = max(map(len, listed), default=0)
    return np.array([[*axes, *[-1] * (width - len(axes))] for axes in listed], dtype=np.int64).reshape(
        len(listed), width
    )


@given(released_marginals() | wider_marginals(), st.data())
@settings(deadline=None)
def test_a_difference_is_checked_as_the_whole_table_is(released: ReleasedMarginals, data: st.DataObject) -> None:
    size, shape = int(np.prod(released.shape)), np.array(released.shape)
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    marginals = {
        axes: counts.reshape(released.shape).sum(axis=tuple(a for a in range(shape.size) if a not in axes))
        for axes in released.marginals
    }
    cells = np.array(sorted(data.draw(st.sets(st.integers(0, size - 1), max_size=8))), dtype=np.int64)
    changes = np.array(
        data.draw(st.lists(st.integers(-2, 2), min_size=cells.size, max_size=cells.size)), dtype=np.int64
    )
    after = counts.copy()
    after[cells] += changes
    expected = has_marginals(released.shape, marginals, int(counts.sum()), after)
    assert keeps_marginals(shape, rows(marginals), counts, cells, changes) == expected


@given(st.integers(0, 2**32))
def test_a_move_keeps_the_marginals_that_it_is_one_of(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts, sets = rng.integers(1, 4, (3, 3, 3)), rows([(0, 1), (0, 2), (1, 2)])
    one, two = rng.permutation(3)[:2], rng.permutation(3)[:2]
    change = np.zeros((3, 3, 3), dtype=np.int64)
    for a, b, c in np.ndindex(2, 2, 2):
        change[one[a], two[b], one[c]] += (-1) ** (a + b + c)
    cells = np.flatnonzero(change)
    shape = np.array([3, 3, 3])
    assert keeps_marginals(shape, sets, counts, cells, change.reshape(-1)[cells])
    # a marginal of all variables allows no change
    assert not keeps_marginals(shape, rows([(0, 1, 2)]), counts, cells, change.reshape(-1)[cells])
    assert not keeps_marginals(shape, sets, counts, cells, 4 * change.reshape(-1)[cells])


def test_changes_that_cannot_be_trusted_keep_nothing() -> None:
    shape, table = np.array([2, 2]), np.array([3, 3, 3, 3])
    sets, move = rows([(0,), (1,)]), np.array([1, -1, -1, 1])
    assert keeps_marginals(shape, sets, table, np.arange(4), move)
    assert not keeps_marginals(shape, sets, table, np.array([0, 1, 1, 0]), move)
    assert not keeps_marginals(shape, sets, table, np.array([0, 1, 2, 4]), move)
    assert not keeps_marginals(shape, sets, table, np.array([-1, 1, 2, 3]), move)
    assert not keeps_marginals(shape, sets, table, np.arange(4), move[:3])
    assert not keeps_marginals(shape, sets, table, np.arange(4), np.array([2**62, 2**62, 2**62, 2**62]))
    assert not keeps_marginals(
        np.array([1024]), rows([]), np.ones(1024, np.int64), np.arange(600), np.zeros(600, np.int64)
    )
    assert keeps_marginals(shape, sets, table, np.arange(0), np.arange(0))
    assert not keeps_marginals(shape, rows([]), table, np.array([0]), np.array([1]))
