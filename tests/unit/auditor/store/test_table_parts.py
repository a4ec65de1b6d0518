"""Parts of stored tables that need no database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.formats.tables import table_checksum
from auditor.subjects.tables.stored.layout import in_layout, parse_variables, variables_text
from auditor.subjects.tables.stored.marginals import CellBounds, StoredMarginal
from auditor.subjects.tables.stored.overlaps import TableOverlap
from graphkit.errors import BrokenClaim
from graphkit.hierarchies.variable import Variable
from tests.support.table_samples import loaded_table, same_table

AT = datetime(2026, 3, 1, tzinfo=UTC)
ONE = np.array([1])


@given(seed=st.integers(0, 99), shape=st.lists(st.integers(1, 4), min_size=1, max_size=4), data=st.data())
def test_another_order_holds_the_same_counts(seed: int, shape: list[int], data: st.DataObject) -> None:
    table = loaded_table(seed, tuple(shape)).table
    order = data.draw(st.permutations(range(len(shape))))
    turned = [
        Variable(table.names[axis], tuple(data.draw(st.permutations(table.variables[axis].categories))))
        for axis in order
    ]
    other = in_layout(table, turned)
    assert other.variables == tuple(turned)
    assert table_checksum(other) == table_checksum(table)
    assert same_table(in_layout(other, table.variables), table)
    places = [
        [turned[place].categories.index(category) for category in table.variables[axis].categories]
        for place, axis in enumerate(order)
    ]
    assert np.array_equal(other.dense()[np.ix_(*places)], table.dense().transpose(order))


def test_variables_come_back_from_their_text() -> None:
    variables = (Variable('a "1", é', ("<3", "\\", "≥3")), Variable("b", ("\n x",)))
    assert parse_variables(variables_text(variables)) == variables


@pytest.mark.parametrize(
    "wrong",
    [
        {"axes": (1, 0)},
        {"axes": (0, 0)},
        {"status": "open"},
        {"status": "released"},
        {"status": "released", "released_at": AT},
        {"status": "refused", "released_at": AT},
        {"status": "undecided", "cells": ONE, "counts": ONE},
    ],
)
def test_a_marginal_that_contradicts_itself_is_not_stored(wrong: dict[str, Any]) -> None:
    with pytest.raises(BrokenClaim):
        StoredMarginal(**{"axes": (0,), **wrong})


def test_bounds_are_as_many_as_their_cells() -> None:
    with pytest.raises(BrokenClaim):
        CellBounds(ONE, ONE, np.array([1, 2]), ("sharp",))


def test_an_overlap_says_whether_what_is_out_counts() -> None:
    maybe = TableOverlap("b", False, False, ("sex", "age"))
    assert maybe.sentence.startswith("the table 'b' has the same counts by sex, age and may have the same respondents")
    assert "removed table 'b' has the same respondents" in TableOverlap("b", True, True, ()).sentence
