"""Parts of a review that need no store: the picture of intervals, and the form of a change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import FormData

from auditor.approvals.review import ChangeField
from auditor.core.errors import BadInput
from auditor.subjects.tables.charts.interval_widths import interval_widths_chart
from auditor.web.pages.approvals import change_of

FIELDS = (
    ChangeField("marginal", "Variables", "choices", options=("A", "B")),
    ChangeField("merge", "Merged categories", "lines"),
)
WIDTHS = st.lists(st.integers(0, 2_000), min_size=1, max_size=30)


@given(st.data(), WIDTHS, st.integers(1, 12))
def test_every_interval_is_in_one_bar_and_the_narrow_ones_are_counted(
    data: st.DataObject, before: list[int], least: int
) -> None:
    # a release only narrows
    after = [data.draw(st.integers(0, width)) for width in before]
    chart = interval_widths_chart(np.array(before), np.array(after), least)
    for series, widths in ((1, before), (2, after)):
        assert sum(int(row[series].replace("\N{NO-BREAK SPACE}", "")) for row in chart.rows) == len(widths)
    narrow = [sum(width < least for width in widths) for widths in (before, after)]
    assert f" {narrow[0]} have an interval narrower than {least} before" in chart.about
    assert f" {narrow[1]} with it." in chart.about


def test_a_form_is_the_change_that_it_shows() -> None:
    form = FormData([("marginal", "A"), ("merge", " age=60-79,80+\r\n\r\nsex=f,m "), ("reason", "why"), ("x", "y")])
    assert change_of(FIELDS, form) == {"marginal": ["A"], "merge": ["age=60-79,80+", "sex=f,m"]}
    k = (ChangeField("k", "k", "number", "larger than 3", 4, 9),)
    assert change_of(k, FormData([("k", " 7 ")])) == {"k": 7}
    for text in ("", "7.5", "-1", "\u0667", "9" * 16):
        with pytest.raises(BadInput, match="k must be a whole number larger than 3"):
            change_of(k, FormData([("k", text)]))
