"""What went out of other versions of the data, told as marginals of the present one."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from auditor.subjects.tables.releases.history import ReleasedHistory, surely_out
from auditor.subjects.tables.stored.history import VersionHistory
from auditor.subjects.tables.stored.layout import variables_text
from auditor.subjects.tables.stored.marginals import StoredMarginal
from auditor.subjects.tables.stored.releases import TableState
from auditor.subjects.tables.stored.rows import TableRow
from graphkit.hierarchies.grouping import Grouping
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.variable_link import VariableLink

AGE, SEX = Variable("age", ("0-19", "20-39", "40+")), Variable("sex", ("f", "m"))
AT = datetime(2026, 1, 1, tzinfo=UTC)


def released(axes: tuple[int, ...], groupings: tuple[Grouping, ...] | None = None) -> StoredMarginal:
    nothing = np.empty(0, dtype=np.int64)
    return StoredMarginal(axes, "released", AT, nothing, nothing, groupings=groupings)


def state(
    then: tuple[Variable, ...], marginal: StoredMarginal, now: tuple[Variable, ...], *links: VariableLink
) -> TableState:
    row = TableRow("survey", "p/2", "p", 2, 1, variables_text(now), "")
    table = ContingencyTable.from_dense(np.ones([v.size for v in now], dtype=np.int64), now)
    history = (
        VersionHistory("p/1", 1, then, (marginal,)),
        VersionHistory("p/2", 2, now, (), None, {1: links} if links else {}),
    )
    everything = tuple(range(len(now)))
    return TableState(row, table, RecodedMarginal.plain(table, everything), history, None, None, None)


def history_of(case: TableState) -> ReleasedHistory:
    return ReleasedHistory(case.history, case.row.data)


def test_the_order_of_variables_and_categories_does_not_matter() -> None:
    now = (SEX, Variable("age", ("40+", "0-19", "20-39")))
    case = state((AGE, SEX), released((0, 1), ((0, 0, 1), (0, 1))), now)
    assert surely_out(case) == {RecodedMarginal((0, 1), ((0, 1), (0, 1, 1)))}
    assert {marginal.plain_part for marginal in surely_out(case)} == {(0,)}
    assert not history_of(case).blocked
    assert history_of(case).others == []


def test_other_categories_make_another_variable() -> None:
    now = (SEX, Variable("age", ("0-19", "20-39", "40-59", "60+")))
    pair = released((0, 1), ((0, 0, 1), (0, 1)))
    case = state((AGE, SEX), pair, now)
    assert history_of(case).unaccounted == {1: ("age",)}
    assert history_of(case).blocked
    rows = (("0-19", "0-19"), ("20-39", "20-39"), ("40+", "40-59"), ("40+", "60+"))
    declared = state((AGE, SEX), pair, now, VariableLink("age", ("age",), rows))
    assert history_of(declared).unaccounted == {}
    assert surely_out(declared) == {RecodedMarginal((0, 1), ((0, 1), (0, 0, 1, 1)))}
    assert history_of(declared).told(2).is_exact


def test_a_variable_that_is_gone_counts_where_it_was() -> None:
    now = (SEX, Variable("region", ("north", "south")))
    case = state((AGE, SEX), released((0, 1)), now, VariableLink("age"))
    assert surely_out(case) == {RecodedMarginal((0,), ((0, 1),))}
    # its counts are not there
    assert history_of(case).blocked
    assert [version.version for version in history_of(case).others] == [1]


def test_a_variable_that_is_not_out_need_not_be_declared() -> None:
    now = (SEX, Variable("region", ("north", "south")))
    assert not history_of(state((AGE, SEX), released((1,)), now)).blocked


def test_nothing_of_the_present_counts_follows_from_another_version() -> None:
    case = state((AGE, SEX), released((0, 1)), (AGE, SEX))
    assert surely_out(case)
    assert case.released() == set()
