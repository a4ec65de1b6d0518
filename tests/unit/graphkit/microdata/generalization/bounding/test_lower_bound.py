"""The bound on GCP: the linear program over all stars, the optimum for k = 2, never above what some release loses."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.bounding.lower_bound import lower_bound
from graphkit.microdata.generalization.bounding.mip import optimum
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of

ATTRIBUTES = (
    numeric([0, 1, 2, 5, 9, 14]),
    nominal(3, weight=2.0),
    hierarchical([5, 5, 6, 6, 7, 7, 7, 7], 5),
    nominal(70, counting="steps"),
)
SIZES = [attribute.size for attribute in ATTRIBUTES]


def some_records(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, SIZES, size=(n, len(SIZES)))


def star_program(codes: np.ndarray, k: int) -> float:
    """GCP of the linear program over all stars."""
    from scipy.optimize import linprog

    n = len(codes)
    stars = [(j, *c) for j in range(n) for c in combinations([i for i in range(n) if i != j], k - 1)]
    layout = layout_of(ATTRIBUTES)
    costs = losses_of(layout, joined(layout, codes, np.array(stars)))
    matrix = np.zeros((2 * n, len(stars)))
    for column, star in enumerate(stars):
        matrix[star[0], column] = 1
        matrix[[n + i for i in star[1:]], column] = 1
    return linprog(costs, A_eq=matrix, b_eq=[1] * n + [k - 1] * n).fun / n


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 7), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_bound_is_that_of_the_linear_program_over_all_stars(n: int, k: int, seed: int) -> None:
    codes, k = some_records(n, seed), min(k, n)
    bound = lower_bound(codes, ATTRIBUTES, k)
    exact = star_program(codes, k)
    assert bound <= exact + 1e-12
    assert bound == pytest.approx(exact, abs=1e-9)


@settings(deadline=None, max_examples=15)
@given(st.integers(2, 7), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_bound_is_not_above_the_optimum_and_meets_it_for_k_2(n: int, k: int, seed: int) -> None:
    codes, k = some_records(n, seed), min(k, n)
    covered = optimum(codes, ATTRIBUTES, k)
    layout = layout_of(ATTRIBUTES)
    gcp = losses_of(layout, joined(layout, codes, covered)).mean()
    bound = lower_bound(codes, ATTRIBUTES, k)
    assert bound <= gcp + 1e-12
    if k == 2:
        assert bound == pytest.approx(gcp, abs=1e-9)


def test_k_2_is_the_assignment() -> None:
    from scipy.optimize import linear_sum_assignment

    codes, n = some_records(150, 1), 150
    layout = layout_of(ATTRIBUTES)
    pairs = np.array([(j, i) for j in range(n) for i in range(n)])
    losses = losses_of(layout, joined(layout, codes, pairs)).reshape(n, n)
    np.fill_diagonal(losses, 9)
    best = losses[linear_sum_assignment(losses)].mean()
    assert lower_bound(codes, ATTRIBUTES, 2) == pytest.approx(best, abs=1e-9)


def test_more_work_raises_the_bound_and_no_bound_is_above_a_ring() -> None:
    codes = some_records(130, 2)
    codes = codes[np.lexsort(codes.T)]
    layout = layout_of(ATTRIBUTES)
    ring = (np.arange(130)[:, None] + np.arange(4)) % 130
    gcp = losses_of(layout, joined(layout, codes, ring)).mean()
    bounds = [lower_bound(codes, ATTRIBUTES, 4, units=units) for units in (1_000, 30_000, 600_000)]
    assert bounds == sorted(bounds)
    assert 0 < bounds[0] < bounds[2] <= gcp
    assert lower_bound(codes, ATTRIBUTES, 4, units=30_000) == bounds[1]
    assert lower_bound(codes, ATTRIBUTES, 4, units=100) == 0.0


@pytest.mark.parametrize("size", [6, 20, 100])
def test_short_lists_and_little_search_only_lower_the_bound(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphkit.microdata.generalization.bounding import lower_bound as bounds

    codes = some_records(120, 3)
    whole = lower_bound(codes, ATTRIBUTES, 3, units=3_000_000)
    monkeypatch.setattr(bounds, "_WHOLE", 10)
    monkeypatch.setattr(bounds, "_NEAREST", size)
    monkeypatch.setattr(bounds, "_FEW_EXTENTS", 2)
    short = lower_bound(codes, ATTRIBUTES, 3, units=200_000)
    assert 0 < short <= whole + 1e-4


def test_equal_records_and_all_of_them() -> None:
    assert lower_bound(np.zeros((5, 4), dtype=np.int64), ATTRIBUTES, 3) == 0.0
    codes = some_records(6, 4)
    layout = layout_of(ATTRIBUTES)
    everything = losses_of(layout, joined(layout, codes, np.arange(6)[None]))[0]
    assert lower_bound(codes, ATTRIBUTES, 6) == pytest.approx(everything, abs=1e-9)


def test_k_that_is_no_size_is_refused() -> None:
    with pytest.raises(InvalidInput, match="larger than the number"):
        lower_bound(some_records(3, 1), ATTRIBUTES, 4)
    with pytest.raises(InvalidInput, match="at least 2"):
        lower_bound(some_records(3, 1), ATTRIBUTES, 1)


def star_program_without(codes: np.ndarray, k: int, kept: int) -> float:
    """GCP of the linear program in which so many records are kept, each as far as it is."""
    from scipy.optimize import linprog

    n = len(codes)
    stars = [(j, *c) for j in range(n) for c in combinations([i for i in range(n) if i != j], k - 1)]
    layout = layout_of(ATTRIBUTES)
    costs = np.append(losses_of(layout, joined(layout, codes, np.array(stars))), np.zeros(n))
    matrix = np.zeros((2 * n, len(stars) + n))
    for column, star in enumerate(stars):
        matrix[star[0], column] = 1
        matrix[[n + i for i in star[1:]], column] = 1
    for record in range(n):
        matrix[[record, n + record], len(stars) + record] = -1, 1 - k
    few = np.append(np.zeros(len(stars)), -np.ones(n))[None]
    limits = [(0, None)] * len(stars) + [(0, 1)] * n
    return linprog(costs, few, [-kept], matrix, np.zeros(2 * n), limits).fun / kept


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 7), st.integers(2, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_bound_is_not_above_any_choice_of_records_that_are_left_out(n: int, k: int, most: int, seed: int) -> None:
    codes, k = some_records(n, seed), min(k, n - 1)
    most = min(most, n - k)
    bound = lower_bound(codes, ATTRIBUTES, k, suppressed=most)
    assert bound <= lower_bound(codes, ATTRIBUTES, k) + 1e-12
    layout = layout_of(ATTRIBUTES)
    for count in range(most + 1):
        for gone in combinations(range(n), count):
            own = codes[np.setdiff1d(np.arange(n), gone)]
            gcp = losses_of(layout, joined(layout, own, optimum(own, ATTRIBUTES, k))).mean()
            assert bound <= gcp + 1e-12
    exact = star_program_without(codes, k, n - most)
    assert bound <= exact + 1e-12
    assert bound == pytest.approx(exact, abs=1e-9)


def test_more_records_that_may_be_left_out_lower_the_bound() -> None:
    codes = some_records(130, 2)
    bounds = [lower_bound(codes, ATTRIBUTES, 4, suppressed=most, units=200_000) for most in (0, 5, 20, 60)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[3] < 0.9 * bounds[0]
    assert bounds[1] > 0
    with pytest.raises(InvalidInput, match="must leave k"):
        lower_bound(some_records(6, 1), ATTRIBUTES, 4, suppressed=3)
