"""Demands of the engine: measured as an audit measures them, and refused only where nothing could meet them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.diverse.demands import check_possible, lack, sensitive_of
from tests.support.diverse_generalization import is_met

DEMANDS = (
    Demand("s", 3),
    Demand("s", entropy=2.2),
    Demand("s", t=0.3),
    Demand("s", t=0.3, distance="ordered"),
    Demand("s", 2, 1.5, 0.5, "ordered"),
)


@pytest.mark.parametrize("demand", DEMANDS)
@given(values=st.lists(st.integers(0, 4), min_size=4, max_size=12), data=st.data())
@settings(max_examples=40, deadline=None)
def test_what_is_missed_is_zero_exactly_where_plain_counting_says_so(
    demand: Demand, values: list[int], data: st.DataObject
) -> None:
    column = np.unique(values, return_inverse=True)[1]
    k = data.draw(st.integers(2, 4))
    held = data.draw(st.lists(st.sampled_from(column.tolist()), min_size=k, max_size=k))
    missed = lack(sensitive_of([demand], [column]), 0, np.array(held))
    assert (missed == 0) == is_met(demand, held, column.tolist())


@pytest.mark.parametrize("demand", DEMANDS)
@given(
    values=st.lists(st.integers(0, 3), min_size=3, max_size=7),
    elsewhere=st.lists(st.integers(0, 3), max_size=9),
    k=st.integers(2, 3),
)
@settings(max_examples=40, deadline=None)
def test_demands_that_some_values_of_groups_meet_are_not_refused(
    demand: Demand, values: list[int], elsewhere: list[int], k: int
) -> None:
    whole = np.unique([*values, *elsewhere], return_inverse=True)[1]
    column, categories = whole[: len(values)], int(whole.max()) + 1
    try:
        check_possible([demand], sensitive_of([demand], [column], [np.bincount(whole)]), k)
    except InvalidInput:
        # no k values of the part, or not all originals at once: the sum of what they see is k times the part
        several = [held for held in product(np.unique(column), repeat=k) if is_met(demand, held, whole.tolist())]
        sums = {tuple(np.bincount(held, minlength=categories)) for held in several}
        reach = {(0,) * categories}
        for _ in range(len(column)):
            reach = {tuple(np.add(one, more)) for one in reach for more in sums}
        assert tuple(k * np.bincount(column, minlength=categories)) not in reach


def test_a_part_far_from_the_whole_file_is_refused_and_so_are_totals_that_are_not_its() -> None:
    demand, column = Demand("s", t=0.3), np.array([0, 0, 0, 1] * 3)
    with pytest.raises(InvalidInput, match=r"0\.35 from the whole file, and so is what its records see"):
        check_possible([demand], sensitive_of([demand], [column], [np.array([12, 18])]), 4)
    check_possible([demand], sensitive_of([demand], [column], [np.array([14, 13])]), 4)
    for wrong in ([np.array([8, 18])], [np.array([12])], [np.array([12.0, 18.0])], [None, None]):
        with pytest.raises(InvalidInput, match="otals"):
            sensitive_of([demand], [column], wrong)


@pytest.mark.parametrize(
    ("demand", "k", "message"),
    [
        (Demand("s", 3), 2, "raise k"),
        (Demand("s", 3), 4, "has 2 values"),
        (Demand("s", 2), 3, "too many records share a value"),
        (Demand("s", entropy=1.9), 4, "entropy"),
        (Demand("s", t=0.05), 3, "from the whole file"),
    ],
)
def test_what_is_impossible_is_said(demand: Demand, k: int, message: str) -> None:
    column = np.array([0, 0, 0, 1] * 4)
    with pytest.raises(InvalidInput, match=message):
        check_possible([demand], sensitive_of([demand], [column]), k)


@pytest.mark.parametrize("wrong", [{"distinct": 0}, {"entropy": 0.5}, {"t": 1.5}, {}, {"distinct": 1.5}])
def test_demands_without_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        Demand("s", **wrong)  # type: ignore[arg-type]


def test_a_stricter_demand_is_recognized() -> None:
    assert Demand("s", 3, t=0.2).is_as_strict_as(Demand("s", 2))
    assert not Demand("s", 3).is_as_strict_as(Demand("s", 2, t=0.2))
    assert not Demand("s", 3).is_as_strict_as(Demand("r", 2))
    assert not Demand("s", t=0.1, distance="ordered").is_as_strict_as(Demand("s", t=0.2))
