"""Records that leave a covering: it stays regular, the mean loss of the others falls, savings are what is saved."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata import nominal, numeric
from graphkit.microdata.generalization._records import records_of
from graphkit.microdata.generalization.covering import ring
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
