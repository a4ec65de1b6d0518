"""Every method of freeform generalization where records may be left out, against all choices and all coverings."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata import Attribute, Generalization, generalize, nominal
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.verify_diversity import verify_matchings, verify_seen
from tests.support.generalization import coded_records, drawn_records, least_gcp, plain_gcp

methods = pytest.mark.parametrize("method", sorted(METHODS))
EFFORT = 0.005


def choices(members: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Every way to leave out no more than so many."""
    return [gone for count in range(most + 1) for gone in combinations(members, count)]


def check(result: Generalization, attributes: list[Attribute], codes: np.ndarray, k: int, most: int) -> None:
    """Records that are left out are in no tuple, each other one is in k, the first of its own."""
    n = len(codes)
    assert result.suppressed.size <= most
    assert result.records + result.suppressed.size == n
    kept = np.setdiff1d(np.arange(n), result.suppressed)
    assert result.covered[:, 0].tolist() == kept.tolist()
    assert all(len(set(row)) == k for row in result.covered.tolist())
    assert np.bincount(result.covered.ravel(), minlength=n)[kept].tolist() == [k] * kept.size
    assert not np.isin(result.covered, result.suppressed).any()
    assert result.loss == pytest.approx(plain_gcp(attributes, codes, result.covered), abs=1e-12)
    everything = (result.loss * kept.size + result.suppressed.size) / n
    assert result.loss_with_suppressed == pytest.approx(everything, abs=1e-12)
    assert result.lower_bound <= result.loss


@methods
@given(given_records=coded_records(min_n=3, max_n=6), data=st.data())
@settings(max_examples=40, deadline=None)
def test_no_choice_of_records_is_below_the_bound(
    method: str, given_records: tuple[list[Attribute], np.ndarray], data: st.DataObject
) -> None:
    attributes, codes = given_records
    n = len(codes)
    k = data.draw(st.integers(2, min(3, n - 1)))
    most = data.draw(st.integers(1, n - k))
    result = generalize(
        codes, attributes, k, method=method, effort=EFFORT, suppressed=most / n, seed=data.draw(st.integers(0, 5))
    )
    check(result, attributes, codes, k, most)
    least = min(least_gcp(attributes, codes[np.setdiff1d(np.arange(n), gone)], k) for gone in choices(range(n), most))
    assert result.lower_bound - 1e-12 <= least <= result.loss + 1e-12
    if result.status == "optimal":
        assert result.loss == pytest.approx(least, abs=1e-12)


@methods
@given(given_records=coded_records(min_n=6, max_n=7), data=st.data())
@settings(max_examples=20, deadline=None)
def test_strata_leave_out_their_own_share_and_the_bound_is_that_on_all_choices(
    method: str, given_records: tuple[list[Attribute], np.ndarray], data: st.DataObject
) -> None:
    attributes, codes = given_records
    n = len(codes)
    strata = np.array(data.draw(st.permutations([7] * 3 + [3] * (n - 3))))
    result = generalize(codes, attributes, 2, strata=strata, method=method, effort=EFFORT, suppressed=1 / 3)
    check(result, attributes, codes, 2, 2)
    assert (strata[result.covered] == strata[result.covered[:, :1]]).all()
    assert np.bincount(strata[result.suppressed], minlength=8).max() <= 1
    least = 1.0
    parts = [np.flatnonzero(strata == one) for one in (3, 7)]
    for one in choices(parts[0], 1):
        for other in choices(parts[1], 1):
            stay = [np.setdiff1d(parts[0], one), np.setdiff1d(parts[1], other)]
            lost = sum(least_gcp(attributes, codes[own], 2) * own.size for own in stay)
            least = min(least, lost / sum(own.size for own in stay))
    assert result.lower_bound - 1e-12 <= least <= result.loss + 1e-12
    if result.status == "optimal":
        assert result.loss == pytest.approx(least, abs=1e-12)


def test_search_mostly_finds_the_least_loss_of_few_records() -> None:
    found = []
    for seed in range(30):
        attributes, codes = drawn_records(7, seed)
        loss = generalize(codes, attributes, 3, effort=0.02, suppressed=2 / 7).loss
        least = min(least_gcp(attributes, codes[np.setdiff1d(np.arange(7), gone)], 3) for gone in choices(range(7), 2))
        found.append(loss / least - 1 if least else loss)
    assert sum(one <= 1e-9 for one in found) >= 18
    # which records are left out is chosen step by step
    assert np.mean(found) < 0.15


