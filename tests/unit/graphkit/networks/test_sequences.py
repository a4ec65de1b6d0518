"""Phase 1 against enumeration of all sequences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.networks.risk.degree_risk import is_k_anonymous
from graphkit.networks.sequences import (
    BlockSequences,
    DegreeRaises,
    SequenceCost,
    apply_raises,
    merge_raises,
    minimum_raises,
)
from graphkit.networks.sequences.group_costs import best_groups
from tests.support.brute_force import anonymous_sequences, sequence_demands
from tests.support.strategies import block_sequences

TINY = block_sequences(max_degree=5, max_size=3)


def demands_of(raises: DegreeRaises) -> list[int]:
    return np.repeat(raises.target - raises.source, raises.count).tolist()


@given(blocks=TINY, k=st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_position_dp_finds_the_cheapest_of_all_sequences(blocks: np.ndarray, k: int) -> None:
    k = min(k, int(blocks.sum()))
    raises, value = minimum_raises(blocks, k)
    every = anonymous_sequences(blocks.tolist(), k, blocks.size)
    assert value == min(sum(sequence_demands(blocks.tolist(), after)) for after in every)
    assert value == raises.cost
    assert is_k_anonymous(apply_raises(blocks, raises), k)


@given(
    blocks=TINY,
    k=st.integers(1, 4),
    weights=st.sampled_from([(1, 0), (1, 1), (0, 2)]),
    knee=st.integers(0, 5),
    reward=st.integers(0, 5),
)
@settings(max_examples=150, deadline=None)
def test_position_dp_finds_the_cheapest_for_every_convex_cost(
    blocks: np.ndarray, k: int, weights: tuple[int, int], knee: int, reward: int
) -> None:
    k = min(k, int(blocks.sum()))
    base, over = weights
    reward = reward if base else 0

    def cost(d: int) -> int:
        return base * d + over * max(d - knee, 0) - min(reward, d)

    raises, value = minimum_raises(blocks, k, SequenceCost(base, over, knee, reward))
    every = anonymous_sequences(blocks.tolist(), k, blocks.size + 1)
    assert value == min(sum(map(cost, sequence_demands(blocks.tolist(), after))) for after in every)
    assert value == sum(map(cost, demands_of(raises)))


@given(blocks=block_sequences(max_degree=12, max_size=60), k=st.integers(2, 9))
@settings(max_examples=150, deadline=None)
def test_both_dynamic_programs_agree_on_larger_blocks(blocks: np.ndarray, k: int) -> None:
    k = min(k, int(blocks.sum()))
    raises, value = minimum_raises(blocks, k)
    sequences = BlockSequences(blocks, k)
    assert sequences.minimum == value
    assert is_k_anonymous(apply_raises(blocks, raises), k)


@given(blocks=TINY, k=st.integers(1, 4), excess=st.integers(0, 4), higher=st.integers(0, 2))
@settings(max_examples=150, deadline=None)
def test_block_dp_enumerates_every_sequence_of_a_cost_once(
    blocks: np.ndarray, k: int, excess: int, higher: int
) -> None:
    k = min(k, int(blocks.sum()))
    sequences = BlockSequences(blocks, k, excess=excess, raise_maximum=higher)
    every = anonymous_sequences(blocks.tolist(), k, blocks.size - 1 + higher)
    by_cost: dict[int, set[tuple[int, ...]]] = {}
    for after in every:
        by_cost.setdefault(sum(sequence_demands(blocks.tolist(), after)), set()).add(after)
    limit = range(sequences.minimum, sequences.minimum + excess + 1)
    assert sequences.costs() == [c for c in limit if c in by_cost]
    for cost in limit:
        found = [apply_raises(blocks, raises) for raises in sequences.of_cost(cost)]
        as_degrees = [tuple(np.repeat(np.arange(b.size), b)[::-1].tolist()) for b in found]
        assert len(set(as_degrees)) == len(as_degrees)
        assert set(as_degrees) == by_cost.get(cost, set())
        if cost in by_cost:
            drawn = apply_raises(blocks, sequences.at_random(cost, np.random.default_rng(excess)))
            assert drawn.tolist() in [b.tolist() for b in found]


def test_every_sequence_of_a_cost_can_be_drawn() -> None:
    sequences = BlockSequences(np.array([0, 3, 1, 4, 0, 1, 1]), k=2, excess=4)
    rng = np.random.default_rng(1)
    for cost in sequences.costs():
        every = {str(raises) for raises in sequences.of_cost(cost)}
        assert {str(sequences.at_random(cost, rng)) for _ in range(60 * len(every))} == every


def test_costs_that_were_not_kept_are_refused() -> None:
    with pytest.raises(InvalidInput, match="up to 2 were kept"):
        next(BlockSequences(np.array([0, 3, 1, 4, 0, 1, 1]), k=2).of_cost(3))


@pytest.mark.parametrize("k", [0, 6])
def test_k_outside_the_number_of_vertices_is_refused(k: int) -> None:
    with pytest.raises(InvalidInput, match="between 1 and the number of vertices"):
        minimum_raises(np.array([2, 3]), k)
    with pytest.raises(InvalidInput, match="between 1 and the number of vertices"):
        BlockSequences(np.array([2, 3]), k)


def test_raising_more_than_a_block_holds_is_our_bug() -> None:
    with pytest.raises(BrokenClaim):
        apply_raises(np.array([1, 1]), merge_raises(np.array([0]), np.array([1]), np.array([2])))


def test_the_sequences_of_the_paper_s_figure_2_are_both_found() -> None:
    blocks = np.array([0, 3, 1, 4, 0, 1, 1])
    found = [apply_raises(blocks, raises).tolist() for raises in BlockSequences(blocks, 2).of_cost(2)]
    assert sorted(found) == [[0, 2, 2, 4, 0, 0, 2], [0, 3, 0, 5, 0, 0, 2]]


def test_a_degree_of_thousands_is_enumerated_too() -> None:
    blocks = np.zeros(5001, dtype=np.int64)
    blocks[[1, 4999, 5000]] = 9, 1, 1
    assert [raises.target.tolist() for raises in BlockSequences(blocks, 2).of_cost(1)] == [[5000]]


@given(
    blocks=block_sequences(max_degree=12, max_size=60),
    k=st.integers(2, 6),
    weights=st.sampled_from([(1, 0), (1, 1), (0, 2)]),
    knee=st.integers(0, 12),
    reward=st.integers(0, 8),
)
@settings(max_examples=300, deadline=None)
def test_cutting_large_blocks_changes_no_cost(
    blocks: np.ndarray, k: int, weights: tuple[int, int], knee: int, reward: int
) -> None:
    k = min(k, int(blocks.sum()))
    base, over = weights
    reward = min(reward, knee) if base else 0
    whole = np.repeat(np.arange(blocks.size)[::-1], blocks[::-1])
    expected = best_groups(whole, k, base, over, knee, 1, np.full_like(whole, reward))[0][-1]
    assert minimum_raises(blocks, k, SequenceCost(base, over, knee, reward))[1] == expected
