"""Column generation against all groups, and all partitions, of a few records."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, linprog, milp

from graphkit.budget import Budget
from graphkit.microdata.microaggregation.column_generation import _relaxation, generating
from graphkit.microdata.microaggregation.column_generation._columns import Columns
from graphkit.microdata.microaggregation.column_generation._cuts import violated_cuts
from graphkit.microdata.microaggregation.column_generation._demands import Demands
from graphkit.microdata.microaggregation.column_generation._prices import Prices, prices_of
from graphkit.microdata.microaggregation.column_generation._pricing import priced, surroundings_of
from graphkit.microdata.microaggregation.column_generation._rounding import roundings
from graphkit.microdata.microaggregation.column_generation.edge_program import cheapest_group
from graphkit.microdata.microaggregation.column_generation.generating import prove
from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.lower_bound import duals_of_nearest, lower_bound
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.standing import Standing
from tests.support.microaggregation import least_loss, tables_of_records

UNITS = 20_000_000


def loss_of(points: np.ndarray, group: tuple[int, ...]) -> float:
    some = points[list(group)]
    return float(((some - some.mean(axis=0)) ** 2).sum())


def all_groups(n: int, k: int) -> list[tuple[int, ...]]:
    return [group for size in range(k, min(2 * k - 1, n) + 1) for group in combinations(range(n), size)]


def cost_of(points: np.ndarray, prices: Prices, group: tuple[int, ...]) -> float:
    members = set(group)
    charged = sum(
        charge for charge, cut in zip(prices.cuts, prices.triples, strict=True) if len(members & set(cut.tolist())) > 1
    )
    return loss_of(points, group) - float(prices.records[list(group)].sum()) + charged + prices.group


def respects(prices: Prices, group: tuple[int, ...]) -> bool:
    inside = np.isin(np.arange(prices.bundle.size), group)
    return all(len(set(inside[prices.bundle == bundle])) == 1 for bundle in prices.bundle)


@st.composite
def priced_records(draw: st.DrawFn) -> tuple[np.ndarray, int, Prices]:
    points = draw(tables_of_records(max_n=10))
    points = points / max(1.0, np.abs(points).max())
    n = points.shape[0]
    k = draw(st.integers(2, min(4, n)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cuts = draw(st.integers(0, 6)) if n > 2 else 0
    triples = np.array([rng.choice(n, 3, replace=False) for _ in range(cuts)], np.int64).reshape(-1, 3)
    prices = prices_of(rng.normal(0.3, 0.5, n), rng.exponential(0.3, cuts), triples, draw(st.sampled_from([0.0, 0.25])))
    pairs = tuple((int(a), int(b)) for a, b in rng.integers(0, n, (draw(st.integers(0, 2)), 2)) if a != b)
    bundle, size = Demands(pairs).bundles(n)
    return points, k, prices._replace(bundle=bundle, bundle_size=size)


@given(priced_records(), st.integers(1, 200))
@settings(max_examples=150, deadline=None)
def test_pricing_finds_what_trying_all_groups_finds(drawn: tuple[np.ndarray, int, Prices], effort: int) -> None:
    points, k, prices = drawn
    around = surroundings_of(points, k)
    costs = {group: cost_of(points, prices, group) for group in all_groups(len(points), k) if respects(prices, group)}
    order = np.argsort(-prices.records, kind="stable").tolist()
    least = np.zeros(len(points))
    for group, cost in costs.items():
        first = min(group, key=order.index)
        least[first] = min(least[first], cost)
    found = priced(around, prices, k)
    assert found.complete
    assert found.least == pytest.approx(least, abs=1e-9)
    for group, cost in zip(found.groups, found.costs, strict=True):
        assert costs[tuple(sorted(group[group >= 0].tolist()))] == pytest.approx(cost, abs=1e-9)
    stopped = priced(around, prices, k, effort=effort)
    assert (stopped.least <= least + 1e-9).all()
    listed = priced(around, prices, k, limit=0.25, most=10_000)
    assert listed.complete
    some = [tuple(sorted(group[group >= 0].tolist())) for group in listed.groups]
    assert len(set(some)) == len(some)
    assert {group for group, cost in costs.items() if cost < 0.25 - 1e-9} <= set(some)
    assert all(costs[group] < 0.25 + 1e-9 for group in some)
    lowered = priced(around, prices, k, lower=True)
    for group, cost in costs.items():
        assert cost + prices.records[list(group)].sum() - lowered.records[list(group)].sum() >= -1e-9


@given(records=tables_of_records(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_the_best_partition_is_found_and_proven(records: np.ndarray, data: st.DataObject) -> None:
    n = records.shape[0]
    if n < 4:
        return
    records = records - records.mean(axis=0)
    k = data.draw(st.integers(2, min(4, n // 2)))
    standing = Standing(records, mdav(records, k), Budget())
    prove(records, k, standing, UNITS)
    least = least_loss(records, k)
    size = max(1e-300, float((records**2).sum()))
    assert standing.bound / size <= least / size + 1e-9
    assert standing.loss / size == pytest.approx(least / size, abs=1e-9)
    assert standing.bound <= standing.loss


@given(records=tables_of_records(), units=st.integers(1, 3_000), k=st.integers(2, 4))
@settings(max_examples=100, deadline=None)
def test_a_bound_holds_wherever_the_work_ends(records: np.ndarray, units: int, k: int) -> None:
    records = records - records.mean(axis=0)
    if records.shape[0] < 2 * k:
        return
    standing = Standing(records, mdav(records, k), Budget())
    prove(records, k, standing, units)
    assert standing.bound <= least_loss(records, k) * (1 + 1e-9) + 1e-12 * float((records**2).sum())


@pytest.mark.parametrize(("n", "k"), [(15, 3), (13, 4), (24, 2)])
def test_a_plain_integer_program_finds_the_same(n: int, k: int) -> None:
    points = np.exp(np.random.default_rng(n).normal(size=(n, 3)))
    groups = all_groups(n, k)
    rows = np.zeros((n, len(groups)))
    for at, group in enumerate(groups):
        rows[list(group), at] = 1
    losses = np.array([loss_of(points, group) for group in groups])
    best = milp(losses, constraints=LinearConstraint(rows, 1, 1), integrality=np.ones(len(groups)))
    linear = linprog(losses, A_eq=rows, b_eq=np.ones(n))
    standing = Standing(points, mdav(points, k), Budget())
    prove(points, k, standing, UNITS)
    assert standing.loss == pytest.approx(best.fun)
    assert standing.bound == standing.loss >= linear.fun


def test_the_same_work_gives_the_same_bits() -> None:
    points = np.exp(np.random.default_rng(3).normal(size=(90, 4)))
    one, other = (Standing(points, mdav(points, 3), Budget()) for _ in range(2))
    for standing in (one, other):
        prove(points, 3, standing, 300_000)
    assert (one.labels == other.labels).all()
    assert (one.loss, one.bound, one.budget.work) == (other.loss, other.bound, other.budget.work)


def test_columns_are_forgotten_after_the_weights_that_are_theirs_were_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "_EVERY", 1)
    monkeypatch.setattr(_relaxation, "_COLUMNS_A_RECORD", 2)
    monkeypatch.setattr(_relaxation, "_KEPT_A_RECORD", 1)
    points = np.exp(np.random.default_rng(2).normal(size=(60, 3)))
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    standing = Standing(points, mdav(points, 3), Budget())
    prove(points, 3, standing, 3_000_000)
    assert 0 < standing.bound <= standing.loss


def test_an_odd_ring_of_groups_is_cut() -> None:
    columns = Columns.of(np.array([[0, 1, -1], [1, 2, -1], [0, 2, -1], [3, 4, -1]]), np.ones((5, 5)))
    weights = np.array([0.5, 0.5, 0.5, 1.0])
    assert violated_cuts(columns, weights, 5, most=9, a_record=2).tolist() == [[0, 1, 2]]
    assert not violated_cuts(columns, np.array([1.0, 0, 0, 1.0]), 5, most=9, a_record=2).size


def test_roundings_are_partitions() -> None:
    points = np.random.default_rng(4).normal(size=(13, 2))
    columns = Columns.of(np.array([[0, 1, 2, -1, -1], [2, 3, 4, 5, -1], [6, 7, 8, 9, 10]]), np.ones((13, 13)))
    for labels in roundings(points, 3, columns, np.array([0.5, 0.4, 1.0])):
        assert np.bincount(labels)[np.bincount(labels) > 0].min() >= 3
        assert np.isfinite(within_groups(points, np.unique(labels, return_inverse=True)[1]))


@given(records=tables_of_records(), units=st.integers(1, 3_000), k=st.integers(2, 4))
@settings(max_examples=150, deadline=None)
def test_duals_without_a_solver_are_a_bound(records: np.ndarray, units: int, k: int) -> None:
    if records.shape[0] < k:
        return
    least = least_loss(records, k)
    nearest = float(duals_of_nearest(records, k).sum())
    bound = lower_bound(records, k, units=units)
    assert nearest * (1 - 1e-8) <= bound <= least * (1 + 1e-9) + 1e-12


@given(
    records=tables_of_records(max_n=8),
    size=st.integers(2, 5),
    seed=st.integers(0, 2**32 - 1),
    rounds=st.sampled_from([0, 5]),
)
@settings(max_examples=40, deadline=None)
def test_the_program_of_the_paper_prices_alike(records: np.ndarray, size: int, seed: int, rounds: int) -> None:
    if records.shape[0] < size:
        return
    duals = np.random.default_rng(seed).normal(0.3, 0.5, records.shape[0])
    around = surroundings_of(records, 2)
    found = priced(around, prices_of(duals), 4, limit=1e6, sizes=(size, size))
    group, cost = cheapest_group(around.distances, duals, size, rounds=rounds)
    assert group.size == size
    assert cost == pytest.approx(found.least.min(), abs=1e-6)


def test_weights_that_the_last_cut_makes_whole_are_a_partition() -> None:
    points = np.array([[0.0], [0.0], [0.0], [4.0], [4.0], [4.0], [4.0], [4.0], [5.0]])
    standing = Standing(points, mdav(points, 2), Budget())
    prove(points, 2, standing, UNITS)
    assert standing.loss == standing.bound == pytest.approx(0.5)
