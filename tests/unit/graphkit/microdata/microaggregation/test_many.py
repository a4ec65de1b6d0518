"""Many records: one annealing in rounds of parts; neighbours and bounds that need not be those of all pairs."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.distance import cdist

from graphkit.budget import Budget
from graphkit.microdata.microaggregation import lower_bound
from graphkit.microdata.microaggregation.groups import group_sizes, within_groups
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.neighbours import SLACK, near_enough
from graphkit.microdata.microaggregation.parts import drawn_split, mdav_of_parts
from graphkit.microdata.microaggregation.search import _many
from graphkit.microdata.microaggregation.search._blocks import proposals_of, surroundings_of_many, within_part
from graphkit.microdata.microaggregation.search._many import rounds_of, search_parts
from graphkit.microdata.microaggregation.standing import Standing
from tests.support.microaggregation import least_loss, tables_of_records

POINTS = np.random.default_rng(3).normal(size=(6000, 4))
UNITS = 600_000


def found(points: np.ndarray = POINTS, budget: Budget | None = None, k: int = 3, seed: int = 0) -> Standing:
    standing = Standing(points, mdav_of_parts(points, k), budget or Budget())
    search_parts(points, k, standing, np.random.default_rng(seed), UNITS)
    return standing


def test_parts_lose_hardly_more_than_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = {}
    for part in (6000, 750):
        monkeypatch.setattr(_many, "PART", part)
        standing = found()
        losses[part] = standing.loss
        assert group_sizes(standing.labels).min() >= 3
        assert standing.loss == pytest.approx(within_groups(POINTS, standing.labels))
    assert losses[750] < 1.05 * losses[6000]
    assert losses[6000] < 0.95 * within_groups(POINTS, mdav_of_parts(POINTS, 3))


def test_one_core_finds_the_same_as_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_many, "PART", 1000)
    two = found()
    monkeypatch.setattr(_many, "ThreadPoolExecutor", lambda _: ThreadPoolExecutor(1))
    assert (found().labels == two.labels).all()
    assert (found(seed=1).labels != two.labels).any()


@pytest.mark.parametrize(
    "points",
    [np.ones((6000, 2)), np.repeat([[0.0, 1.0], [1.0, 0.0]], [2, 5998], axis=0), np.round(POINTS), np.exp(4 * POINTS)],
    ids=["alike", "two values", "whole numbers", "orders of magnitude"],
)
@pytest.mark.parametrize("k", [2, 7])
def test_hard_records_get_valid_groups(points: np.ndarray, k: int) -> None:
    assert group_sizes(found(points, k=k).labels).min() >= k


def test_a_time_that_is_over_ends_the_rounds() -> None:
    ticks = iter(np.arange(0.0, 1e4, 0.2))
    standing = found(budget=Budget(lambda: float(next(ticks)), 1.0))
    assert group_sizes(standing.labels).min() >= 3
    assert standing.loss <= within_groups(POINTS, mdav_of_parts(POINTS, 3))


def test_rounds_go_on_where_the_one_before_stopped() -> None:
    rounds = rounds_of(4)
    assert [of.hottest for of in rounds[1:]] == [of.coolest for of in rounds[:-1]]
    assert [of.is_last for of in rounds] == [False, False, False, True]
    assert sum(of.share for of in rounds) == pytest.approx(1)


def test_parts_hold_every_point_once_and_are_drawn_anew() -> None:
    rng = np.random.default_rng(0)
    one, other = drawn_split(POINTS, 1000, rng), drawn_split(POINTS, 1000, rng)
    for parts in (one, other):
        assert np.sort(np.concatenate(parts)).tolist() == list(range(6000))
        assert max(part.size for part in parts) <= 1200
    assert sorted(map(len, one)) != sorted(map(len, other))


@given(points=tables_of_records(min_n=5, max_n=60))
@settings(max_examples=60, deadline=None)
def test_what_is_near_enough_is_near(points: np.ndarray) -> None:
    count = min(4, points.shape[0] - 1)
    near, distances = near_enough(points, count)
    pairs = cdist(points, points)
    assert np.allclose(np.take_along_axis(pairs, near, axis=1), distances, atol=1e-9)
    assert (near != np.arange(points.shape[0])[:, None]).all()
    distinct = np.unique(points, axis=0)
    if distinct.shape[0] == points.shape[0]:
        nearest = np.sort(pairs, axis=1)[:, 1 : count + 1]
        assert (distances <= (1 + SLACK) * nearest + 1e-9).all()


def test_a_part_knows_the_neighbours_that_are_in_it() -> None:
    around = surroundings_of_many(POINTS, 3)
    part = np.arange(0, 6000, 2)
    held = within_part(around, part)
    inside = around.near[part] % 2 == 0
    assert (part[held.near][inside] == around.near[part][inside]).all()
    assert (held.near[~inside] == np.broadcast_to(np.arange(3000)[:, None], inside.shape)[~inside]).all()
    assert proposals_of(0.0, around) == 1


def test_the_bound_of_many_records_is_below_that_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = lower_bound.duals_of_nearest(POINTS, 3)
    monkeypatch.setattr(lower_bound, "_MANY", 100)
    quick = lower_bound.duals_of_nearest(POINTS, 3)
    assert (quick <= exact * (1 + 1e-12)).all()
    assert quick.sum() > 0.6 * exact.sum()
    copies = np.repeat(POINTS[:700], np.arange(700) % 5 + 1, axis=0)
    quick = lower_bound.duals_of_nearest(copies, 4)
    monkeypatch.setattr(lower_bound, "_MANY", 10**6)
    assert (quick <= lower_bound.duals_of_nearest(copies, 4) * (1 + 1e-12)).all()


@given(points=tables_of_records(min_n=5, max_n=9))
@settings(max_examples=60, deadline=None)
def test_no_partition_is_below_the_bound_of_many_records(points: np.ndarray) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lower_bound, "_MANY", 4)
        bound = lower_bound.duals_of_nearest(points, 2).sum()
    assert bound <= least_loss(points, 2) + 1e-9
    assert bound <= within_groups(points, mdav(points, 2)) + 1e-9