def test_more_records_that_may_be_left_out_lower_loss_and_bound() -> None:
    attributes, codes = drawn_records(150)
    results = [generalize(codes, attributes, 4, effort=0.3, suppressed=share) for share in (0, 0.02, 0.1, 0.3)]
    losses, bounds = ([getattr(one, name) for one in results] for name in ("loss", "lower_bound"))
    assert losses == sorted(losses, reverse=True)
    assert bounds == sorted(bounds, reverse=True)
    assert [one.suppressed.size for one in results[:3]] == [0, 3, 15]
    assert 15 < results[3].suppressed.size <= 45


def test_what_loses_nothing_leaves_out_nobody() -> None:
    codes = np.repeat([[0], [1], [2]], 4, axis=0)
    result = generalize(codes, [nominal(3)], 4, suppressed=0.5)
    assert (result.loss, result.status, result.suppressed.size) == (0.0, "optimal", 0)
    # the one that is alone
    result = generalize(np.append(codes, [[2]], axis=0)[1:], [nominal(3)], 4, suppressed=0.25, effort=0.01)
    assert result.loss == 0.0 or result.suppressed.size <= 3


def test_one_that_is_far_from_all_others_is_left_out() -> None:
    codes = np.append(np.repeat(np.arange(5), 6), 9)[:, None]
    result = generalize(codes, [nominal(10)], 3, suppressed=0.04, effort=0.01)
    assert (result.suppressed.tolist(), result.loss, result.status) == ([30], 0.0, "optimal")
    assert result.loss_with_suppressed == pytest.approx(1 / 31)


def test_the_same_input_and_seed_give_the_same_choice_and_nothing_left_out_the_same_bits() -> None:
    attributes, codes = drawn_records(80)
    one, two = (generalize(codes, attributes, 4, effort=0.05, seed=3, suppressed=0.05) for _ in range(2))
    assert (one.covered == two.covered).all()
    assert (one.loss, one.work) == (two.loss, two.work)
    none = generalize(codes, attributes, 4, effort=0.05, seed=3, suppressed=0.01)
    assert (none.covered == generalize(codes, attributes, 4, effort=0.05, seed=3).covered).all()


def test_time_may_run_out() -> None:
    attributes, codes = drawn_records(50)
    ticks = iter(range(10_000))
    result = generalize(codes, attributes, 3, suppressed=0.1, time_limit=1.0, clock=lambda: float(next(ticks)))
    check(result, attributes, codes, 3, 5)


@pytest.mark.parametrize(
    ("share", "message"),
    [
        (-0.1, "at least 0 and below 1"),
        (1.0, "at least 0 and below 1"),
        (float("nan"), "below 1"),
        (0.9, "would be left"),
    ],
)
def test_a_share_that_makes_no_sense_is_refused(share: float, message: str) -> None:
    attributes, codes = drawn_records(20)
    with pytest.raises(InvalidInput, match=message):
        generalize(codes, attributes, 3, suppressed=share)


def test_a_small_stratum_keeps_k() -> None:
    attributes, codes = drawn_records(40)
    strata = np.arange(40) < 4
    result = generalize(codes, attributes, 3, strata=strata, suppressed=0.5, effort=0.02)
    check(result, attributes, codes, 3, 20)
    assert (~np.isin(np.arange(4), result.suppressed)).sum() >= 3


@pytest.mark.parametrize("demand", [Demand("s", 2), Demand("s", entropy=1.6), Demand("s", t=0.45)])
@pytest.mark.parametrize("stratified", [False, True])
def test_demands_hold_for_what_is_published(demand: Demand, stratified: bool) -> None:
    attributes, codes = drawn_records(60, 2)
    # one value is rare, so that shares change with those that are left out
    values = np.where(np.arange(60) % 12 == 0, 2, np.random.default_rng(4).integers(0, 2, 60))
    strata = np.arange(60) % 2 if stratified else None
    result = generalize(
        codes, attributes, 4, demands=[demand], sensitive=[values], strata=strata, suppressed=0.2, effort=0.3
    )
    check(result, attributes, codes, 4, 12)
    assert result.matchings is not None
    assert verify_matchings(result.covered, result.matchings, [demand], [values]).passed
    for matching in result.matchings:
        assert verify_seen(result.covered, [demand], [values[matching]]).passed
    every = generalize(codes, attributes, 4, demands=[demand], sensitive=[values], strata=strata, effort=0.3)
    assert result.suppressed.size > 0
    assert result.loss < every.loss * 1.02
