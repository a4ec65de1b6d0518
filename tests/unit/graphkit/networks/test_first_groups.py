"""What the tree of groups can say least of is rounded, and the search begins there."""

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import anonymize
from graphkit.networks.bounds.diagram._rounding import rounded_places
from graphkit.networks.bounds.group_tree import GroupTrees
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import violated_set_of
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.graphs.overlay_view import OverlayView
from graphkit.networks.methods._candidate import candidate_from
from graphkit.networks.methods._hub_search import HubSearch
from graphkit.networks.methods.lower.around_best import around_best
from graphkit.networks.risk.degree_risk import is_k_anonymous
from tests.support.strategies import graphs


def gifted(n: int, density: float, seed: int) -> SimpleGraph:
    """Return a graph whose pairs are adjacent by what both have, some much more than others."""
    rng = np.random.default_rng(seed)
    own = np.exp(rng.normal(0, 0.9, n))
    chances = np.outer(own, own)
    chances *= density * n * n / chances.sum()
    return SimpleGraph.from_edges(np.argwhere(np.triu(rng.random((n, n)) < np.minimum(chances, 1), 1)), n)


@given(data=st.data(), places=st.lists(st.integers(1, 3), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_what_is_rounded_keeps_most_of_the_shares_and_fills_each_level(data: st.DataObject, places: list[int]) -> None:
    number = sum(places)
    shares = [
        data.draw(st.lists(st.integers(-1, 4), min_size=len(places), max_size=len(places))) for _ in range(number)
    ]
    columns = [(v, level) for v, row in enumerate(shares) for level, share in enumerate(row) if share >= 0]
    vertex, level = np.array(columns, dtype=np.int64).reshape(-1, 2).T
    values = np.array([shares[v][i] / 4 for v, i in columns])
    found = rounded_places(vertex, level, np.array(places), values)
    slots = [index for index, count in enumerate(places) for _ in range(count)]
    ways = [way for way in permutations(slots) if all(shares[v][i] >= 0 for v, i in enumerate(way))]
    assert (found is None) == (not ways)
    if found is not None:
        assert sorted(found.tolist()) == slots
        best = max(sum(shares[v][i] for v, i in enumerate(way)) for way in ways)
        assert sum(shares[v][i] for v, i in enumerate(found.tolist())) == best


@given(graph=graphs(min_n=6, max_n=14), k=st.integers(2, 4))
@settings(max_examples=80, deadline=None)
def test_a_tree_says_groups_that_a_candidate_can_begin_with(graph: SimpleGraph, k: int) -> None:
    view = IgraphView.of(graph)
    trees, positions = GroupTrees(view, k), Positions.of(view, k, graph.n)
    trees.ask(anonymize(view, k, effort=0.01).size + 1, 0, SECOND // 4, Budget())
    first = trees.first_groups
    if first is None:
        return
    degrees, ends = positions.degrees, first.ends
    assert (ends >= degrees[: ends.size]).all()
    counts = np.unique(ends, return_counts=True)[1]
    assert counts.min(initial=k) >= k
    candidate = candidate_from(positions, first)
    if candidate is not None:
        assert candidate.demands[: ends.size].tolist() == (ends - degrees[: ends.size]).tolist()
        assert is_k_anonymous(np.bincount(degrees + candidate.demands), k)


def test_groups_that_do_not_fit_are_no_beginning() -> None:
    positions = Positions.of(IgraphView.of(gifted(20, 0.3, 1)), 3, 20)
    degrees = positions.degrees
    too_low = FirstGroups(degrees[:4] - 1, 0, is_last=False)
    too_many = FirstGroups(np.full(18, degrees[0]), int(degrees[18]), is_last=False)
    assert candidate_from(positions, too_low) is None
    assert candidate_from(positions, too_many) is None


def test_the_search_realizes_what_a_bound_begins_with() -> None:
    """A bound found the groups of the best set, and nobody had looked there."""
    graph = gifted(60, 0.3, 1)
    view, k = IgraphView.of(graph), 12
    best = anonymize(view, k, seed=1, effort=1)
    assert best.size < anonymize(view, k, method="liu-terzi", seed=1, effort=0.1).size
    search = HubSearch(view, k, np.random.default_rng(2), Budget())
    core = search._core
    added = np.bincount(best.edges.ravel(), minlength=graph.n)[core.vertices]
    search.first_groups = FirstGroups(core.degrees + added, 0, is_last=True)
    found = [edges for edges in search._first_ones(best.size + 5) if edges is not None]
    assert [edges.shape[0] for edges in found] == [best.size]
    assert is_k_anonymous(OverlayView(view, found[0]).block_sequence(), k)
    # once is enough
    assert search.first_groups is None
    assert not list(search._first_ones(best.size + 5))


def test_all_below_the_first_group_is_chosen_anew() -> None:
    graph, k = gifted(60, 0.3, 1), 12
    view = IgraphView.of(graph)
    search = HubSearch(view, k, np.random.default_rng(1), Budget())
    core = search._core
    worse = anonymize(view, k, method="liu-terzi", seed=1, effort=0.1).edges
    known = [violated_set_of(core, np.arange(core.size) < number).members for number in (3, 6, 12)]
    budget = search._budget
    found = around_best(search._serving_sets, search._positions, worse, known, worse.shape[0], budget)
    assert found is not None
    assert found.shape[0] < worse.shape[0]
    assert is_k_anonymous(OverlayView(view, found).block_sequence(), k)
    assert 0 < budget.work < 10 * SECOND
