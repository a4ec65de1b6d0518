"""Charts of records: their figures add up, nothing leaves the drawing, and few records are not counted out."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.reports.charts.drawing import HEIGHT, WIDTH, Chart
from auditor.subjects.microdata.charts.class_sizes import class_sizes_chart
from auditor.subjects.microdata.charts.distribution import distribution_chart
from auditor.subjects.microdata.charts.group_sizes import group_sizes_chart
from auditor.subjects.microdata.charts.risk_utility import risk_utility_chart
from auditor.subjects.microdata.exports.effects import CurvePoint
from graphkit.microdata import code_records, equivalence_classes

BEFORE, AFTER = ("before", "original"), ("after", "released")


def within(chart: Chart) -> bool:
    """Whether every place that the chart names lies in it."""
    numbers = (
        re.findall(r' (?:x|x1|x2|cx)="([-\d.]+)"', chart.svg),
        re.findall(r' (?:y|y1|y2|cy)="([-\d.]+)"', chart.svg),
    )
    steps = [re.findall(rf"{axis}([-\d.]+)", path) for path in re.findall(r' d="([^"]*)"', chart.svg) for axis in "HV"]
    return (
        all(0 <= float(number) <= WIDTH for number in numbers[0])
        and all(0 <= float(number) <= HEIGHT for number in numbers[1])
        and all(0 <= float(number) <= max(WIDTH, HEIGHT) for path in steps for number in path)
    )


def counts(chart: Chart, column: int = 1) -> list[int]:
    return [int(row[column].replace(",", "")) for row in chart.rows]


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.integers(2, 12))
def test_every_record_is_in_one_bar_of_its_class_size(ages: list[int], k: int) -> None:
    chart = class_sizes_chart(equivalence_classes(code_records({"age": ages}), ["age"]).risk(k), k)
    assert chart is not None
    assert sum(counts(chart)) == len(ages)
    assert counts(chart)[0] == sum(ages.count(age) == 1 for age in ages)
    assert within(chart)


@settings(deadline=None)
@given(st.lists(st.integers(3, 400), min_size=1, max_size=50))
def test_every_group_is_in_one_bar(sizes: list[int]) -> None:
    chart = group_sizes_chart(np.array(sizes), 3)
    assert sum(counts(chart)) == len(sizes)
    assert len(chart.rows) <= 8
    assert within(chart)


@settings(deadline=None)
@given(st.lists(st.integers(0, 30), min_size=3, max_size=20), st.integers(2, 9))
def test_few_records_in_a_class_of_values_are_not_counted_out(before: list[int], k: int) -> None:
    after = [k * value for value in before]
    borders = [float(place) for place in range(len(before) - 1)]
    chart = distribution_chart("age", borders, [(BEFORE, before), (AFTER, after)], place=0, least=k)
    shown = counts(chart)
    assert (sum(shown), sum(counts(chart, 2))) == (sum(before), sum(after))
    assert len(shown) == 1 or not any(0 < value < k for value in shown)
    # what is shown are sums of neighbours
    sums = set(np.cumsum(before))
    assert set(np.cumsum(shown)) <= sums
    assert within(chart)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 1)), min_size=1, max_size=6), st.sampled_from([2, 3, 5, 10]))
def test_risk_and_utility_lie_within_the_drawing(points: list[tuple[float, float]], k: int) -> None:
    sizes = (2, 3, 5, 10, 20, 50)
    chart = risk_utility_chart([CurvePoint(size, *point) for size, point in zip(sizes, points, strict=False)], k)
    assert chart is not None
    assert len(chart.rows) == len(points)
    assert within(chart)


@pytest.mark.parametrize("points", [(), []])
def test_there_is_no_curve_without_points(points: list[CurvePoint]) -> None:
    assert risk_utility_chart(points, 3) is None
