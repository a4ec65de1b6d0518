"""The single engines against what is known of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.microaggregation.groups import canonical, within_groups
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.neighbours import neighbours
from graphkit.microdata.microaggregation.univariate import univariate
from graphkit.microdata.microaggregation.v_mdav import v_mdav
from tests.support.microaggregation import least_loss, tables_of_records


def mdav_as_written(points: np.ndarray, k: int) -> list[int]:
    """MDAV with a full sort at every step."""
    labels, left, group = np.zeros(points.shape[0], dtype=int), np.arange(points.shape[0]), 0

    def nearest_first(center: int) -> np.ndarray:
        return left[np.argsort(((points[left] - points[center]) ** 2).sum(axis=1), kind="stable")]

    def farthest_from(place: np.ndarray) -> int:
        return int(left[((points[left] - place) ** 2).sum(axis=1).argmax()])

    while left.size >= 3 * k:
        center = farthest_from(points[left].mean(axis=0))
        for _ in range(2):
            near = nearest_first(center)
            labels[near[:k]], left = group, np.sort(near[k:])
            group += 1
            center = farthest_from(points[center])
    if left.size >= 2 * k:
        near = nearest_first(farthest_from(points[left].mean(axis=0)))
        labels[near[:k]], left = group, near[k:]
        group += 1
    labels[left] = group
    return labels.tolist()


@given(records=tables_of_records(max_n=40), k=st.integers(2, 5))
@settings(max_examples=100, deadline=None)
def test_mdav_is_the_one_that_was_published(records: np.ndarray, k: int) -> None:
    # whole numbers and halves: means apart, all sums are exact, and ties are the same ones
    records = np.round(2 * records) / 2
    if records.shape[0] >= 2 * k:
        assert within_groups(records, mdav(records, k)) == pytest.approx(
            within_groups(records, np.array(mdav_as_written(records, k)))
        )


@given(records=tables_of_records(max_d=1, max_n=10), k=st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_one_attribute_has_the_least_loss(records: np.ndarray, k: int) -> None:
    if records.shape[0] >= k:
        found = within_groups(records, univariate(records, k))
        assert found == pytest.approx(least_loss(records, k), abs=1e-9)


def test_v_mdav_takes_in_what_is_near() -> None:
    clumps = np.concatenate([center + np.linspace(0, 0.1, 5) for center in (0.0, 10.0, 20.0, 30.0)])[:, None]
    assert np.bincount(v_mdav(clumps, 3, 1.1)).tolist() == [5, 5, 5, 5]
    # nobody joins with a gain of 0: five more records are left over, too few or just enough for another group
    assert np.bincount(v_mdav(clumps, 3, 0.0)).min() >= 3


@given(records=tables_of_records(min_n=2, max_n=30), data=st.data())
@settings(max_examples=100, deadline=None)
def test_neighbours_are_the_nearest_ones(records: np.ndarray, data: st.DataObject) -> None:
    n = records.shape[0]
    count = data.draw(st.integers(1, n - 1))
    near, far = neighbours(records, count)
    apart = np.sqrt(((records[:, None] - records[None]) ** 2).sum(axis=2))
    for record in range(n):
        assert record not in near[record]
        assert len(set(near[record].tolist())) == count
        assert far[record] == pytest.approx(apart[record, near[record]], abs=1e-12)
        others = np.sort(np.delete(apart[record], record))
        alike = int((others == 0).sum())
        if alike <= count // 2:
            assert far[record] == pytest.approx(others[:count], abs=1e-12)


def test_groups_are_numbered_by_their_first_record() -> None:
    assert canonical(np.array([5, 5, 2, 9, 2])).tolist() == [0, 0, 1, 2, 1]
