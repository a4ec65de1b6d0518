"""Sequences in which sets find their partners: the dynamic program is exact in its order, and the sets are served."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import most_violated
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.sequences.serving_dp import FIRST_PRICE, SHARES, UNIT, _cheapest_levels, serving_demands
from graphkit.networks.sequences.violated_set_dp import cheapest_groups, group_demands


def cost_of(demands: np.ndarray, caps: np.ndarray, prices: np.ndarray) -> int:
    given = np.where(caps < 0, -demands[:, None], np.minimum(demands[:, None], caps))
    return int(UNIT * demands.sum() - (given * prices).sum())


@given(
    degrees=st.lists(st.integers(0, 7), min_size=1, max_size=9),
    k=st.integers(1, 4),
    seed=st.integers(0, 1000),
    sets=st.integers(1, 2),
)
@settings(max_examples=150, deadline=None)
def test_no_runs_of_levels_cost_less(degrees: list[int], k: int, seed: int, sets: int) -> None:
    ordered, rng = np.array(degrees, dtype=np.int64), np.random.default_rng(seed)
    size, k = ordered.size, min(k, ordered.size)
    caps, prices = rng.integers(-1, 6, (size, sets)), rng.integers(1, 300, sets)
    levels = np.unique(np.append(ordered, ordered.max() + 2))
    found = _cheapest_levels(ordered, caps, levels, k, prices)
    assert (found >= ordered).all()
    assert np.unique(found, return_counts=True)[1].min() >= k
    best = {0: 0}
    for end in range(k, size + 1):
        costs = [
            best[begin] + cost_of(level - ordered[begin:end], caps[begin:end], prices)
            for begin in best
            if end - begin >= k
            for level in levels.tolist()
            if level >= ordered[begin:end].max()
        ]
        best |= {end: min(costs)} if costs else {}
    assert cost_of(found - ordered, caps, prices) == best[size]


def test_sets_are_served_by_whom_they_can_be_joined_to() -> None:
    rng = np.random.default_rng(3)
    ends = rng.choice(120, (2500, 2), p=1 / np.arange(1, 121) / (1 / np.arange(1, 121)).sum())
    view = IgraphView.of(SimpleGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], 120))
    positions = Positions.of(view, 12, 120)
    borders = cheapest_groups(positions.degrees, 12)
    natural = group_demands(positions.degrees, borders, positions.degrees[borders[:-1]])
    lacking = most_violated(positions.core, natural)
    assert lacking is not None
    assert lacking.excess > 0
    exponents, totals = np.array([FIRST_PRICE]), []
    for share in range(SHARES + 1):
        demands, _, rounds = serving_demands(positions.degrees, 12, [lacking], exponents, share, 1 << 40)
        caps = lacking.caps(demands.size)
        given = np.where(caps < 0, -demands, np.minimum(demands, caps)).sum()
        assert -given <= 2 * lacking.pairs
        assert rounds > 1
        assert np.unique(positions.degrees + demands, return_counts=True)[1].min() >= 12
        totals.append(int(demands.sum()))
    # no share is best everywhere; here whoever can be joined to many is to end higher than by degree
    assert min(totals[1:]) < totals[0]
    # below what was found nothing is
    assert serving_demands(positions.degrees, 12, [lacking], exponents, 0, int(natural.sum()))[0].size == 0
