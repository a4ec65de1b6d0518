"""Pricing of stars, against all sets of others."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.bounding.stars import nearest, price
from graphkit.microdata.generalization.bounding.whole import UNIT, whole_losses
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of

ATTRIBUTES = (numeric([0, 1, 2, 5, 9, 14]), nominal(4, weight=2.0), hierarchical([3, 3, 4, 4, 4], 3), nominal(66))
LAYOUT = whole_losses(layout_of(ATTRIBUTES))
SIZES = [attribute.size for attribute in ATTRIBUTES]


def priced(
    codes: np.ndarray, prices: np.ndarray, slots: int, most: int, size: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lists, nears, _ = nearest(LAYOUT, codes, size)
    stars = np.ascontiguousarray(lists[:, :slots])
    lows, highs = np.empty(len(codes)), np.empty(len(codes))
    price(LAYOUT, codes, lists, nears, prices, stars, most, lows, highs)
    return stars, lows, highs


def value(codes: np.ndarray, prices: np.ndarray, star: tuple[int, ...]) -> float:
    loss = losses_of(LAYOUT, joined(LAYOUT, codes, np.array([star])))[0]
    return float(loss - prices[list(star[1:])].sum())


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 11), st.integers(1, 5), st.sampled_from([0.0, 0.02, 0.3, 2.0]), st.integers(0, 2**32 - 1))
def test_stars_are_the_best_of_all_and_bounds_hold_where_the_search_is_cut(
    n: int, slots: int, spread: float, seed: int
) -> None:
    slots = min(slots, n - 1)
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, SIZES, size=(n, len(SIZES)))
    codes[:, 3] = np.where(codes[:, 3] < 33, 2, 64)
    prices = np.round(rng.normal(0.1, spread, size=n) * UNIT)
    stars, lows, highs = priced(codes, prices, slots, 1 << 20, n - 1)
    _, cut, reached = priced(codes, prices, slots, 1 + seed % 4, n - 1)
    for j in range(n):
        others = [i for i in range(n) if i != j]
        best = min(value(codes, prices, (j, *chosen)) for chosen in combinations(others, slots))
        # whole numbers: no tolerance
        assert lows[j] == highs[j] == best
        assert value(codes, prices, (j, *stars[j])) == best
        assert len({j, *stars[j]}) == slots + 1
        assert cut[j] <= best <= reached[j]


@pytest.mark.parametrize("size", [3, 10, 39])
def test_nearest_are_those_of_all_pairs(size: int) -> None:
    codes = np.random.default_rng(4).integers(0, SIZES, size=(40, 4))
    lists, nears, beyond = nearest(LAYOUT, codes, size)
    for j in range(40):
        pairs = [(value(codes, np.zeros(40), (j, i)), i) for i in range(40) if i != j]
        assert set(zip(nears[j].tolist(), lists[j].tolist(), strict=True)) <= set(pairs)
        assert nears[j].tolist() == [near for near, _ in sorted(pairs)[:size]]
        assert beyond[j] == (sorted(pairs)[size][0] if size < 39 else np.inf)


def test_whole_losses_are_at_most_what_they_round() -> None:
    codes = np.random.default_rng(5).integers(0, SIZES, size=(200, 4))
    covered = np.random.default_rng(6).integers(0, 200, size=(300, 4))
    exact = losses_of(layout_of(ATTRIBUTES), joined(layout_of(ATTRIBUTES), codes, covered)) * UNIT
    whole = losses_of(LAYOUT, joined(LAYOUT, codes, covered))
    assert np.array_equal(whole, np.round(whole))
    assert (np.abs(exact - whole) <= 2 * len(ATTRIBUTES)).all()
