"""Who ends in the first groups: others than the first vertices where those know each other."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks import anonymize
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._candidate import candidate_of
from graphkit.networks.methods._top_groups import with_other_tops
from graphkit.networks.sequences.violated_set_dp import cheapest_groups
from tests.support.strategies import graphs


def two_kinds_of_hubs(hubs: int, seed: int) -> SimpleGraph:
    """Equally many of about the same degree: some know each other, the others nobody of them; one has more."""
    rng = np.random.default_rng(seed)
    edges = [(i, j) for i in range(hubs) for j in range(i)]
    place = 2 * hubs
    for hub in range(2 * hubs):
        degree = int(rng.integers(0, 9)) + (4 if hub < hubs else hubs) + (40 if hub == 0 else 0)
        edges += [(hub, place + i) for i in range(degree)]
        place += degree
    return SimpleGraph.from_edges(np.array(edges), place)


@given(graph=graphs(min_n=4, max_n=14), k=st.integers(2, 4))
@settings(max_examples=150, deadline=None)
def test_every_degree_stays_and_every_level_holds_k(graph: SimpleGraph, k: int) -> None:
    positions = Positions.of(IgraphView.of(graph), k, graph.n)
    start = candidate_of(positions, cheapest_groups(positions.degrees, k))
    for candidate in with_other_tops(positions, start):
        assert candidate.demands.min() >= 0
        _, sizes = np.unique(positions.degrees + candidate.demands, return_counts=True)
        assert sizes.min() >= k
        assert candidate.missing >= 0
        assert (candidate.violated_set is None) == (candidate.missing == 0)


def test_hubs_that_know_each_other_give_way() -> None:
    positions = Positions.of(IgraphView.of(two_kinds_of_hubs(30, seed=3)), 25, 400)
    start = candidate_of(positions, cheapest_groups(positions.degrees, 25))
    best = min(with_other_tops(positions, start), key=lambda c: c.estimate)
    assert best.estimate < start.estimate
    # fewer of the pairs in the highest group know each other than among the first vertices
    above = np.flatnonzero((positions.degrees + best.demands)[: positions.core.size] == positions.degrees[0])
    assert positions.core.joinable[np.ix_(above, above)].sum() > positions.core.joinable[:25, :25].sum()


def test_what_they_promise_is_found() -> None:
    graph = two_kinds_of_hubs(40, seed=1)
    positions = Positions.of(IgraphView.of(graph), 30, 400)
    start = candidate_of(positions, cheapest_groups(positions.degrees, 30))
    best = min(candidate.estimate for candidate in with_other_tops(positions, start))
    assert 2 * anonymize(graph, 30, seed=1, effort=1.0).size <= best < 0.9 * start.estimate
