"""Matchings made random: the graph and the demands stay, and each edge is in one matching."""

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.diverse.mixing import mixed
from graphkit.microdata.verify_diversity import verify_matchings
from tests.support.diverse_generalization import is_diverse

# two groups of three; each sees both values under every matching
GROUPS = np.array([[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [2, 0, 1, 5, 3, 4]])
VALUES = np.array([0, 0, 1, 0, 1, 1])
TWO = Demand("s", 2)


def test_the_graph_and_the_demands_stay_and_both_groups_are_mixed_by_themselves() -> None:
    seen = set()
    for seed in range(40):
        found = mixed(GROUPS, [TWO], [VALUES], np.random.default_rng(seed))
        assert is_diverse(found, [TWO], [VALUES.tolist()])
        assert verify_matchings(GROUPS.T, found, [TWO], [VALUES]).passed
        # which of the matchings of one group is together with which of the other
        seen.add(tuple(sorted(zip(found[:, 0].tolist(), found[:, 3].tolist(), strict=True))))
    assert len(seen) == 6


def test_what_is_no_set_of_matchings_or_misses_a_demand_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidInput, match="missed"):
        mixed(GROUPS, [TWO], [np.array([0, 0, 0, 1, 1, 1])], rng)
    with pytest.raises(InvalidInput, match="same record"):
        mixed(np.array([[0, 0], [1, 1]]), [TWO], [np.array([0, 1])], rng)


def test_the_check_finds_what_is_wrong() -> None:
    assert [check.passed for check in verify_matchings(GROUPS.T, GROUPS, [TWO], [VALUES]).checks] == [True, True]
    uniform = np.array([0, 0, 0, 1, 1, 1])
    assert [check.passed for check in verify_matchings(GROUPS.T, GROUPS, [TWO], [uniform]).checks] == [True, False]
    for wrong in (GROUPS[:2], GROUPS[[0, 1, 1]], np.roll(GROUPS, 1, axis=1)):
        assert not verify_matchings(GROUPS.T, wrong, [TWO], [VALUES]).passed
