"""Who leads among the highest vertices: those who ask for least beside what they could be joined to."""

import numpy as np
import pytest

from graphkit.networks.bounds.top_set import top_set_bound
from graphkit.networks.bounds.top_sets.weight import TopSetWeight
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView


def every_other_one_knows_each_other(hubs: int) -> SimpleGraph:
    """Hubs of falling degrees, of which those of odd number know all others of odd number."""
    edges = [(i, j) for i in range(1, hubs, 2) for j in range(1, i, 2)]
    place = hubs
    for i in range(hubs):
        own = 3 * hubs - (2 * (i + 1) + hubs // 2 - 1 if i % 2 else 2 * (i + 1) if i else 0)
        edges += [(i, place + j) for j in range(own)]
        place += own
    return SimpleGraph.from_edges(np.array(edges), place)


def test_leaders_are_chosen_by_what_they_could_be_joined_to(monkeypatch: pytest.MonkeyPatch) -> None:
    view = IgraphView.of(every_other_one_knows_each_other(16))
    best = top_set_bound(view, 16, target=5_000)
    create = TopSetWeight.__init__

    def by_degree(self: TopSetWeight, positions: Positions) -> None:
        create(self, positions)
        self._order = np.arange(positions.k)

    monkeypatch.setattr(TopSetWeight, "__init__", by_degree)
    assert top_set_bound(view, 16, target=5_000) < best


def test_a_window_of_large_groups_is_looked_at_to_the_end_with_little_work() -> None:
    # a core that gets thinner: nearly any number of leaders tells enough, and which one, its neighbours know
    weights = (np.arange(1000) + 10) ** -0.9
    ends = np.random.default_rng(2).choice(1000, size=(10_000, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(ends, 1000))
    at_last = top_set_bound(view, 20, target=1740, work=10**9)
    assert top_set_bound(view, 20, target=1740, work=300_000) == at_last
