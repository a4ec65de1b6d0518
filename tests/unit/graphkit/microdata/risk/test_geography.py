from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.geography import unit_risk

PEOPLE = st.integers(-1, 20).map(lambda people: None if people < 0 else people)
UNITS = st.lists(st.tuples(st.integers(1, 9), PEOPLE), max_size=8)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(UNITS, st.integers(1, 20))
def test_units_are_counted_one_by_one(units: list[tuple[int, int | None]], least: int) -> None:
    records = np.array([number for number, _ in units], dtype=np.int64)
    people = np.array([np.nan if people is None else people for _, people in units], dtype=np.float64)
    found = unit_risk(records, people, least)
    small = [number for number, people in units if people is not None and people < least]
    unknown = [number for number, people in units if people is None]
    assert (found.units, found.n) == (len(units), sum(number for number, _ in units))
    assert (found.units_below, found.records_below) == (len(small), sum(small))
    assert (found.units_unknown, found.records_unknown) == (len(unknown), sum(unknown))


@pytest.mark.parametrize(
    ("people", "least", "said"), [([1.0, 2.0], 5, "one population"), ([-1.0], 5, "negative"), ([1.0], 0, "at least 1")]
)
def test_what_makes_no_sense_is_refused(people: list[float], least: int, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        unit_risk(np.array([1]), np.array(people), least)
