"""The annealing: what its moves are said to cost is what they cost, and whatever they do leaves valid groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.microdata import microaggregate
from graphkit.microdata.microaggregation.groups import around_mean, canonical, members_of, within_groups
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.neighbours import neighbours
from graphkit.microdata.microaggregation.parts import ALL_AT_ONCE, split
from graphkit.microdata.microaggregation.search._annealing import anneal
from graphkit.microdata.microaggregation.search._cooling import new_cooling
from graphkit.microdata.microaggregation.search._partition import exchange, exchanging, new_partition
from graphkit.microdata.microaggregation.search._random import below, new_state, unit
from graphkit.microdata.microaggregation.search._recombining import Pool
from tests.support.microaggregation import tables_of_records


@given(records=tables_of_records(min_n=8, max_n=40), data=st.data())
@settings(max_examples=100, deadline=None)
def test_the_change_that_is_returned_is_the_change_that_was_made(records: np.ndarray, data: st.DataObject) -> None:
    n = records.shape[0]
    k = data.draw(st.integers(2, min(5, n // 2)))
    near, _ = neighbours(records, min(n - 1, 8))
    records = np.pad(records, ((0, 0), (0, -records.shape[1] % 4)))
    partition = new_partition(records, mdav(records, k), k)
    before = within_groups(records, canonical(partition.labels))
    state = new_state(np.random.default_rng(data.draw(st.integers(0, 99))))
    temperature = data.draw(st.sampled_from([0.0, 0.1, 10.0]))
    change = anneal(records, near, k, *partition, np.arange(n), 0, n, temperature, 400, 0.2, state)
    after = within_groups(records, canonical(partition.labels))
    assert change == pytest.approx(after - before, abs=1e-6)
    if temperature == 0:
        assert change <= 0
    used = partition.sizes[partition.sizes > 0]
    assert used.min() >= k
    assert used.max() < 2 * k
    assert sorted(partition.free[1 : partition.free[0] + 1]) == np.flatnonzero(partition.sizes == 0).tolist()
    for group in range(partition.sizes.size):
        members = partition.members[group, : partition.sizes[group]]
        assert sorted(members) == np.flatnonzero(partition.labels == group).tolist()
        assert (partition.places[members] == np.arange(members.size)).all()
        assert partition.sums[group] == pytest.approx(records[members].sum(axis=0), abs=1e-6)


def test_an_exchange_costs_what_equation_3_says() -> None:
    # Example 1 of the ICSM paper: 3 for 6 in {5, 6, 7} costs 6, 6 for 3 in {2, 3, 4} as much
    points = np.pad(np.arange(2.0, 8.0)[:, None], ((0, 0), (0, 3)))
    partition = new_partition(points, np.array([0, 0, 0, 1, 1, 1]), 3)
    assert exchanging(points, partition.sizes, partition.sums, 1, 0, 4, 1) == pytest.approx(12.0)
    labels, places, members, _, sums, _ = partition
    exchange(points, labels, places, members, sums, 1, 4)
    assert within_groups(points, partition.labels) == pytest.approx(16.0)


def test_random_numbers_are_spread_evenly() -> None:
    state = new_state(np.random.default_rng(1))
    counts = np.bincount([below(state, 7) for _ in range(7000)], minlength=7)
    assert counts.size == 7
    assert (abs(counts - 1000) < 150).all()
    numbers = np.array([unit(state) for _ in range(7000)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert abs(numbers.mean() - 0.5) < 0.02


def test_temperatures_fall_and_reach_every_record() -> None:
    scales = np.exp(np.random.default_rng(2).normal(0, 4, size=300))
    cooling = new_cooling(scales)
    assert (np.diff(cooling.temperatures) < 0).all()
    proposed = np.zeros(300, dtype=bool)
    for first, end in cooling.windows:
        proposed[cooling.order[first:end]] = True
    assert proposed.mean() > 0.97
    assert cooling.proposals(10**6).sum() <= 10**6 + cooling.temperatures.size


def test_many_records_are_grouped_in_parts_and_better_than_at_first() -> None:
    draw = np.random.default_rng(8)
    records = np.vstack((draw.normal(size=(ALL_AT_ONCE, 3)), np.zeros((40, 3)), draw.normal(50, 9, size=(60, 3))))
    first = microaggregate(records, 3, method="mdav")
    one, other = (microaggregate(records, 3, effort=0.4, seed=4) for _ in range(2))
    assert np.bincount(one.labels).min() >= 3
    assert one.lower_bound < one.sse < 0.9 * first.sse
    assert (one.labels == other.labels).all()


@given(records=tables_of_records(min_n=2, max_n=60), most=st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_parts_are_small_and_hold_every_record_once(records: np.ndarray, most: int) -> None:
    parts = split(records, most)
    assert max(part.size for part in parts) <= most
    assert np.sort(np.concatenate(parts)).tolist() == list(range(records.shape[0]))


def test_groups_of_several_partitions_are_recombined() -> None:
    records = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1], [14.0], [14.1]])
    pool = Pool(records)
    pool.add(np.array([0, 0, 1, 1, 2, 3, 2, 3]))
    pool.add(np.array([0, 1, 0, 1, 2, 2, 3, 3]))
    best = pool.recombined(50.0, Budget())
    assert best is not None
    assert canonical(best).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    # nothing better than what is known already
    assert pool.recombined(within_groups(records, best), Budget()) is None


@given(records=tables_of_records(min_n=6, max_n=14), seed=st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_of_few_records_the_best_partition_into_groups_of_the_pool_is_found(records: np.ndarray, seed: int) -> None:
    rng, pool = np.random.default_rng(seed), Pool(records)
    partitions = [rng.permutation(records.shape[0]) // 2 for _ in range(6)]
    groups = {tuple(group) for labels in partitions for group in members_of(labels)}
    for labels in partitions:
        pool.add(labels)
    found = pool.improved(partitions[0], Budget(), 10**9)
    least = least_loss_of_cover(records, groups, frozenset(range(records.shape[0])))
    assert within_groups(records, found) == pytest.approx(least, abs=1e-9)
    assert {tuple(group) for group in members_of(found)} <= groups


def least_loss_of_cover(records: np.ndarray, groups: set[tuple[int, ...]], left: frozenset[int]) -> float:
    """Return what the best choice of groups loses that holds each of these records once; infinite without one."""
    if not left:
        return 0.0
    first, least = min(left), np.inf
    for group in groups:
        if first in group and left.issuperset(group):
            rest = least_loss_of_cover(records, groups, left.difference(group))
            least = min(least, around_mean(records[list(group)]) + rest)
    return least


def test_regions_are_recombined_where_all_at_once_would_take_long() -> None:
    records = np.random.default_rng(3).normal(size=(300, 4))
    pool = Pool(records)
    for seed in range(6):
        pool.add(microaggregate(records, 3, effort=0.05, seed=seed).labels)
    first = microaggregate(records, 3, effort=0.05, seed=5).labels
    once, again = (pool.improved(first, Budget(), 500_000) for _ in range(2))
    assert (once == again).all()
    assert np.bincount(once).min() >= 3
    assert within_groups(records, once) < 0.999 * within_groups(records, first)
    # without work nothing changes
    assert (pool.improved(first, Budget(), 0) == canonical(first)).all()
