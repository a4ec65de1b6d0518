"""Freeform generalization with demands on sensitive values, against all coverings and all their matchings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput, LimitReached
from graphkit.microdata import Attribute, generalize, nominal
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.diverse.mixing import mixed
from graphkit.microdata.verify_diversity import verify_matchings, verify_seen
from tests.support.diverse_generalization import is_diverse, least_diverse_gcp
from tests.support.generalization import coded_records, drawn_records, plain_gcp

DEMANDS = st.one_of(
    st.integers(2, 3).map(lambda distinct: Demand("s", distinct)),
    st.sampled_from([1.3, 1.8, 2.0]).map(lambda entropy: Demand("s", entropy=entropy)),
    st.tuples(st.sampled_from([0.1, 0.25, 0.4]), st.sampled_from(["equal", "ordered"])).map(
        lambda pair: Demand("s", t=pair[0], distance=pair[1])
    ),
)


def checked(attributes: list[Attribute], codes: np.ndarray, k: int, demand: Demand, values: list[int]) -> float | None:
    """Return the loss of what was found; None where nothing was. Every claim of it is checked."""
    try:
        result = generalize(codes, attributes, k, demands=[demand], sensitive=[values], effort=0.02)
    except (InvalidInput, LimitReached):
        return None
    assert result.matchings is not None
    for matchings in (
        result.matchings,
        mixed(result.matchings, [demand], [np.array(values)], np.random.default_rng(1)),
    ):
        assert is_diverse(matchings, [demand], [values])
        assert verify_matchings(result.covered, matchings, [demand], [np.array(values)]).passed
    for matching in result.matchings:
        published = np.array(values) if demand.of_households else np.array(values)[matching]
        assert verify_seen(result.covered, [demand], [published], matching).passed
    assert result.loss == pytest.approx(plain_gcp(attributes, codes, result.covered), abs=1e-12)
    assert result.lower_bound <= result.loss
    return result.loss


def check_against_all(
    attributes: list[Attribute], codes: np.ndarray, k: int, demand: Demand, values: list[int]
) -> None:
    """What is found loses no less than the best of all coverings that meet the demand; where there is none, nothing."""
    found = checked(attributes, codes, k, demand, values)
    least = least_diverse_gcp(attributes, codes, k, [demand], [values])
    if least is None:
        assert found is None
    elif found is not None:
        assert found >= least - 1e-12


@given(given_records=coded_records(min_n=3, max_n=5), demand=DEMANDS, data=st.data())
@settings(max_examples=15, deadline=None)
def test_what_is_found_is_diverse_and_never_below_the_least(
    given_records: tuple[list[Attribute], np.ndarray], demand: Demand, data: st.DataObject
) -> None:
    attributes, codes = given_records
    n = len(codes)
    k = data.draw(st.integers(2, min(3, n)))
    values = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    values = np.unique(values, return_inverse=True)[1].tolist()
    check_against_all(attributes, codes, k, demand, values)


def test_numbers_that_no_record_has_bring_nothing_nearer_to_the_whole_file() -> None:
    # two categories beside each other: the two of an original differ by a third, however they are numbered
    demand = Demand("s", t=0.2, distance="ordered")
    for values in ([0, 1, 0], [2, 3, 2]):
        with pytest.raises((InvalidInput, LimitReached)):
            generalize([[0], [1], [0]], [nominal(2)], 2, demands=[demand], sensitive=[values], effort=0.02)


@given(given_records=coded_records(min_n=4, max_n=5), data=st.data())
@settings(max_examples=15, deadline=None)
def test_nobody_hides_among_members_of_the_own_household(
    given_records: tuple[list[Attribute], np.ndarray], data: st.DataObject
) -> None:
    attributes, codes = given_records
    n = len(codes)
    k = data.draw(st.integers(2, 3))
    values = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    values = np.unique(values, return_inverse=True)[1].tolist()
    demand = Demand("household", k, of_households=True)
    check_against_all(attributes, codes, k, demand, values)


def test_households_of_more_records_cost_little_where_they_seldom_come_together() -> None:
    rng = np.random.default_rng(4)
    attributes, codes = drawn_records(400, 4)
    values = rng.permutation(400) // 3
    demand = Demand("household", 3, of_households=True)
    assert checked(attributes, codes, 3, demand, values.tolist()) is not None
    # members beside each other: dealt like sensitive values
    beside = np.empty(400, dtype=np.int64)
    beside[np.lexsort(codes.T)] = np.arange(400) // 3
    assert checked(attributes, codes, 3, demand, beside.tolist()) is not None


def test_what_is_possible_is_mostly_found_and_mostly_the_least() -> None:
    found, least = [], []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        attributes, codes = drawn_records(6 - seed % 2, seed)
        values = np.unique(rng.integers(0, 3, 6 - seed % 2), return_inverse=True)[1].tolist()
        k, demand = (3, Demand("s", 2, t=0.5)) if seed % 2 else (2, Demand("s", 2))
        known = least_diverse_gcp(attributes, codes, k, [demand], [values])
        loss = checked(attributes, codes, k, demand, values)
        if known is not None:
            found.append(loss is not None)
            least.append(loss is not None and loss <= known + 1e-12)
        else:
            assert loss is None
    assert sum(found) >= 0.9 * len(found)
    assert sum(least) >= 0.7 * len(least)
    assert len(found) > 8
