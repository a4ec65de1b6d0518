"""Records that leave a covering: it stays regular, the mean loss of the others falls, savings are what is saved."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata import nominal, numeric
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.covering import canonical, ring
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.generalization.suppression.leaving_out import left_out
from tests.support.generalization import drawn_records, plain_gcp


@given(st.integers(4, 30), st.integers(2, 5), st.integers(1, 10), st.integers(0, 100))
@settings(deadline=None, max_examples=60)
def test_what_remains_is_regular_and_loses_less_on_average(n: int, k: int, count: int, seed: int) -> None:
    attributes, codes = drawn_records(n, seed)
    k = min(k, n - 1)
    rows = ring(codes, k)
    kept, found = left_out(records_of(layout_of(attributes), codes), rows, count)
    gone = n - kept.size
    assert gone <= min(count, n - k)
    assert (kept[1:] > kept[:-1]).all()
    assert all(len(set(row)) == k for row in found.tolist())
    assert np.bincount(found.ravel(), minlength=n)[kept].tolist() == [k] * kept.size
    assert np.isin(found, kept).all()
    before, after = (plain_gcp(attributes, codes, one) for one in (rows, found))
    assert after < before if gone else (found == rows).all()


def test_the_record_that_costs_most_leaves_first() -> None:
    # 100 is in two tuples of a ring: its own and that of the record before
    codes = np.array([[0], [1], [2], [3], [5]])
    attributes = [numeric([0, 1, 2, 3, 99, 100])]
    kept, rows = left_out(records_of(layout_of(attributes), codes), ring(codes, 2), 1)
    assert kept.tolist() == [0, 1, 2, 3]
    assert plain_gcp(attributes, codes, rows) == pytest.approx((3 * 0.01 + 0.03) / 4)


def test_nobody_leaves_where_nothing_is_lost() -> None:
    codes = np.zeros((6, 1), dtype=np.int64)
    kept, rows = left_out(records_of(layout_of([nominal(2)]), codes), ring(codes, 3), 2)
    assert kept.size == 6
    assert (rows == ring(codes, 3)).all()


def test_a_closed_group_gives_up_the_record_that_is_far_from_its_companions() -> None:
    codes = np.array([[0], [1], [2], [10], [11], [12], [20], [21], [50]])
    attributes = [numeric(np.arange(51))]
    rows = canonical(np.repeat(np.arange(9).reshape(3, 3), 3, axis=0))
    records = records_of(layout_of(attributes), codes)
    kept, found = left_out(records, rows, 1)
    assert kept.tolist() == list(range(8))
    assert (np.bincount(found.ravel()) == 3).all()
    assert all(len(set(row)) == 3 for row in found.tolist())
    assert plain_gcp(attributes, codes, found) < plain_gcp(attributes, codes, rows)
    # what would not lower the mean stays
    assert left_out(records, rows, 1, least=9.0)[0].size == 9


@given(st.integers(2, 4), st.integers(3, 6), st.integers(1, 6), st.integers(0, 100))
@settings(deadline=None, max_examples=40)
def test_what_remains_of_closed_groups_is_regular_and_loses_less(k: int, groups: int, count: int, seed: int) -> None:
    attributes, codes = drawn_records(k * groups, seed)
    order = np.random.default_rng(seed).permutation(k * groups).reshape(groups, k)
    rows = canonical(np.repeat(order, k, axis=0))
    kept, found = left_out(records_of(layout_of(attributes), codes), rows, count)
    assert kept.size >= k * groups - count
    assert found[:, 0].tolist() == kept.tolist() or kept.size == k * groups
    assert all(len(set(row)) == k for row in found.tolist())
    assert np.bincount(found.ravel(), minlength=k * groups)[kept].tolist() == [k] * kept.size
    assert kept.size == k * groups or plain_gcp(attributes, codes, found) < plain_gcp(attributes, codes, rows)
