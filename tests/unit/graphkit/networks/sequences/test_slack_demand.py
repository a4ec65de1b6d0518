"""More demand: exactly as much as is asked for, k in every block, the least raised first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks.bounds.sequence import sequence_bound
from graphkit.networks.effort.progress import silent
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._first_solution import first_solution
from graphkit.networks.sequences.degree_raises import apply_raises, demand_counts, merge_raises
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.slack_demand import add_slack_demand

NOTHING = merge_raises(*np.empty((3, 0), dtype=np.int64))


@given(
    counts=st.lists(st.integers(0, 12), min_size=2, max_size=8),
    k=st.integers(1, 4),
    amount=st.integers(0, 40),
    most=st.integers(0, 5),
)
def test_blocks_keep_k_and_demand_grows_by_what_is_asked_for(counts: list[int], k: int, amount: int, most: int) -> None:
    blocks = np.trim_zeros(np.array(counts, dtype=np.int64), "b")
    if blocks.sum() < k:
        return
    raises, cost = minimum_raises(blocks, k)
    enlarged = add_slack_demand(blocks, raises, k, amount, most)
    if enlarged is None:
        # as much as fits between the least and the most that blocks can be raised by one at a time
        assert amount > 0
        return
    after = apply_raises(blocks, enlarged)
    assert enlarged.cost == cost + amount
    assert np.all((after == 0) | (after >= k))
    # none is emptied, none is above the highest
    assert set(np.flatnonzero(apply_raises(blocks, raises))) <= set(np.flatnonzero(after)) <= set(range(blocks.size))


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
    enlarged = add_slack_demand(np.array([0, 10, 5, 5]), NOTHING, 2, amount)
    assert enlarged is not None
    assert demand_counts(enlarged).tolist() == demands


def test_blocks_that_are_full_cannot_take_more() -> None:
    assert add_slack_demand(np.array([0, 10, 5, 5]), NOTHING, 2, 20) is None
    # nor where there are none
    assert add_slack_demand(np.array([0, 0]), NOTHING, 2, 1) is None


@pytest.mark.parametrize(
    ("amount", "demands"),
    [
        # 83 of degree 1 and 25 of 19, k = 25: 58 may rise, and of a second degree the 20 that are left are too few
        (78, [0, 28, 25]),
        # all once more
        (116, [0, 0, 58]),
        # as many as may rise, once each
        (58, [0, 58]),
    ],
)
def test_what_is_too_little_for_another_degree_is_raised_with_the_others(amount: int, demands: list[int]) -> None:
    blocks = np.zeros(20, dtype=np.int64)
    blocks[[1, 19]] = 83, 25
    enlarged = add_slack_demand(blocks, NOTHING, 25, amount, 13)
    assert enlarged is not None
    assert demand_counts(enlarged).tolist() == demands
    # nobody is raised by more than look for partners
    assert (add_slack_demand(blocks, NOTHING, 25, amount, 1) is None) == (len(demands) > 2)


def test_nobody_crosses_a_gap_while_k_can_be_raised_by_one() -> None:
    # partners of five hubs: a demand above five brings none of them anything
    blocks = np.zeros(51, dtype=np.int64)
    blocks[[1, 50]] = 100, 5
    enlarged = add_slack_demand(blocks, NOTHING, 5, 280)
    assert enlarged is not None
    assert enlarged.cost == 280
    assert demand_counts(enlarged).size - 1 <= 4
    # fewer than k of them find no block between
    few = add_slack_demand(blocks, NOTHING, 5, 49)
    assert few is not None
    assert few.cost == 49


def test_hubs_far_above_all_others_find_partners_at_about_their_price() -> None:
    rng = np.random.default_rng(1)
    n, k = 1500, 20
    hubs = [(hub, int(v)) for hub in range(8) for v in rng.choice(n, size=int(600 * 0.8**hub), replace=False)]
    graph = SimpleGraph.from_edges(np.array([*hubs, *rng.integers(0, n, (2000, 2)).tolist()]), n)
    view = IgraphView.of(graph)
    first = first_solution(view, k, rng, Budget(), silent)
    # 2·size is at least what the hubs ask for and what others have to give
    least = sequence_bound(view.block_sequence(), k)
    assert first.shape[0] <= 2.1 * least
