"""Charts: scales, marks that tell the series apart without colour, and their figures."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.reports.charts.axes import LinearScale, LogScale
from auditor.reports.charts.drawing import HEIGHT, WIDTH
from auditor.reports.charts.size_classes import size_classes
from auditor.subjects.networks.charts.block_sizes import block_sizes_chart
from auditor.subjects.networks.charts.degree_blocks import degree_blocks_chart
from auditor.subjects.networks.charts.knowledge_shares import knowledge_shares_chart
from auditor.subjects.networks.charts.risk_curve import risk_curve_chart
from graphkit.networks import KNOWLEDGE
from graphkit.networks.risk.candidates import CandidateSets
from graphkit.networks.risk.degree_risk import degree_risk
from graphkit.numbers import tick
from tests.support.strategies import block_sequences

BEFORE, AFTER = ("before", "original"), ("after", "released")


@given(low=st.floats(-1e6, 1e6), width=st.floats(1e-3, 1e7), whole=st.booleans())
@settings(max_examples=200)
def test_linear_ticks_are_few_and_within(low: float, width: float, whole: bool) -> None:
    scale = LinearScale(low, low + width, 0, 100, whole)
    ticks = scale.ticks()
    assert len(ticks) <= 7
    assert all(low - 1e-6 * abs(low) - 1e-9 <= tick <= low + width * (1 + 1e-6) + 1e-6 * abs(low) for tick in ticks)
    assert not whole or all(tick == round(tick) for tick in ticks)


@given(
    high=st.one_of(st.integers(1, 100), st.integers(1, 10**9)),
    low=st.sampled_from([0, 0.7, 1, 2, 5, 33, 129, 3_456, 140_001, 7_654_321]),
)
@settings(max_examples=300)
def test_logarithmic_ticks_are_few_and_within(high: int, low: float) -> None:
    scale = LogScale(low, low + high, 0, 100, shift=1 if low == 0 else 0)
    ticks = scale.ticks()
    assert min(2, math.floor(low + high) - math.ceil(low) + 1) <= len(ticks) <= 8
    # none reads like another
    assert len({tick(value) for value in ticks}) == len(ticks)
    places = [scale(value) for value in ticks]
    assert places == sorted(places)
    assert all(-1e-6 <= place <= 100 + 1e-6 for place in places)


@given(k=st.integers(2, 500), size=st.integers(1, 10**6))
def test_every_block_size_is_in_one_class_and_k_begins_one(k: int, size: int) -> None:
    classes = size_classes(k)
    assert sum(first <= size and (last is None or size <= last) for first, last in classes) == 1
    assert k in [first for first, _ in classes]


@given(before=block_sequences(), after=block_sequences(), k=st.integers(2, 60))
@settings(max_examples=80, deadline=None)
def test_everything_lies_within_the_drawing(before: np.ndarray, after: np.ndarray, k: int) -> None:
    shown = [(BEFORE, before), (AFTER, after)]
    risks = [(series, degree_risk(blocks, k)) for series, blocks in shown]
    for chart in (degree_blocks_chart(shown, k), block_sizes_chart(shown, k), risk_curve_chart(risks, k)):
        assert chart is not None
        assert "nan" not in chart.svg
        assert "inf" not in chart.svg
        for x, y in re.findall(r"M(-?[\d.]+),(-?[\d.]+)", chart.svg):
            assert 0 <= float(x) <= WIDTH
            assert 0 <= float(y) <= HEIGHT
        for name, value in re.findall(r' (x|y|width|height)="(-?[\d.]+)"', chart.svg):
            assert 0 <= float(value) <= (WIDTH if name in ("x", "width") else HEIGHT)


def test_no_vertex_no_chart() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert degree_blocks_chart([(BEFORE, empty)], 2) is None
    assert block_sizes_chart([(BEFORE, empty)], 2) is None
    assert risk_curve_chart([(BEFORE, degree_risk(empty, 2))], 2) is None


def test_the_figures_are_those_of_the_block_sequence() -> None:
    before, after = np.array([0, 5, 1, 2]), np.array([0, 5, 0, 3])
    degrees = degree_blocks_chart([(BEFORE, before), (AFTER, after)], 3)
    sizes = block_sizes_chart([(BEFORE, before), (AFTER, after)], 3)
    assert degrees is not None
    assert sizes is not None
    assert [list(row) for row in degrees.rows] == [["1", "5", "5"], ["2", "1", "0"], ["3", "2", "3"]]
    assert [list(row)[1:] for row in sizes.rows][:3] == [["1", "0"], ["1", "0"], ["1", "2"]]


def test_a_table_of_very_many_degrees_is_cut_and_says_so() -> None:
    chart = degree_blocks_chart([(BEFORE, np.ones(1000, dtype=np.int64))], 2)
    assert chart is not None
    assert len(chart.rows) == 401
    assert chart.rows[-1][0] == "600 larger degrees"


@pytest.mark.parametrize("k", [2, 5, 200])
def test_the_curve_steps_where_the_risk_does(k: int) -> None:
    risk = degree_risk([0, 9, 1, 4], k)
    chart = risk_curve_chart([(BEFORE, risk)], k)
    assert chart is not None
    table = {row[0]: row[1] for row in chart.rows}
    assert table[f"{k}"].startswith(f"{risk.below(k)} (")
    path = re.search(r'class="curve before" d="([^"]+)"', chart.svg)
    assert path is not None
    assert path[1].count("V") == sum(2 < step <= max(5 * k, 25) for step in risk.curve_k.tolist())


@given(numbers=st.lists(st.integers(0, 6), min_size=1, max_size=40), k=st.integers(2, 60))
@settings(max_examples=60, deadline=None)
def test_bars_of_knowledge_lie_within_and_label_what_is_there(numbers: list[int], k: int) -> None:
    sets = CandidateSets(np.unique(np.array(numbers), return_inverse=True)[1].astype(np.int64))
    given_ = [dict.fromkeys(KNOWLEDGE, sets.risk(k))] * 2
    chart = knowledge_shares_chart([BEFORE, AFTER], given_, k)
    assert chart is not None
    assert "nan" not in chart.svg
    bars = re.findall(r'class="bar \w+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', chart.svg)
    exposed = sets.risk(k).below(k) > 0
    assert len(bars) == (2 * len(KNOWLEDGE) if exposed else 0)
    assert all(float(x) >= 0 and float(x) + float(w) <= WIDTH and float(h) > 0 for x, _, w, h in bars)
    assert all(float(y) + float(h) <= HEIGHT for _, y, _, h in bars)
    assert len(chart.rows) == len(KNOWLEDGE)


def test_without_vertices_or_measurements_there_are_no_bars() -> None:
    empty = dict.fromkeys(KNOWLEDGE, CandidateSets(np.empty(0, dtype=np.int64)).risk(2))
    assert knowledge_shares_chart([BEFORE], [empty], 2) is None
    assert knowledge_shares_chart([BEFORE], [], 2) is None
