"""What ends the search of an engine: time, and an answer that is good enough."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.networks import anonymize


def test_without_a_gap_only_an_answer_at_the_bound_is_good_enough() -> None:
    assert Budget().is_close(62, 62)
    assert Budget().is_close(0, 0)
    assert not Budget().is_close(10**12 + 1, 10**12)


@given(hundredths=st.integers(0, 99), size=st.integers(0, 10_000), data=st.data())
@example(hundredths=29, size=100, data=None)
def test_a_gap_is_a_share_of_the_size(hundredths: int, size: int, data: st.DataObject | None) -> None:
    bound = 71 if data is None else data.draw(st.integers(0, size))
    exactly = size - bound <= Fraction(hundredths, 100) * size
    assert Budget(gap=hundredths / 100).is_close(size, bound) == exactly


@given(size=st.integers(1, 10**6), below=st.integers(0, 10**6), gaps=st.tuples(*[st.floats(0, 0.999)] * 2))
def test_a_larger_gap_takes_every_answer_that_a_smaller_one_takes(
    size: int, below: int, gaps: tuple[float, float]
) -> None:
    strict, lenient = (Budget(gap=gap).is_close(size, max(size - below, 0)) for gap in sorted(gaps))
    assert lenient or not strict


@pytest.mark.parametrize("gap", [-0.01, 1.0, 5.0, float("nan")])
def test_a_gap_that_is_no_share_is_refused(gap: float) -> None:
    with pytest.raises(InvalidInput, match=r"gap \(.*\) must be at least 0 and below 1"):
        Budget(gap=gap)
    with pytest.raises(InvalidInput, match="gap"):
        anonymize([(0, 1), (1, 2)], 2, gap=gap)


def test_time_is_spent_by_the_clock_that_was_handed_in() -> None:
    ticks = iter([10.0, 11.0, 12.0, 13.0])
    budget = Budget(clock=lambda: next(ticks), time_limit=2.0)
    assert budget.remaining() == 1.0
    assert budget.is_spent()
    assert budget.elapsed() == 3.0


def test_a_time_limit_needs_a_clock_and_some_time() -> None:
    with pytest.raises(InvalidInput, match="needs a clock"):
        Budget(time_limit=1.0)
    with pytest.raises(InvalidInput, match="must be a positive number"):
        Budget(clock=lambda: 0.0, time_limit=0.0)


def test_work_ends_a_budget_whatever_the_clock_says() -> None:
    budget = Budget(clock=lambda: 0.0, time_limit=1.0, work_limit=100)
    budget.charge(99)
    assert not budget.is_spent()
    assert budget.spent_by is None
    budget.charge(1)
    assert budget.is_spent()
    assert (budget.spent_by, budget.work_left()) == ("work", 0)


def test_the_clock_is_named_where_it_cut_in() -> None:
    ticks = iter([0.0, 0.5, 2.0])
    budget = Budget(clock=lambda: next(ticks), time_limit=1.0, work_limit=100)
    assert not budget.is_spent()
    assert budget.is_spent()
    assert budget.spent_by == "time"


def test_a_part_has_no_more_than_is_left() -> None:
    budget = Budget(work_limit=100)
    assert budget.part(4).work_limit == 25
    budget.charge(90)
    assert budget.part(4).work_limit == 10
    assert Budget().part(4).work_limit is None
    assert Budget().work_left() == float("inf")
    timed = Budget(clock=lambda: 0.0, time_limit=8.0).part(4)
    assert timed.time_limit == 2.0


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_work_is_positive(limit: int) -> None:
    with pytest.raises(InvalidInput, match="work limit"):
        Budget(work_limit=limit)
