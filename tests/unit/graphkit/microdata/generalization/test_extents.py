"""Extents, joined and measured by kernels, beside plain sets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata import Attribute, nominal, numeric
from graphkit.microdata.generalization._records import profile, records_of
from graphkit.microdata.generalization.extents import (
    check_codes,
    covers,
    extents_of,
    joined,
    layout_of,
    loss,
    loss_with,
    losses_of,
)
from tests.support.generalization import TREE, ancestors, coded_records, plain_loss

Some = tuple[list[Attribute], np.ndarray]


@given(some=coded_records(max_n=6))
@settings(deadline=None)
def test_the_loss_of_joined_records_is_that_of_sets(some: Some) -> None:
    attributes, codes = some
    layout = layout_of(attributes)
    assert losses_of(layout, extents_of(layout, codes)).tolist() == [0.0] * len(codes)
    for size in range(1, len(codes) + 1):
        extent = joined(layout, codes, np.arange(size)[None, :])[0]
        assert loss(layout, extent) == pytest.approx(plain_loss(attributes, codes[:size]), abs=1e-12)


@given(some=coded_records(min_n=3))
@settings(deadline=None)
def test_what_a_record_would_add_is_what_it_adds(some: Some) -> None:
    attributes, codes = some
    layout, records = layout_of(attributes), records_of(layout_of(attributes), codes)
    extent = joined(layout, codes, np.array([[0, 1]]))[0]
    table = np.empty(records.values.size)
    profile(records, extent, table)
    for record in range(len(codes)):
        expected = plain_loss(attributes, codes[[0, 1, record]])
        assert loss_with(layout, extent, codes[record]) == pytest.approx(expected, abs=1e-12)
        assert table[records.cells[record]].sum() == pytest.approx(expected, abs=1e-12)


@given(some=coded_records(min_n=3), data=st.data())
@settings(deadline=None)
def test_an_extent_covers_what_its_values_stand_for(some: Some, data: st.DataObject) -> None:
    attributes, codes = some
    size = data.draw(st.integers(1, len(codes)))
    layout = layout_of(attributes)
    extent = joined(layout, codes, np.arange(size)[None, :])[0]
    for record in codes:
        assert covers(layout, extent, record) == all(
            stands_for(attribute, codes[:size, place].tolist(), int(record[place]))
            for place, attribute in enumerate(attributes)
        )


def stands_for(attribute: Attribute, values: list[int], value: int) -> bool:
    """Whether a value is generalized to the same as some are."""
    if attribute.kind == "range":
        return min(values) <= value <= max(values)
    if attribute.kind == "set":
        return value in values
    above = [ancestors(attribute, one) for one in values]
    lowest = next(node for node in above[0] if all(node in others for others in above))
    return lowest in ancestors(attribute, value)


def test_sets_of_more_values_than_a_word_has_bits() -> None:
    layout = layout_of([nominal(200)])
    codes = np.array([[0], [61], [62], [124], [199]])
    assert loss(layout, joined(layout, codes, np.arange(5)[None, :])[0]) == pytest.approx(5 / 200)


def test_weights_count_by_their_share() -> None:
    layout = layout_of([nominal(2, weight=3), numeric([0, 10], weight=1)])
    codes = np.array([[0, 0], [1, 0], [0, 1]])
    assert losses_of(layout, joined(layout, codes, np.array([[0, 1], [0, 2]]))).tolist() == [0.75, 0.25]


@pytest.mark.parametrize("code", [-1, 5])
def test_codes_outside_of_a_domain_are_refused(code: int) -> None:
    with pytest.raises(InvalidInput, match="attribute 2 has a value"):
        check_codes([nominal(2), TREE], np.array([[0, code]]))
