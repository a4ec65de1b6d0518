"""More demand: exactly as much as is asked for, k in every block, the least raised first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.networks.sequences.degree_raises import apply_raises, demand_counts, merge_raises
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.slack_demand import add_slack_demand


@given(counts=st.lists(st.integers(0, 12), min_size=2, max_size=8), k=st.integers(1, 4), amount=st.integers(0, 40))
def test_blocks_keep_k_and_demand_grows_by_what_is_asked_for(counts: list[int], k: int, amount: int) -> None:
    blocks = np.trim_zeros(np.array(counts, dtype=np.int64), "b")
    if blocks.sum() < k:
        return
    raises, cost = minimum_raises(blocks, k)
    enlarged = add_slack_demand(blocks, raises, k, amount)
    if enlarged is None:
        # as much as fits between the least and the most that blocks can be raised by one at a time
        assert amount > 0
        return
    after = apply_raises(blocks, enlarged)
    assert enlarged.cost == cost + amount
    assert np.all((after == 0) | (after >= k))
    assert set(np.flatnonzero(after)) == set(np.flatnonzero(apply_raises(blocks, raises)))


@pytest.mark.parametrize(
    ("amount", "demands"),
    [
        # ten of degree 1 and five each of 2 and 3, k = 2: of the first eight can rise, of the second three
        (11, [0, 11]),
        # of degree 2 there are eight more than two now: two that did not rise yet, and one that rises again
        (14, [0, 12, 1]),
        # until all of them are on the highest degree
        (19, [0, 7, 6]),
    ],
)
def test_the_least_raised_are_raised_first(amount: int, demands: list[int]) -> None:
    nothing = merge_raises(*np.empty((3, 0), dtype=np.int64))
    enlarged = add_slack_demand(np.array([0, 10, 5, 5]), nothing, 2, amount)
    assert enlarged is not None
    assert demand_counts(enlarged).tolist() == demands


def test_blocks_that_are_full_cannot_take_more() -> None:
    nothing = merge_raises(*np.empty((3, 0), dtype=np.int64))
    assert add_slack_demand(np.array([0, 10, 5, 5]), nothing, 2, 20) is None
