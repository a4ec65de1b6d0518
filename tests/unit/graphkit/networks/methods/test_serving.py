"""Candidates that serve a violated set, and those that they meet after it."""

import numpy as np

from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import most_violated
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._candidate import candidate_of
from graphkit.networks.methods._serving import serving
from graphkit.networks.sequences.violated_set_dp import cheapest_groups


def positions_of(n: int, k: int) -> Positions:
    """Return a dense graph with hubs that know nearly all."""
    chance = 1 / np.arange(1, n + 1)
    ends = np.random.default_rng(3).choice(n, (20 * n, 2), p=chance / chance.sum())
    view = IgraphView.of(SimpleGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], n))
    return Positions.of(view, k, n)


def test_sets_are_served_until_none_is_in_the_way() -> None:
    positions = positions_of(150, 15)
    start = candidate_of(positions, cheapest_groups(positions.degrees, 15))
    assert start.violated_set is not None
    budget = Budget()
    found = serving(positions, start.violated_set, 2 * start.estimate, budget)
    assert found is not None
    assert found.missing * 10 < start.missing
    assert (found.demands >= 0).all()
    assert np.unique(positions.degrees + found.demands, return_counts=True)[1].min() >= 15
    met = most_violated(positions.core, found.demands, [start.violated_set.members])
    assert (0 if met is None else met.excess) <= found.missing
    assert budget.work > 0
    # the same again, and nothing below what it takes
    again = serving(positions, start.violated_set, 2 * start.estimate, Budget())
    assert again is not None
    assert again.key == found.key
    assert serving(positions, start.violated_set, start.estimate // 2, Budget()) is None


def test_what_is_spent_is_enough() -> None:
    positions = positions_of(80, 8)
    start = candidate_of(positions, cheapest_groups(positions.degrees, 8))
    assert start.violated_set is not None
    assert serving(positions, start.violated_set, 1 << 40, Budget(work_limit=1)) is None
