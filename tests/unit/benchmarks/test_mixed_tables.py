"""The generator of tables is the same everywhere, and what is measured on it can fail."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.mixed_tables import KINDS, SHAPES, mixed_tables
from benchmarks.sampled_decisions import Tally, learns_too_much, rows_of, table_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from tests.unit.graphkit.tables.decisions.test_policy_aware import NARROWED


def test_the_tables_are_of_all_kinds_and_shapes_and_the_same_each_time() -> None:
    cases = list(mixed_tables(200))
    assert {case.kind for case in cases} == set(KINDS)
    assert {case.table.shape for case in cases} == set(SHAPES)
    assert Counter(case.kind for case in cases).most_common(1)[0][0] == "lumps"
    assert all(case.table.total > 0 for case in cases)
    assert all(len(set(case.requests)) == len(case.requests) > 1 for case in cases)
    again = list(mixed_tables(3))
    assert [one.table.dense().tolist() for one in again] == [one.table.dense().tolist() for one in cases[:3]]
    assert [one.requests for one in again] == [one.requests for one in cases[:3]]


def test_every_answer_is_counted() -> None:
    tally = Tally()
    for case in mixed_tables(4):
        tally.add(case)
    rows = {row.work: row for row in rows_of(tally)}
    assert sum(tally.answers.values()) > 4
    assert next(row.value for work, row in rows.items() if "that plain refuses" in work) == 0
    # a release that plain decisions refuse misses the bar
    tally.unsafe |= {1, 2}
    assert not next(row.holds for row in rows_of(tally) if "that plain refuses" in row.work)


def test_a_reader_who_knows_the_policy_is_followed() -> None:
    table = table_of(NARROWED)
    pairs = [RecodedMarginal.plain(table, axes) for axes in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))]
    assert learns_too_much(table, pairs[:5]) is False
    assert learns_too_much(table, pairs) is True
    large = table_of(np.full((2, 2), 50))
    assert learns_too_much(large, [RecodedMarginal.plain(large, (0,))]) is False
