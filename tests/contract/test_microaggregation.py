"""Every method of microaggregation, one suite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata import METHODS, microaggregate
from tests.support.microaggregation import least_loss, tables_of_records

methods = pytest.mark.parametrize("method", sorted(METHODS))
several = pytest.mark.parametrize("method", sorted(set(METHODS) - {"univariate"}))
EFFORT = 0.005


def records_for(method: str, records: np.ndarray) -> np.ndarray:
    return records[:, :1] if method == "univariate" else records


def standardized(records: np.ndarray) -> np.ndarray:
    spread = records.std(axis=0)
    return (records - records.mean(axis=0)) / np.where(spread > 0, spread, 1)


@methods
@given(records=tables_of_records(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_groups_are_large_enough_and_no_partition_is_below_the_bound(
    method: str, records: np.ndarray, data: st.DataObject
) -> None:
    records = records_for(method, records)
    k = data.draw(st.integers(2, min(4, records.shape[0])))
    result = microaggregate(records, k, method=method, effort=EFFORT, seed=data.draw(st.integers(0, 5)))
    assert np.bincount(result.labels).min() >= k
    points = standardized(records)
    if not (np.abs(points) < 1e6).all():
        return
    means = np.stack([points[result.labels == group].mean(axis=0) for group in result.labels])
    assert result.sse == pytest.approx(((points - means) ** 2).sum(), abs=1e-9)
    least = least_loss(points, k)
    assert result.lower_bound <= least + 1e-9
    assert result.sse >= least - 1e-9
    if result.status == "optimal":
        assert result.sse == pytest.approx(least, abs=1e-9)


CLUMPS = np.random.default_rng(5).normal(size=(60, 3)) + np.repeat([[0, 0, 0], [9, 0, 0], [0, 9, 9]], 20, axis=0)
HARD = {
    "duplicates only": np.ones((23, 2)),
    "two values": np.repeat([[0.0, 1.0], [1.0, 0.0]], [2, 21], axis=0),
    "many duplicates": np.repeat(CLUMPS[:6], 5, axis=0),
    "a constant column": np.column_stack((CLUMPS, np.full(60, 7.0))),
    "one attribute": CLUMPS[:, :1],
    "more attributes than records": np.random.default_rng(6).normal(size=(12, 200)),
    "an outlier": np.vstack((CLUMPS, [[1e9, -1e9, 1e9]])),
    "orders of magnitude": np.exp(5 * CLUMPS),
    "a grid": np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2),
}


@methods
@pytest.mark.parametrize("name", sorted(HARD))
@pytest.mark.parametrize("k", [2, 3, 6])
def test_hard_records_get_valid_groups(method: str, name: str, k: int) -> None:
    records = records_for(method, HARD[name])
    result = microaggregate(records, k, method=method, effort=EFFORT)
    assert np.bincount(result.labels).min() >= k
    assert result.lower_bound <= result.sse <= result.sst * (1 + 1e-12)


@several
def test_strata_are_not_mixed(method: str) -> None:
    strata = np.repeat([7, 3, 9], [5, 25, 30])
    seen: list[tuple[float, float]] = []
    result = microaggregate(
        CLUMPS,
        3,
        method=method,
        strata=strata,
        effort=0.05,
        progress=lambda phase, loss, bound: seen.append((loss, bound)),
    )
    assert np.bincount(result.labels).min() >= 3
    assert all(len(set(strata[result.labels == group])) == 1 for group in range(result.groups))
    points = standardized(CLUMPS)
    alone = sum(((points[strata == one] - points[strata == one].mean(axis=0)) ** 2).sum() for one in (7, 3, 9))
    assert result.lower_bound <= result.sse < alone
    assert all(loss >= bound for loss, bound in seen)
    assert [loss for loss, _ in seen] == sorted((loss for loss, _ in seen), reverse=True)


@methods
def test_the_same_seed_gives_the_same_bits(method: str) -> None:
    records = records_for(method, CLUMPS)
    one, other = (microaggregate(records, 3, method=method, effort=0.02, seed=3) for _ in range(2))
    assert (one.labels == other.labels).all()
    assert one.sse == other.sse


@several
def test_what_was_not_cut_is_one_group(method: str) -> None:
    result = microaggregate(CLUMPS[:5], 3, method=method)
    assert (result.groups, result.status, result.gap) == (1, "optimal", 0.0)


@methods
def test_a_time_that_is_over_at_once_still_gives_groups(method: str) -> None:
    ticks = iter(range(1_000_000))
    result = microaggregate(
        records_for(method, CLUMPS), 3, method=method, time_limit=0.5, clock=lambda: float(next(ticks))
    )
    assert np.bincount(result.labels).min() >= 3


@pytest.mark.parametrize(
    ("records", "k", "options", "words"),
    [
        (CLUMPS, 1, {}, "k (1) must be at least 2"),
        (CLUMPS, 61, {}, "k (61) is larger than the number of records (60)"),
        (CLUMPS, 2.5, {}, "k must be a whole number"),
        (CLUMPS[:, 0], 2, {}, "records must be a table"),
        (CLUMPS[:, :0], 2, {}, "records must be a table"),
        (np.array([[1.0], [np.nan], [2.0]]), 2, {}, "records must be finite numbers"),
        (np.array([[1.0], [np.inf], [2.0]]), 2, {}, "records must be finite numbers"),
        ([["a"], ["b"]], 2, {}, "records must be numbers"),
        (CLUMPS, 2, {"method": "magic"}, "unknown method 'magic'"),
        (CLUMPS, 2, {"method": "univariate"}, "one attribute, not 3"),
        (CLUMPS, 2, {"seed": -1}, "the seed (-1)"),
        (CLUMPS, 2, {"strata": [1, 2]}, "one stratum for each of the 60 records"),
        (CLUMPS, 2, {"strata": [0] * 59 + [1]}, "1 stratum has fewer than k (2) records"),
        (CLUMPS, 2, {"gap": 2.0}, "gap (2)"),
    ],
)
def test_bad_input_is_refused_in_a_line(records: object, k: object, options: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        microaggregate(records, k, **options)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
