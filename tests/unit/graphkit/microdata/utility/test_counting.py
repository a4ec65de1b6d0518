"""Counts estimated from generalized records, against enumerating all that they may be."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.generalization.attribute import Attribute, hierarchical, nominal, numeric
from graphkit.microdata.generalization.extents import covers, extents_of, joined, layout_of
from graphkit.microdata.utility.counting import count_queries, shares_among

ATTRIBUTES = (numeric(range(7)), nominal(70), hierarchical([3, 3, 4, 4, 4], 3))


@settings(deadline=None)
@given(st.sampled_from(ATTRIBUTES), st.data())
def test_the_share_is_that_of_all_values_that_an_extent_covers(attribute: Attribute, data: st.DataObject) -> None:
    size, layout = attribute.size, layout_of([attribute])
    codes = np.arange(size)[:, None]
    joint = data.draw(st.lists(st.lists(st.integers(0, size - 1), min_size=3, max_size=3), min_size=1, max_size=4))
    asked = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    extents = joined(layout, codes, np.array(joint))
    found = shares_among(attribute, extents)(asked)
    for extent, share in zip(extents, found, strict=True):
        covered = [value for value in range(size) if covers(layout, extent, codes[value])]
        assert share == pytest.approx(sum(asked[value] for value in covered) / len(covered))


def test_what_is_not_generalized_is_counted_right_and_what_is_one_value_is_not() -> None:
    codes = np.random.default_rng(0).integers(0, (7, 70, 3), (200, 3))
    layout = layout_of(ATTRIBUTES)
    plain = extents_of(layout, codes)
    assert count_queries(ATTRIBUTES, codes, plain).upper == 0
    # in any order
    assert count_queries(ATTRIBUTES, codes, plain[::-1]).upper == 0
    all_alike = joined(layout, codes, np.tile(np.arange(200), (200, 1)))
    found = count_queries(ATTRIBUTES, codes, all_alike)
    assert 0.05 < found.median < found.upper
    assert count_queries(ATTRIBUTES, codes, all_alike) == found
    assert count_queries(ATTRIBUTES, codes, all_alike, seed=1) != found


def test_of_many_categories_each_record_counts_those_that_it_has() -> None:
    size, n = 9_000, 2_000
    codes = np.random.default_rng(0).integers(0, size, (n, 1))
    domain = [nominal(size)]
    extents = joined(layout_of(domain), codes, np.arange(n)[:, None] // 5 * 5 + np.arange(5))
    tracemalloc.start()
    try:
        assert count_queries(domain, codes, extents, queries=3).queries == 3
        # every category of every record would be 144 MB
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()
