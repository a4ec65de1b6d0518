"""The moves of ICSM against recomputation, its cycles against trying all, on records with ties."""

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.microaggregation.groups import canonical, within_groups
from graphkit.microdata.microaggregation.icsm._cycles import least_cycle, new_room, rotate
from graphkit.microdata.microaggregation.icsm._weights import joining, layout, leaving, replacing
from graphkit.microdata.microaggregation.icsm.complex import complex_heuristic, scores
from graphkit.microdata.microaggregation.icsm.searching import perturbed
from graphkit.microdata.microaggregation.icsm.simple import SimpleHeuristic
from graphkit.microdata.microaggregation.mdav import mdav
from tests.support.microaggregation import tables_of_records

TOLERANCE = 1e-9


def spread(points: np.ndarray, records: list[int]) -> float:
    return within_groups(points[records], np.zeros(len(records), dtype=np.int64))


@st.composite
def partitions(draw: st.DrawFn) -> tuple[np.ndarray, int, np.ndarray]:
    """Records in groups of k to 2k − 1, in any order."""
    points = draw(tables_of_records())
    k = draw(st.integers(2, 3 if points.shape[0] >= 6 else 2))
    order = np.array(draw(st.permutations(range(points.shape[0]))))
    return points, k, canonical(mdav(points, k)[order])


def neighbours_of(labels: np.ndarray, k: int) -> list[np.ndarray]:
    """Every partition that is one migration or one exchange away."""
    found = []
    for one in range(labels.size):
        for group in range(labels.max() + 1):
            changed = labels.copy()
            changed[one] = group
            found.append(changed)
        for other in range(one):
            changed = labels.copy()
            changed[[one, other]] = labels[[other, one]]
            found.append(changed)
    groups = labels.max() + 1
    return [
        some for some in found if k <= np.bincount(some, minlength=groups).min() and np.bincount(some).max() < 2 * k
    ]


