"""Groups that keep households together: never parted, never below what any such partition loses."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata import METHODS, microaggregate
from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.households.gathering import gathered
from graphkit.microdata.microaggregation.households.keeping import HOUSEHOLD_METHODS, search_households
from graphkit.microdata.microaggregation.households.units import units_of_households
from graphkit.microdata.microaggregation.scaling import standardized
from graphkit.microdata.microaggregation.standing import Standing
from tests.support.microaggregation import tables_of_records

able = pytest.mark.parametrize("method", sorted(HOUSEHOLD_METHODS))


def least_together(points: np.ndarray, households: np.ndarray, k: int) -> float:
    """Return the least SSE of a partition that parts no household, by trying all of them."""
    members = [np.flatnonzero(households == one) for one in np.unique(households)]

    @cache
    def least(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first, *others = sorted(left)
        best = np.inf
        for size in range(len(left)):
            for rest in combinations(others, size):
                group = np.concatenate([members[one] for one in (first, *rest)])
                if group.size >= k:
                    cost = within_groups(points[group], np.zeros(group.size, dtype=np.int64))
                    best = min(best, cost + least(left.difference((first, *rest))))
        return best

    return float(least(frozenset(range(len(members)))))


@able
@given(records=tables_of_records(), data=st.data())
@settings(max_examples=80, deadline=None)
def test_no_household_is_parted_and_nothing_is_below_the_optimum(
    method: str, records: np.ndarray, data: st.DataObject
) -> None:
    n = records.shape[0]
    k = data.draw(st.integers(2, min(4, n)))
    households = np.array(data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)))
    result = microaggregate(records, k, method=method, households=households, effort=0.05)
    assert np.bincount(result.labels).min() >= k
    assert all(np.unique(result.labels[households == one]).size == 1 for one in households)
    points = standardized(records)
    if not (np.abs(points) < 1e6).all():
        return
    least = least_together(points, households, k)
    assert result.lower_bound <= least + 1e-9
    assert result.sse >= least - 1e-9
    assert result.sse == pytest.approx(within_groups(points, result.labels), abs=1e-9)
    if result.status == "optimal":
        assert result.sse == pytest.approx(least, abs=1e-9)


def test_search_finds_the_optimum_of_few_households_mostly() -> None:
    draw, found = np.random.default_rng(3), 0
    for _ in range(40):
        points = standardized(draw.normal(size=(9, 2)))
        households = draw.integers(0, 7, size=9)
        held = units_of_households(points, households)
        standing = Standing(points, gathered(held.means, held.sizes, 2)[held.of], Budget())
        search_households(held, 2, standing, draw, 100_000)
        least = least_together(points, households, 2)
        found += standing.loss <= least + 1e-9
        assert microaggregate(points, 2, households=households).status == "optimal"
    assert found >= 38


def test_search_loses_less_than_gathering() -> None:
    draw = np.random.default_rng(4)
    households = np.sort(draw.integers(0, 180, size=400))
    # members are alike, so that what is lost between households counts
    points = draw.normal(size=(180, 3))[households] + 0.1 * draw.normal(size=(400, 3))
    one, other = (
        microaggregate(points, 4, households=households, method=method, effort=0.5) for method in ("search", "mdav")
    )
    assert one.lower_bound < one.sse < 0.9 * other.sse
    again = microaggregate(points, 4, households=households, effort=0.5)
    assert (again.labels == one.labels).all()


def test_many_households_are_gathered_in_parts() -> None:
    households = np.arange(12_000) // 2
    points = np.random.default_rng(8).normal(size=(6_000, 2))[households]
    result = microaggregate(points, 5, method="mdav", households=households)
    assert np.bincount(result.labels).min() >= 6
    assert (result.labels[::2] == result.labels[1::2]).all()
    assert result.information_loss < 1


def test_records_that_are_households_of_their_own_are_as_without() -> None:
    points = np.random.default_rng(5).normal(size=(12, 2))
    alone = microaggregate(points, 3, households=np.arange(12), effort=0.2)
    assert alone.status == "feasible"
    assert alone.sse == pytest.approx(microaggregate(points, 3, effort=0.2).sse)


def test_a_household_larger_than_k_is_a_group() -> None:
    result = microaggregate(
        np.array([[0.0], [9.0], [0.0], [9.0], [5.0], [5.1]]), 2, households=np.array([1, 1, 1, 1, 2, 2])
    )
    assert result.labels.tolist() == [0, 0, 0, 0, 1, 1]


POINTS = np.random.default_rng(6).normal(size=(12, 2))


@pytest.mark.parametrize("method", sorted(set(METHODS) - set(HOUSEHOLD_METHODS)))
def test_methods_that_cannot_say_so(method: str) -> None:
    with pytest.raises(InvalidInput, match="cannot keep households together; use mdav or search"):
        microaggregate(POINTS[:, :1], 3, method=method, households=np.arange(12) // 2)


def test_a_household_in_two_strata_is_refused() -> None:
    with pytest.raises(InvalidInput, match="3 households have records in two strata"):
        microaggregate(POINTS, 3, households=[0, 1, 0, 1] + [2] * 8, strata=[0] * 2 + [1] * 2 + [0] * 5 + [1] * 3)
    with pytest.raises(InvalidInput, match="one household for each of the 12"):
        microaggregate(POINTS, 3, households=[1, 2])
