"""Every method of freeform generalization, one suite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata import Attribute, generalize, nominal, numeric
from graphkit.microdata.generalization import parts
from graphkit.microdata.generalization.registry import METHODS
from tests.support.generalization import TREE, coded_records, drawn_records, least_gcp, plain_gcp

methods = pytest.mark.parametrize("method", sorted(METHODS))
EFFORT = 0.005


def assert_regular(covered: np.ndarray, n: int, k: int) -> None:
    """Every tuple covers its own record first and k different ones, every record is covered k times."""
    assert covered.shape == (n, k)
    assert covered[:, 0].tolist() == list(range(n))
    assert all(len(set(row)) == k for row in covered.tolist())
    assert np.bincount(covered.ravel(), minlength=n).tolist() == [k] * n


@methods
@given(given_records=coded_records(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_covering_is_below_the_least_and_none_of_these_below_the_bound(
    method: str, given_records: tuple[list[Attribute], np.ndarray], data: st.DataObject
) -> None:
    attributes, codes = given_records
    k = data.draw(st.integers(2, len(codes)))
    result = generalize(codes, attributes, k, method=method, effort=EFFORT, seed=data.draw(st.integers(0, 5)))
    assert_regular(result.covered, len(codes), k)
    assert result.loss == pytest.approx(plain_gcp(attributes, codes, result.covered), abs=1e-12)
    least = least_gcp(attributes, codes, k)
    assert result.lower_bound - 1e-12 <= least <= result.loss + 1e-12
    if result.status == "optimal":
        assert result.loss == pytest.approx(least, abs=1e-12)


RNG = np.random.default_rng(7)
HARD: dict[str, tuple[list[Attribute], np.ndarray]] = {
    "all identical": ([nominal(3), numeric([1, 2])], np.ones((40, 2), dtype=np.int64)),
    "one attribute": ([nominal(4)], RNG.integers(0, 4, (37, 1))),
    "one range": ([numeric(np.arange(50) ** 2)], RNG.integers(0, 50, (37, 1))),
    "a domain of one value": ([nominal(1), numeric([5])], np.zeros((12, 2), dtype=np.int64)),
    "40 attributes": ([nominal(3)] * 20 + [TREE] * 20, RNG.integers(0, 3, (30, 40))),
    "constant columns": ([nominal(9), nominal(2), TREE], RNG.integers(0, 2, (25, 3)) * [0, 1, 0]),
    "two kinds of records": ([nominal(2), TREE], np.repeat([[0, 1], [1, 4]], [3, 21], axis=0)),
    "many values": ([nominal(1000), nominal(63)], RNG.integers(0, 63, (35, 2)) * [15, 1]),
    "mixed": drawn_records(60),
}


@methods
@pytest.mark.parametrize("name", sorted(HARD))
@pytest.mark.parametrize("k", [2, 3, 7, "n − 1", "n"])
def test_hard_records_are_covered_regularly(method: str, name: str, k: int | str) -> None:
    attributes, codes = HARD[name]
    size = {"n − 1": len(codes) - 1, "n": len(codes)}[k] if isinstance(k, str) else k
    result = generalize(codes, attributes, size, method=method, effort=EFFORT)
    assert_regular(result.covered, len(codes), size)
    assert result.loss == pytest.approx(plain_gcp(attributes, codes, result.covered), abs=1e-12)
    assert result.lower_bound <= result.loss
    if len(np.unique(codes, axis=0)) == 1:
        assert (result.loss, result.status) == (0.0, "optimal")
    if k == "n":
        assert result.status == "optimal"


@methods
def test_same_input_and_seed_give_the_same_covering(method: str) -> None:
    attributes, codes = drawn_records(80)
    one, two = (generalize(codes, attributes, 4, method=method, effort=0.05, seed=3) for _ in range(2))
    assert (one.covered == two.covered).all()
    assert (one.loss, one.work) == (two.loss, two.work)


@methods
def test_many_records_are_covered_in_parts(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("constructing", "search.searching"):
        monkeypatch.setattr(f"graphkit.microdata.generalization.{module}.ALL_AT_ONCE", 50)
    for module in ("constructing", "search._many"):
        monkeypatch.setattr(f"graphkit.microdata.generalization.{module}.PART", 40)
    assert parts.ALL_AT_ONCE > 50
    attributes, codes = drawn_records(230)
    results = [generalize(codes, attributes, 3, method=method, effort=0.2) for _ in range(2)]
    assert_regular(results[0].covered, 230, 3)
    assert (results[0].covered == results[1].covered).all()
    assert results[0].loss == pytest.approx(plain_gcp(attributes, codes, results[0].covered), abs=1e-12)


@methods
def test_without_time_there_is_an_answer(method: str) -> None:
    attributes, codes = drawn_records(50)
    ticks = iter(range(10_000))
    result = generalize(codes, attributes, 3, method=method, time_limit=1.0, clock=lambda: float(next(ticks)))
    assert_regular(result.covered, 50, 3)


def test_search_is_below_the_methods_of_the_paper_which_are_in_their_order() -> None:
    attributes, codes = drawn_records(300)
    losses = [
        generalize(codes, attributes, 5, method=method, effort=0.3).loss
        for method in ("search", "hungarian", "sort-greedy", "greedy")
    ]
    assert losses == sorted(losses)
    assert losses[0] < 0.98 * losses[1]


def test_search_finds_the_least_loss_of_few_records() -> None:
    found = []
    for seed in range(40):
        attributes, codes = drawn_records(6, seed)
        loss = generalize(codes, attributes, 3, effort=0.02).loss
        found.append(loss <= least_gcp(attributes, codes, 3) + 1e-12)
    assert sum(found) >= 38


@pytest.mark.parametrize("method", ["search", "hungarian"])
def test_assignments_are_optimal_for_two(method: str) -> None:
    for seed in range(20):
        attributes, codes = drawn_records(6, seed)
        result = generalize(codes, attributes, 2, method=method)
        assert result.loss == pytest.approx(least_gcp(attributes, codes, 2), abs=1e-12)
        assert result.status == "optimal" or method == "hungarian"


@pytest.mark.parametrize(
    ("codes", "k", "message"),
    [
        ([[0], [1]], 3, "larger than the number of records"),
        ([[0], [1]], 1, "at least 2"),
        ([[0], [2]], 2, "not in its domain"),
        ([[0, 1], [1, 0]], 2, "a column for each"),
        ([[0.0], [1.0]], 2, "whole numbers"),
        (np.empty((0, 1), dtype=np.int64), 2, "at least one row"),
        ([0, 1], 2, "must be a table"),
    ],
)
def test_wrong_records_are_refused(codes: object, k: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        generalize(codes, [nominal(2)], k)  # type: ignore[arg-type]


def test_unknown_method_is_refused() -> None:
    with pytest.raises(InvalidInput, match="known: greedy, hungarian, search, sort-greedy"):
        generalize([[0], [1]], [nominal(2)], 2, method="best")


@methods
@given(given_records=coded_records(min_n=4, max_n=7), data=st.data())
@settings(max_examples=40, deadline=None)
def test_strata_are_never_mixed_and_the_bound_is_that_on_all_coverings_that_do_not(
    method: str, given_records: tuple[list[Attribute], np.ndarray], data: st.DataObject
) -> None:
    attributes, codes = given_records
    n = len(codes)
    strata = np.array(data.draw(st.permutations([7] * 2 + [3] * (n - 2))))
    result = generalize(codes, attributes, 2, strata=strata, method=method, effort=EFFORT)
    assert_regular(result.covered, n, 2)
    assert (strata[result.covered] == strata[:, None]).all()
    assert result.loss == pytest.approx(plain_gcp(attributes, codes, result.covered), abs=1e-12)
    least = sum(least_gcp(attributes, codes[strata == one], 2) * int((strata == one).sum()) for one in (3, 7))
    assert result.lower_bound - 1e-12 <= least / n <= result.loss + 1e-12
    if result.status == "optimal":
        assert result.loss == pytest.approx(least / n, abs=1e-12)


def test_strata_share_effort_and_time_and_small_ones_are_refused() -> None:
    attributes, codes = drawn_records(60)
    strata = np.arange(60) % 3
    seen: list[tuple[str, float, float]] = []
    ticks = iter(np.arange(0.0, 1e6, 0.01))
    result = generalize(
        codes, attributes, 4, strata=strata, effort=0.3, time_limit=50.0, clock=lambda: float(next(ticks)),
        progress=lambda *reached: seen.append(reached),
    )  # fmt: skip
    assert [phase for phase, _, _ in seen] == ["stratum"] * 3
    assert seen[-1][1:] == (result.loss, result.lower_bound)
    again = generalize(codes, attributes, 4, strata=np.zeros(60), effort=0.05)
    assert (again.covered == generalize(codes, attributes, 4, effort=0.05).covered).all()
    for wrong in (np.arange(60) % 20, np.zeros(59), [1, 2]):
        with pytest.raises(InvalidInput):
            generalize(codes, attributes, 4, strata=wrong, effort=0.01)
