from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.classes import equivalence_classes
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.households import household_risk
from graphkit.microdata.risk.individual import individual_risk, mean_of_inverse, weighted_risk
from tests.support.record_samples import inverse_mean_by_hand


@settings(deadline=None)
@given(st.integers(1, 60), st.floats(0.01, 0.99))
def test_risk_is_the_mean_of_one_over_the_population_of_the_class(f: int, p: float) -> None:
    found = mean_of_inverse(np.array([float(f)]), np.array([p]))[0]
    assert found == pytest.approx(inverse_mean_by_hand(f, p, terms=int(60 * f / p) + 100), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(1, 200), min_size=1), st.floats(1e-6, 1.0))
def test_recursion_and_series_agree_and_stay_below_one_over_f(frequencies: list[int], p: float) -> None:
    f = np.array(frequencies, dtype=float)
    found = mean_of_inverse(f, np.full(f.size, p))
    # 1/F is at most 1/f, and its mean at least 1/mean(F) = p/f
    assert (found <= 1 / f * (1 + 1e-12)).all()
    assert (found >= p / f * (1 - 1e-12)).all()


def test_large_classes_come_close_to_what_sdcmicro_takes() -> None:
    f, p = np.array([50.0, 400.0]), np.array([0.02, 0.3])
    assert mean_of_inverse(f, p) == pytest.approx(p / (f - (1 - p)), rel=1e-3)


def test_a_file_without_weights_is_the_population() -> None:
    classes = equivalence_classes(code_records({"a": [1, 1, 2]}), ["a"])
    assert individual_risk(classes).tolist() == [0.5, 0.5, 1.0]
    assert individual_risk(classes, np.ones(3)).tolist() == [0.5, 0.5, 1.0]


@pytest.mark.parametrize("weights", [[1.0, 2.0], [1.0, np.nan, 1.0], [1.0, 0.0, 1.0], [1.0, np.inf, 1.0]])
def test_weights_that_are_none_are_refused(weights: list[float]) -> None:
    classes = equivalence_classes(code_records({"a": [1, 1, 2]}), ["a"])
    with pytest.raises(InvalidInput, match="weight"):
        individual_risk(classes, np.array(weights))


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3)), max_size=12))
def test_a_household_is_safe_only_if_every_member_is(members: list[tuple[float, int]]) -> None:
    risk, household = np.array([r for r, _ in members]), np.array([h for _, h in members], dtype=np.int64)
    found = household_risk(risk, household)
    for place, (_, own) in enumerate(members):
        spared = np.prod([1 - r for r, other in members if other == own])
        assert found[place] == pytest.approx(1 - spared, abs=1e-12)


def test_figures_of_no_records_are_zero() -> None:
    risk = weighted_risk(np.zeros(0))
    assert (risk.n, risk.largest_risk, risk.mean_risk) == (0, 0.0, 0.0)
    with pytest.raises(InvalidInput, match="threshold"):
        weighted_risk(np.zeros(0), threshold=2)
