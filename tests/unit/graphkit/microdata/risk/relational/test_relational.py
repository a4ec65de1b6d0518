"""What DuckDB counts is what is counted in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata.risk import relation
from graphkit.microdata.risk.classes import equivalence_classes
from graphkit.microdata.risk.closeness import Distance, t_closeness
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.diversity import l_diversity
from graphkit.microdata.risk.households import household_numbers, household_risk
from graphkit.microdata.risk.individual import individual_risk, weighted_risk
from graphkit.microdata.risk.relational import households as households_in
from graphkit.microdata.risk.relational.households import household_risk_in
from graphkit.microdata.risk.relational.records_table import RecordsTable, records_table
from graphkit.microdata.risk.relational.sensitive import sensitive_risk
from graphkit.microdata.risk.relational.special import special_uniques_in
from graphkit.microdata.risk.relational.weighted import weighted_risk_in
from graphkit.microdata.risk.sensitive_counts import sensitive_counts
from graphkit.microdata.risk.special_uniques import LEAST_WORK, special_uniques
from tests.support.record_samples import Rows, columns_of, names_of, rows

SLOW = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def tables(columns: dict[str, Any], *of: Any) -> Iterator[RecordsTable]:
    # without a column of numbers arrow does not know the type
    arrays = {name: pa.array(values, pa.float64()) for name, values in columns.items()}
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.register("people", pa.table(arrays))
        with records_table(connection, "people", *of) as table:
            yield table
        left = connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone()
        assert left == (0,)


@SLOW
@given(rows(max_columns=4), st.integers(1, 4))
def test_classes_and_special_uniques(sample: tuple[Rows, int], largest: int) -> None:
    records, width = sample
    columns, names = columns_of(records, width), names_of(width)
    coded = code_records(columns)
    with tables(columns, names) as table:
        assert table.risk(3).to_dict() == equivalence_classes(coded, names).risk(3).to_dict()
        counted = special_uniques_in(table, largest_size=largest)
        assert (table.classes_of(1), table.classes_of(2)) == tuple(
            int((equivalence_classes(coded, names).sizes == size).sum()) for size in (1, 2)
        )
    known = special_uniques(coded, names, largest_size=largest)
    assert counted.risk == known.risk
    values, times = np.unique(known.scores[known.scores > 0], return_counts=True)
    assert (counted.scores.tolist(), counted.records.tolist()) == (values.tolist(), times.tolist())


@SLOW
@given(rows(max_columns=4), st.sampled_from(["equal", "ordered"]), st.booleans())
def test_sensitive_columns(sample: tuple[Rows, int], distance: Distance, one_by_one: bool) -> None:
    records, width = sample
    columns, names = columns_of(records, width), names_of(width)
    coded = code_records(columns)
    counted = sensitive_counts(equivalence_classes(coded, names[:-1]), coded.columns[names[-1]])
    with pytest.MonkeyPatch.context() as patch, tables(columns, names[:-1], names[-1:]) as table:
        if one_by_one:
            patch.setattr(relation, "_ROWS", 1)
        diverse, close = sensitive_risk(table, 0, l=2, t=0.3, distance=distance)
    assert diverse.to_dict() == pytest.approx(l_diversity(counted, 2).to_dict())
    assert close.to_dict() == pytest.approx(t_closeness(counted, 0.3, distance).to_dict())


@SLOW
@given(rows(max_columns=2), st.booleans(), st.data())
def test_individual_risk(sample: tuple[Rows, int], weighted: bool, data: st.DataObject) -> None:
    records, width = sample
    names, n = names_of(width), len(records)
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0, 40.0]), min_size=n, max_size=n))
    columns = columns_of(records, width)
    classes = equivalence_classes(code_records(columns), names)
    risk = individual_risk(classes, np.array(weights, dtype=np.float64) if weighted else None)
    with tables({**columns, "w": weights}, names, (), "w" if weighted else None) as table:
        found = weighted_risk_in(table, 0.2)
    assert found.to_dict() == pytest.approx(weighted_risk(risk, threshold=0.2).to_dict())


@SLOW
@given(rows(max_columns=3), st.booleans(), st.booleans(), st.data())
def test_household_risk(sample: tuple[Rows, int], weighted: bool, one_by_one: bool, data: st.DataObject) -> None:
    records, width = sample
    names, n = names_of(width), len(records)
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0, 40.0]), min_size=n, max_size=n))
    living = data.draw(st.lists(st.sampled_from([None, 0.0, -0.0, 1.5, float("nan")]), min_size=n, max_size=n))
    columns = columns_of(records, width)
    risk = individual_risk(
        equivalence_classes(code_records(columns), names), np.array(weights, dtype=np.float64) if weighted else None
    )
    numbers = household_numbers(code_records({"h": living}).columns["h"])
    households = np.unique(numbers).size
    expected = weighted_risk(household_risk(risk, numbers), threshold=0.2345, households=households)
    with (
        pytest.MonkeyPatch.context() as patch,
        tables({**columns, "w": weights, "h": living}, names, (), "w" if weighted else None, "h") as table,
    ):
        if one_by_one:
            patch.setattr(relation, "_ROWS", 1)
            patch.setattr(households_in, "_CLASSES_AT_ONCE", 1)
        found = household_risk_in(table, 0.2345)
    assert found.households == households
    assert found.to_dict() == pytest.approx(expected.to_dict())


def test_who_is_certainly_found_is_found_with_the_household() -> None:
    # alone in the file, and the file is the population
    with tables({"c0": [1, 2, 2, 3], "h": [7, 7, 8, None]}, ["c0"], (), None, "h") as table:
        found = household_risk_in(table, 0.9)
    assert (found.largest_risk, found.records_above, found.households) == (1.0, 3, 3)
    assert found.expected_reidentifications == 3.5


def test_a_limit_of_work_ends_both_searches_after_the_same_combination() -> None:
    draw = np.random.default_rng(4)
    columns = {name: draw.integers(0, 4, 30).tolist() for name in names_of(5)}
    for work in (1, 3 * LEAST_WORK, 8 * LEAST_WORK):
        with tables(columns, names_of(5)) as table:
            found = special_uniques_in(table, budget=Budget(work_limit=work)).risk
        assert found == special_uniques(code_records(columns), names_of(5), budget=Budget(work_limit=work)).risk
        assert not found.is_complete


@pytest.mark.parametrize(
    ("names", "said"), [(["x"], "no column 'x'"), (["c0", "c0"], "named twice"), (["c1"], "lists or structures")]
)
def test_columns_that_cannot_be_counted(names: list[str], said: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE people AS SELECT 1 AS c0, [1, 2] AS c1")
        with pytest.raises(InvalidInput, match=said), records_table(connection, "people", names):
            pass


def test_weights_that_are_none() -> None:
    with (
        tables({"c0": [1, 2], "w": [1.0, None]}, ["c0"], (), "w") as table,
        pytest.raises(InvalidInput, match="a weight is missing"),
    ):
        weighted_risk_in(table, 0.1)
    with (
        tables({"c0": [1, 2], "w": [1.0, -1.0], "h": [1, 1]}, ["c0"], (), "w", "h") as table,
        pytest.raises(InvalidInput, match="a weight is missing"),
    ):
        household_risk_in(table, 0.1)
