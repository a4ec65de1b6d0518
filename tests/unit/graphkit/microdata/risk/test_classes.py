from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import combined_key, equivalence_classes
from graphkit.microdata.risk.coded import CodedColumn, code_records
from graphkit.microdata.risk.relation import code_relation
from tests.support.record_samples import Rows, classes_by_hand, columns_of, names_of, rows


@settings(deadline=None)
@given(rows())
def test_classes_are_the_groups_of_equal_rows(sample: tuple[Rows, int]) -> None:
    records, width = sample
    classes = equivalence_classes(code_records(columns_of(records, width)), names_of(width))
    by_hand = classes_by_hand(records)
    assert sorted(classes.sizes.tolist()) == sorted(map(len, by_hand.values()))
    for members in by_hand.values():
        assert len(set(classes.class_of[members].tolist())) == 1
        assert classes.sizes[classes.class_of[members[0]]] == len(members)


@settings(deadline=None)
@given(rows())
def test_figures_count_records_in_small_classes(sample: tuple[Rows, int]) -> None:
    records, width = sample
    sizes = [len(members) for members in classes_by_hand(records).values()]
    classes = equivalence_classes(code_records(columns_of(records, width)), names_of(width))
    for k in (2, 3, 5):
        risk = classes.risk(k)
        assert risk.records_below_k == sum(size for size in sizes if size < k)
        assert risk.classes_below_k == sum(size < k for size in sizes)
        assert risk.unique_records == sum(size == 1 for size in sizes)
        assert risk.smallest_class == min(sizes, default=0)
        assert [risk.below(other) for other in range(2, 16)] == [
            sum(size for size in sizes if size < other) for other in range(2, 16)
        ]
        assert risk.is_anonymous == all(size >= k for size in sizes)


def test_keys_beyond_62_bits_are_ranked() -> None:
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 5, 40, dtype=np.uint32) for _ in range(4)]
    wide = [CodedColumn(str(place), column, 1 << 30) for place, column in enumerate(codes)]
    key, _ = combined_key(wide, 40)
    expected = len(set(zip(*(column.tolist() for column in codes), strict=True)))
    assert np.unique(key).size == expected
    assert key.min() >= 0


def test_a_relation_gives_the_classes_of_its_rows() -> None:
    table = pa.table(
        {
            "age of": [1.0, -0.0, 0.0, float("nan"), None, 1.0],
            "job": pa.array(["b", "a", "a", None, None, "b"]).dictionary_encode(),
            "weight": [1, 2, 3, 4, 5, 6],
        }
    )
    with duckdb.connect() as connection:
        connection.register("people", table)
        seen: list[int] = []
        records = code_relation(connection, "people", ["age of", "job"], numbers=["weight"], progress=seen.append)
    assert seen[-1] == records.n == 6
    # −0 is 0, and NaN is missing as NULL is
    assert sorted(equivalence_classes(records, ["age of", "job"]).sizes.tolist()) == [2, 2, 2]
    assert records.columns["age of"].has_missing
    assert records.numbers["weight"].tolist() == [1, 2, 3, 4, 5, 6]


def test_batches_of_rows_give_the_same_numbers_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE people AS SELECT (range * 7919) % 613 AS a, NULL AS b FROM range(20000)")
        whole = code_relation(connection, "people", ["a", "b"])
        monkeypatch.setattr("graphkit.microdata.risk.relation._ROWS", 2048)
        parts = code_relation(connection, "people", ["a", "b"])
    assert whole.columns["a"].codes.dtype == np.uint16
    for name in ("a", "b"):
        assert np.array_equal(whole.columns[name].codes, parts.columns[name].codes)
    assert parts.columns["b"].size == 1


def test_what_cannot_be_counted_is_refused_without_a_value() -> None:
    with pytest.raises(InvalidInput, match="there is no column 'wage'"):
        equivalence_classes(code_records({"age": [1]}), ["wage"])
    with pytest.raises(InvalidInput, match="named twice"):
        equivalence_classes(code_records({"age": [1]}), ["age", "age"])
    with pytest.raises(InvalidInput, match="not equally long"):
        code_records({"age": [1], "job": [1, 2]})
    with pytest.raises(InvalidInput, match="lists or structures"):
        code_records({"age": [[1], [2]]})
    with pytest.raises(InvalidInput) as raised:
        code_records({"age": [1, "Mildred"]})
    assert "Mildred" not in str(raised.value)
    with duckdb.connect() as connection, pytest.raises(InvalidInput, match="there is no column 'b'"):
        code_relation(connection.execute("CREATE VIEW v AS SELECT 1 AS a"), "v", ["b"])
