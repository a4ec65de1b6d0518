"""What went out of other versions of the data, told as marginals of the present one."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from auditor.errors import BadInput
from auditor.releases.history import check_nested, marginals_that_are_out, sets_that_are_out
from auditor.store.releases import TableState
from auditor.store.table_history import VersionHistory
from auditor.store.table_layout import variables_text
from auditor.store.table_marginals import StoredMarginal
from auditor.store.table_rows import TableRow
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.grouping import Grouping
from graphkit.tables.recoding import RecodedMarginal
from graphkit.tables.variable import Variable

AGE, SEX = Variable("age", ("0-19", "20-39", "40+")), Variable("sex", ("f", "m"))
AT = datetime(2026, 1, 1, tzinfo=UTC)


def released(axes: tuple[int, ...], groupings: tuple[Grouping, ...] | None = None) -> StoredMarginal:
    nothing = np.empty(0, dtype=np.int64)
    return StoredMarginal(axes, "released", AT, nothing, nothing, groupings=groupings)


def state(then: tuple[Variable, ...], marginal: StoredMarginal, now: tuple[Variable, ...]) -> TableState:
    row = TableRow("survey", "p/2", "p", 2, 1, variables_text(now), "")
    table = ContingencyTable.from_dense(np.ones([v.size for v in now], dtype=np.int64), now)
    history = (VersionHistory("p/1", 1, then, (marginal,)), VersionHistory("p/2", 2, now, ()))
    everything = tuple(range(len(now)))
    return TableState(row, table, RecodedMarginal.plain(table, everything), history, None, None, None)


def test_the_order_of_variables_and_categories_does_not_matter() -> None:
    now = (SEX, Variable("age", ("40+", "0-19", "20-39")))
    found = marginals_that_are_out(state((AGE, SEX), released((0, 1), ((0, 0, 1), (0, 1))), now))
    assert found == {RecodedMarginal((0, 1), ((0, 1), (0, 1, 1)))}
    assert sets_that_are_out(found) == {(0,)}


def test_other_categories_count_as_if_all_present_ones_were_out() -> None:
    now = (SEX, Variable("age", ("0-19", "20-39", "40-59", "60+")))
    found = marginals_that_are_out(state((AGE, SEX), released((0, 1), ((0, 0, 1), (0, 1))), now))
    assert found == {RecodedMarginal((0, 1), ((0, 1), (0, 1, 2, 3)))}


def test_variables_that_are_gone_are_left_out() -> None:
    now = (SEX, Variable("region", ("north", "south")))
    assert marginals_that_are_out(state((AGE, SEX), released((0, 1)), now)) == {RecodedMarginal((0,), ((0, 1),))}
    assert marginals_that_are_out(state((AGE, SEX), released((0,)), now)) == set()


def test_nothing_of_the_present_counts_follows_from_another_version() -> None:
    case = state((AGE, SEX), released((0, 1)), (AGE, SEX))
    assert marginals_that_are_out(case)
    assert marginals_that_are_out(case, of_these_data=True) == set()


def test_groups_that_cross_those_of_another_version_are_refused() -> None:
    case = state((AGE, SEX), released((0,), ((0, 0, 1),)), (AGE, SEX))
    check_nested(case)
    crossing = RecodedMarginal((0,), ((0, 1, 1),))
    with pytest.raises(BadInput, match=r"merged otherwise than in what is out \(0-19 \+ 20-39, 40\+\)"):
        check_nested(
            TableState(case.row, case.table, crossing, case.history, case.present, case.before, case.simulated)
        )
