"""Tables of counts from frames, and from cross tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables import ContingencyTable

COLUMNS = {"sex": ["f", "m", "f", "f"], "age": [10, 9, 9, 9], "n": [2, 0, 1, 5]}
MAKERS: list[Any] = [pd.DataFrame, pa.table]


@pytest.mark.parametrize("make", MAKERS)
def test_rows_are_counted_by_the_columns_named_and_numbers_are_in_their_order(make: Any) -> None:
    frame = make(COLUMNS)
    table = ContingencyTable.from_records(frame, ["sex", "age"])
    assert [variable.categories for variable in table.variables] == [("f", "m"), ("9", "10")]
    assert table.dense().tolist() == [[2, 1], [1, 0]]
    weighted = ContingencyTable.from_records(frame, count="n")
    assert weighted.names == ("sex", "age")
    assert weighted.dense().tolist() == [[6, 2], [0, 0]]
    ordered = ContingencyTable.from_records(frame, ["sex"], orders={"sex": ["x", "m", "f"]})
    assert ordered.dense().tolist() == [0, 1, 3]


def test_a_categorical_column_keeps_its_categories_and_their_order() -> None:
    sex = pd.Categorical(["f", "m"], categories=["x", "m", "f"])
    table = ContingencyTable.from_records(pd.DataFrame({"sex": sex}))
    assert table.variables[0].categories == ("x", "m", "f")
    assert table.dense().tolist() == [0, 1, 1]


@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 4)), min_size=1))
def test_records_and_cross_tables_agree_with_a_counter(rows: list[tuple[str, str, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["one", "two", "three"])
    table = ContingencyTable.from_records(frame)
    counted = Counter((one, two, str(three)) for one, two, three in rows)
    names = [variable.categories for variable in table.variables]
    dense = table.dense()
    found = {
        tuple(names[axis][place] for axis, place in enumerate(at)): int(dense[tuple(at)]) for at in np.argwhere(dense)
    }
    assert found == dict(counted)
    crossed = ContingencyTable.from_crosstab(pd.crosstab([frame.one, frame.two], frame.three))
    assert crossed.variables == table.variables
    assert crossed.dense().tolist() == dense.tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"names": ["height"]}, "no column 'height'"),
        ({"names": []}, "at least one variable"),
        ({"count": "sex"}, "no whole number"),
        ({"names": ["sex"], "orders": {"sex": ["f"]}}, "not among its categories"),
        ({"orders": {"height": ["f"]}}, "no column 'height'"),
    ],
)
def test_what_cannot_be_counted_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        ContingencyTable.from_records(pd.DataFrame(COLUMNS), **options)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": ["x", None]}, "missing"),
        ({"a": [1.0, float("nan")]}, "missing"),
        ({"a": pd.array([1, None], dtype="Int64")}, "missing"),
        ({"a": ["x", 1]}, "several types"),
        ({"a": ["x"], "n": [-1]}, "negative"),
        ({"a": ["x"], "n": [0.5]}, "no whole number"),
        ({"a": ["x"], "n": [float("inf")]}, "no whole number"),
        ({"a": ["x"], "n": [True]}, "no whole number"),
        ({"a": [], "n": []}, "no categories"),
    ],
)
def test_values_that_are_none_are_refused_without_repeating_them(columns: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        ContingencyTable.from_records(pd.DataFrame(columns), count="n" if "n" in columns else None)


def test_no_frame_no_cross_table_and_margins_are_refused() -> None:
    frame = pd.DataFrame(COLUMNS)
    crossed = pd.crosstab(frame.sex, frame.age, margins=True)
    with pytest.raises(InvalidInput, match="frame of pandas, polars or pyarrow"):
        ContingencyTable.from_records([("f", "m")])
    with pytest.raises(InvalidInput, match=r"pandas\.crosstab"):
        ContingencyTable.from_crosstab(pa.table(COLUMNS))
    with pytest.raises(InvalidInput, match="margins"):
        ContingencyTable.from_crosstab(crossed)
    unnamed = pd.DataFrame([[1]])
    with pytest.raises(InvalidInput, match="no name"):
        ContingencyTable.from_crosstab(unnamed)


def test_more_cells_than_can_be_numbered_are_refused() -> None:
    wide = pd.DataFrame({f"v{column}": range(9) for column in range(21)})
    with pytest.raises(InvalidInput, match="at most 2"):
        ContingencyTable.from_records(wide)