def test_the_example_of_the_paper_costs_6() -> None:
    points, labels = np.arange(2.0, 8.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    _, sizes, means = layout(points, labels, 3)
    assert replacing(points, means, sizes, 1, 4, 1) == pytest.approx(6)


@given(partitions())
@settings(max_examples=60, deadline=None)
def test_edges_are_what_the_sse_of_a_group_changes_by(drawn: tuple[np.ndarray, int, np.ndarray]) -> None:
    points, k, labels = drawn
    _, sizes, means = layout(points, labels, k)
    for group in range(sizes.size):
        members = np.flatnonzero(labels == group).tolist()
        before = spread(points, members)
        for record in range(labels.size):
            if record in members:
                rest = [other for other in members if other != record]
                expected = spread(points, rest) - before if sizes[group] > k else np.inf
                assert leaving(points, means, sizes, k, record, group) == pytest.approx(expected, abs=1e-8)
                continue
            expected = spread(points, [*members, record]) - before if sizes[group] < 2 * k - 1 else np.inf
            assert joining(points, means, sizes, k, record, group) == pytest.approx(expected, abs=1e-8)
            for gone in members:
                put = [record if other == gone else other for other in members]
                found = replacing(points, means, sizes, record, gone, group)
                assert found == pytest.approx(spread(points, put) - before, abs=1e-8)


@given(partitions())
@settings(max_examples=60, deadline=None)
def test_scores_are_the_sums_over_all_pairs(drawn: tuple[np.ndarray, int, np.ndarray]) -> None:
    points, k, labels = drawn
    _, sizes, means = layout(points, labels, k)
    expected = np.zeros(sizes.size)
    for one in range(labels.size):
        for other in range(labels.size):
            if labels[one] != labels[other]:
                cost = replacing(points, means, sizes, one, other, int(labels[other]))
                expected[labels[one]] += cost
                expected[labels[other]] -= cost
    assert scores(points, labels) == pytest.approx(expected, abs=1e-6)


@given(partitions())
@settings(max_examples=100, deadline=None)
def test_rounds_gain_and_end_where_no_migration_or_exchange_does(drawn: tuple[np.ndarray, int, np.ndarray]) -> None:
    points, k, labels = drawn
    simple = SimpleHeuristic(points, k, labels, TOLERANCE)
    loss = within_groups(points, labels)
    while simple.round()[0]:
        assert within_groups(points, labels) < loss
        loss = within_groups(points, labels)
    for other in neighbours_of(labels, k):
        assert within_groups(points, other) >= loss - 1e-7


@given(partitions())
@settings(max_examples=100, deadline=None)
def test_cycles_gain_and_keep_groups_valid(drawn: tuple[np.ndarray, int, np.ndarray]) -> None:
    points, k, labels = drawn
    before = within_groups(points, labels)
    fresh = np.ones(labels.max() + 1, dtype=np.bool_)
    applied, _, changed = complex_heuristic(points, k, labels, 10, TOLERANCE, fresh)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    assert changed.any() == (applied > 0)
    assert within_groups(points, labels) < before if applied else within_groups(points, labels) == before


def least_of_all_cycles(points: np.ndarray, k: int, labels: np.ndarray, ranked: np.ndarray) -> float:
    """Return the least change of the SSE by a cycle that visits groups in the order of ranks, from the first one on."""
    before, least, groups = within_groups(points, labels), 0.0, int(labels.max()) + 1
    nodes = {group: [*np.flatnonzero(labels == group).tolist(), -1 - group] for group in ranked.tolist()}
    first, *others = ranked.tolist()
    for count in range(1, len(others) + 1):
        for chosen in combinations(others, count):
            for cycle in product(nodes[first], *(nodes[group] for group in chosen)):
                if any(one < 0 and other < 0 for one, other in pairwise((*cycle, cycle[0]))):
                    continue
                after = labels.copy()
                rotate(after, np.array(cycle), np.zeros(groups, dtype=np.bool_))
                sizes = np.bincount(after, minlength=groups)
                if sizes.min() >= k and sizes.max() < 2 * k:
                    least = min(least, within_groups(points, after) - before)
    return least


@given(points=tables_of_records(min_n=6, max_n=10), data=st.data())
@settings(max_examples=100, deadline=None)
def test_no_cycle_through_the_first_group_gains_more(points: np.ndarray, data: st.DataObject) -> None:
    k = 2
    labels = canonical(mdav(points, k)[np.array(data.draw(st.permutations(range(points.shape[0]))))])
    ranked = np.array(data.draw(st.permutations(range(int(labels.max()) + 1))))
    members, sizes, means = layout(points, labels, k)
    cycle = np.empty(ranked.size, dtype=np.int64)
    room = new_room(ranked.size, int(sizes.max()), points.shape[1])
    length, gained, _ = least_cycle(points, k, members, sizes, means, ranked, TOLERANCE, room, cycle)
    assert min(gained, -TOLERANCE) == pytest.approx(
        min(least_of_all_cycles(points, k, labels, ranked), -TOLERANCE), abs=1e-7
    )
    if length:
        after = labels.copy()
        rotate(after, cycle[:length], np.zeros(sizes.size, dtype=np.bool_))
        assert within_groups(points, after) - within_groups(points, labels) == pytest.approx(gained, abs=1e-7)


def test_a_cycle_of_three_is_found_where_no_exchange_helps() -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]])
    points = np.repeat(corners, 3, axis=0)
    best = np.repeat(np.arange(3), 3)
    losses = []
    for turn in permutations(range(3)):
        labels = best.copy()
        labels[[0, 3, 6]] = turn
        complex_heuristic(points, 3, labels, 10, TOLERANCE, np.ones(3, dtype=np.bool_))
        losses.append(within_groups(points, labels))
    assert max(losses) == pytest.approx(0)


def test_a_restart_changes_at_most_twenty_records_and_no_size() -> None:
    labels = np.repeat(np.arange(30), 3)
    changed = perturbed(labels, np.random.default_rng(1))
    assert 0 < (changed != labels).sum() <= 20
    assert (np.bincount(changed) == 3).all()
