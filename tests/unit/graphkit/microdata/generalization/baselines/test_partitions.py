"""Partitions and rings, which freeform generalization is compared with."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.baselines.k_member import k_member
from graphkit.microdata.generalization.baselines.mondrian import mondrian
from graphkit.microdata.generalization.baselines.partition import class_extents, rings
from graphkit.microdata.generalization.bounding.whole import whole_losses
from graphkit.microdata.generalization.extents import covers, joined, layout_of, losses_of

ATTRIBUTES = (numeric([0, 1, 2, 5, 9, 14]), nominal(4), hierarchical([3, 3, 4, 4, 4], 3))
LAYOUT = layout_of(ATTRIBUTES)
SIZES = [attribute.size for attribute in ATTRIBUTES]
PARTITIONS = pytest.mark.parametrize("partition", [mondrian, k_member])


def some_records(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, SIZES, size=(n, len(SIZES)))


@PARTITIONS
@settings(deadline=None, max_examples=20)
@given(st.integers(2, 40), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_classes_have_k_records_and_rings_within_them_lose_no_more(
    partition: Callable[..., np.ndarray], n: int, k: int, seed: int
) -> None:
    codes, k = some_records(n, seed), min(k, n)
    classes = partition(codes, ATTRIBUTES, k)
    assert np.bincount(classes).min() >= k
    extents = class_extents(LAYOUT, codes, classes)
    for one in np.unique(classes):
        members = np.flatnonzero(classes == one)
        assert np.array_equal(extents[members], np.repeat(joined(LAYOUT, codes, members[None]), members.size, axis=0))
        assert all(covers(LAYOUT, extents[members[0]], codes[member]) for member in members)
    covered = rings(codes, classes, k)
    assert covered[:, 0].tolist() == list(range(n))
    assert (np.bincount(covered.ravel()) == k).all()
    assert all(len(set(row)) == k for row in covered.tolist())
    assert np.array_equal(classes[covered], np.repeat(classes[:, None], k, axis=1))
    assert (losses_of(LAYOUT, joined(LAYOUT, codes, covered)) <= losses_of(LAYOUT, extents) + 1e-12).all()


@settings(deadline=None, max_examples=20)
@given(st.integers(2, 40), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_no_class_of_mondrian_can_be_cut(n: int, k: int, seed: int) -> None:
    codes, k = some_records(n, seed), min(k, n)
    classes = mondrian(codes, ATTRIBUTES, k)
    for one in np.unique(classes):
        held = codes[classes == one]
        for column in held.T:
            assert all(min((column <= value).sum(), (column > value).sum()) < k for value in column)


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 25), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_k_member_is_what_its_steps_say(n: int, k: int, seed: int) -> None:
    codes, k = some_records(n, seed), min(k, n)
    attributes = (*ATTRIBUTES[:2], hierarchical([3, 3, 4, 4, 4], 3, weight=2.0))
    # whole numbers: equal losses are equal to the last bit
    layout = whole_losses(layout_of(attributes))

    def loss(rows: list[int]) -> float:
        return float(losses_of(layout, joined(layout, codes, np.array([rows])))[0])

    left, groups, last = list(range(n)), [], 0
    while len(left) >= k:
        last = max(left, key=lambda row: (loss([last, row]), -row))
        left.remove(last)
        group = [last]
        while len(group) < k:
            last = min(left, key=lambda row: (loss([*group, row]), row))
            left.remove(last)
            group.append(last)
        groups.append(group)
    for row in left:
        free = [group for group in groups if len(group) < 2 * k - 1]
        nearest = min(free, key=lambda group: loss([*group, row]) - loss(group))
        nearest.append(row)
    classes = k_member(codes, attributes, k)
    assert [np.flatnonzero(classes == one).tolist() for one in range(len(groups))] == [sorted(g) for g in groups]


@PARTITIONS
def test_equal_records_lose_nothing_and_k_that_is_no_size_is_refused(partition: Callable[..., np.ndarray]) -> None:
    codes = np.zeros((7, 3), dtype=np.int64)
    assert losses_of(LAYOUT, class_extents(LAYOUT, codes, partition(codes, ATTRIBUTES, 3))).max() == 0
    with pytest.raises(InvalidInput, match="larger than the number"):
        partition(codes, ATTRIBUTES, 8)
    with pytest.raises(InvalidInput, match="at least 2"):
        partition(codes, ATTRIBUTES, 1)


def test_a_class_below_k_has_no_ring() -> None:
    with pytest.raises(InvalidInput, match="at least 3"):
        rings(some_records(5, 1), np.array([0, 0, 0, 1, 1]), 3)
