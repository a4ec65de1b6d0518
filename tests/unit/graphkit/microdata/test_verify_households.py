"""The check of households: k originals of k households behind every record, and the reverse."""

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata import generalize, nominal
from graphkit.microdata.consistency import consistency
from graphkit.microdata.demand import Demand
from graphkit.microdata.verify_diversity import verify_consistent, verify_matchings, verify_seen

HOUSEHOLDS = np.array([0, 0, 1, 1])
DEMAND = Demand("home", 2, of_households=True)
APART = np.array([[0, 2], [2, 0], [1, 3], [3, 1]])


def test_members_are_no_company() -> None:
    drawn = APART[:, 0]
    assert verify_seen(APART, [DEMAND], [HOUSEHOLDS], drawn).passed
    assert verify_matchings(APART, APART.T, [DEMAND], [HOUSEHOLDS]).passed
    beside = np.array([[0, 1], [1, 0], [2, 3], [3, 2]])
    found = verify_seen(beside, [DEMAND], [HOUSEHOLDS], beside[:, 0])
    assert [check.name for check in found.checks if not check.passed] == ["diverse", "households"]
    assert not verify_matchings(beside, beside.T, [DEMAND], [HOUSEHOLDS]).passed


def test_what_records_cover_and_what_originals_see_are_two_things() -> None:
    # each record covers originals of three households; two that may be an original.s are of one household
    covered = np.array([[0, 5, 2], [1, 2, 5], [2, 4, 0], [3, 0, 4], [4, 3, 1], [5, 1, 3]])
    demand, households = Demand("home", 3, of_households=True), np.array([0, 0, 1, 1, 2, 2])
    found = verify_seen(covered, [demand], [households], covered[:, 0])
    assert [check.name for check in found.checks if not check.passed] == ["diverse"]
    assert not verify_matchings(covered, covered.T, [demand], [households]).passed


def test_without_the_key_each_record_fits_originals_of_as_many_households() -> None:
    codes = np.array([[0], [1], [2], [3]])
    graph = consistency((nominal(4),), np.array([[5], [5], [10], [10]]), codes)
    assert verify_consistent(graph, [DEMAND], [HOUSEHOLDS]).passed
    graph = consistency((nominal(4),), np.array([[3], [3], [12], [12]]), codes)
    (check,) = verify_consistent(graph, [DEMAND], [HOUSEHOLDS]).checks
    assert not check.passed
    assert "fewer households" in check.text


def test_a_household_with_too_many_records_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="more than one in 2"):
        generalize([[0], [1], [0], [1]], [nominal(2)], 2, demands=[DEMAND], sensitive=[[0, 0, 0, 1]])


def test_households_have_no_entropy() -> None:
    with pytest.raises(InvalidInput, match="households are counted"):
        Demand("home", 2, entropy=1.5, of_households=True)
    assert not DEMAND.is_as_strict_as(Demand("home", 2))
    assert Demand("home", 3, of_households=True).is_as_strict_as(DEMAND)
