"""More demand below the hubs: exactly so much, of others than the hubs, also where the core is the whole graph."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import most_violated
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._candidate import candidate_of, candidate_with
from graphkit.networks.methods._more_demand import MoreDemand, Wanted
from graphkit.networks.sequences.degree_raises import apply_raises
from graphkit.networks.sequences.violated_set_dp import cheapest_groups
from tests.support.strategies import graphs


def after(view: IgraphView, positions: Positions, wanted: Wanted) -> np.ndarray:
    """Return how many vertices end at each degree."""
    return apply_raises(view.block_sequence(), wanted.raises(positions.core))


def test_the_lower_part_of_a_core_that_is_the_whole_graph_is_raised() -> None:
    clique = list(combinations(range(6), 2))
    paths = [(v, v + 1) for v in range(6, 66, 3)] + [(v + 1, v + 2) for v in range(6, 66, 3)]
    graph = SimpleGraph.from_edges([*clique, (0, 66), (1, 67), *paths], 68)
    view = IgraphView.of(graph)
    for limit in (10, graph.n):
        positions = Positions.of(view, 3, limit)
        demands = np.zeros_like(positions.degrees)
        demands[2:6] = 1
        candidate = candidate_with(positions.degrees, demands, most_violated(positions.core, demands))
        assert candidate.missing == 4
        more = MoreDemand(view.block_sequence(), positions, np.random.default_rng(1), by_groups=False)
        wanted = more.raised(candidate, missing=4, limit=20)
        assert wanted is not None
        assert wanted.total == 8
        assert wanted.hubs[:6].tolist() == [0, 0, 1, 1, 1, 1]
        blocks = after(view, positions, wanted)
        assert blocks[blocks > 0].min() >= 3
        assert more.raised(candidate, missing=4, limit=8) is None


@given(graph=graphs(min_n=6, max_n=30), k=st.integers(2, 4), by_groups=st.booleans(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_raised_is_so_much_or_more_and_still_anonymous(
    graph: SimpleGraph, k: int, by_groups: bool, data: st.DataObject
) -> None:
    view = IgraphView.of(graph)
    positions = Positions.of(view, k, data.draw(st.integers(1, graph.n)))
    candidate = candidate_of(positions, cheapest_groups(positions.degrees, k))
    more = MoreDemand(view.block_sequence(), positions, np.random.default_rng(1), by_groups=by_groups)
    missing, limit = data.draw(st.integers(0, 12)), data.draw(st.integers(1, 60))
    wanted = more.raised(candidate, missing, limit)
    if wanted is not None:
        assert wanted.total % 2 == 0
        assert int(candidate.demands.sum()) + missing <= wanted.total < limit
        blocks = after(view, positions, wanted)
        assert blocks.sum() == graph.n
        assert blocks[blocks > 0].min() >= k
