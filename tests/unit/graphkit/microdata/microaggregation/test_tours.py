"""Tours and their best cuts, against trying all cuts."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.tours.md import md
from graphkit.microdata.microaggregation.tours.mdav_mhm import mdav_mhm
from graphkit.microdata.microaggregation.tours.npn import npn_tour
from graphkit.microdata.microaggregation.tours.stitched import stitched
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment
from graphkit.microdata.microaggregation.tours.tsp import tsp_tour
from tests.support.microaggregation import tables_of_records


def length(points: np.ndarray, tour: np.ndarray) -> float:
    return float(np.sqrt(((points[tour] - points[np.roll(tour, 1)]) ** 2).sum(axis=1)).sum())


def least_of_all_cuts(points: np.ndarray, tour: np.ndarray, k: int) -> float:
    """Every set of places at which groups may begin on the closed tour."""
    least = np.inf
    for begins in product((0, 1), repeat=tour.size):
        if not sum(begins):
            continue
        labels = np.empty(tour.size, dtype=np.int64)
        labels[tour] = (np.cumsum(begins) - 1) % sum(begins)
        if np.bincount(labels).min() >= k:
            least = min(least, within_groups(points, labels))
    return least


@given(records=tables_of_records(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_cut_of_a_closed_tour_is_better(records: np.ndarray, data: st.DataObject) -> None:
    tour = np.array(data.draw(st.permutations(range(records.shape[0]))))
    k = data.draw(st.integers(2, min(4, records.shape[0])))
    labels = tour2assignment(records, tour, k)
    assert np.bincount(labels).min() >= k
    assert np.bincount(labels).max() < 2 * k
    if (np.abs(records) < 1e3).all():
        assert within_groups(records, labels) == pytest.approx(least_of_all_cuts(records, tour, k), abs=1e-6)


def test_the_last_records_of_a_tour_go_with_the_first() -> None:
    points = np.array([[9.0], [1.0], [1.2], [5.0], [5.2], [9.2]])
    assert within_groups(points, tour2assignment(points, np.arange(6), 2)) == pytest.approx(0.06)


@given(records=tables_of_records())
@settings(max_examples=60, deadline=None)
def test_tours_have_every_record_once_and_2_opt_makes_none_longer(records: np.ndarray) -> None:
    npn, tsp = npn_tour(records), tsp_tour(records)
    for tour in (npn, tsp):
        assert sorted(tour) == list(range(records.shape[0]))
    assert length(records, tsp) <= length(records, npn) * (1 + 1e-9)


def test_nearest_point_next_is_that() -> None:
    points = np.random.default_rng(2).normal(size=(40, 3))
    tour = npn_tour(points)
    for at in range(39):
        far = ((points[tour[at + 1 :]] - points[tour[at]]) ** 2).sum(axis=1)
        assert far[0] == far.min()


@given(records=tables_of_records(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_records_of_a_group_follow_one_another(records: np.ndarray, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, min(4, records.shape[0])))
    for labels in (mdav(records, k), md(records, k)):
        assert np.bincount(labels).min() >= k
        on_tour = labels[stitched(records, labels)]
        assert (on_tour[1:] != on_tour[:-1]).sum() == labels.max()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_tour_through_groups_of_mdav_never_loses_more(k: int) -> None:
    points = np.random.default_rng(k).normal(size=(101, 4))
    assert within_groups(points, mdav_mhm(points, k)) <= within_groups(points, mdav(points, k)) + 1e-9
