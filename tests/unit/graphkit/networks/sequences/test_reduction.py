"""Rule 1 never changes what a sequence costs at least."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphkit.networks.sequences.degree_raises import natural_raises
from graphkit.networks.sequences.position_dp import minimum_raises
from graphkit.networks.sequences.reduction import reduce_blocks


@st.composite
def sequences(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    """Block sequences of sizes around those at which the rule begins to hold."""
    k = draw(st.integers(2, 5))
    sizes = st.sampled_from([0, 1, k - 1, k, k + 1, 2 * k - 1, 2 * k, 3 * k])
    blocks = draw(st.lists(sizes, min_size=2, max_size=12))
    return np.array([*blocks, 2 * k]), k


@given(sequences())
@example((np.array([1, 3, 2, 8]), 3))
@settings(max_examples=500, deadline=None)
def test_the_minimum_is_what_was_solved_plus_what_is_left(drawn: tuple[np.ndarray, int]) -> None:
    blocks, k = drawn
    reduced = reduce_blocks(blocks, k)
    solved = natural_raises(blocks, reduced)
    assert minimum_raises(blocks, k)[1] == solved.cost + minimum_raises(reduced, k)[1]
    assert np.all(solved.target - solved.source == 1)


def test_patterns_that_double_the_sequences_are_solved() -> None:
    # the paper's example with exponentially many cheapest sequences
    blocks = np.array([0, *[3, 1] * 20, 3])
    reduced = reduce_blocks(blocks, 2)
    assert np.all((reduced == 0) | (reduced >= 2))
    assert natural_raises(blocks, reduced).cost == 20


def test_nothing_is_done_where_a_single_step_is_not_enough() -> None:
    blocks = np.array([9, 0, 1, 0, 9])
    assert reduce_blocks(blocks, 2).tolist() == blocks.tolist()
