"""The program with a variable for every pair: no more than brute force finds, and much where hubs lack few pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.networks import near_clique
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks import anonymize
from graphkit.networks.bounds import hub_pairs
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.hub_pairs import HubPairs, hub_pairs_bound
from graphkit.networks.bounds.hub_program import hub_program_bound
from graphkit.networks.bounds.programs import pairs as program_pairs
from graphkit.networks.bounds.programs.groups import choices_of
from graphkit.networks.bounds.programs.pairs import PairProgram
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs


@pytest.fixture(params=[(2, 0), (3, 600), (4, 0), (64, 0), (64, 600)])
def hubs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Ask about so many hubs, whether they know each other or not; and demand all of a pair at once, or when needed."""
    hubs, few = request.param
    monkeypatch.setattr(
        hub_pairs,
        "_numbers",
        lambda positions: ([min(hubs, positions.core.size)], min(2 * hubs, positions.core.size), [1]),
    )
    monkeypatch.setattr(program_pairs, "_FEW_PAIRS", few)
    return int(hubs)


def test_the_bound_holds_on_every_graph_with_up_to_five_vertices(hubs: int) -> None:
    tight = 0
    for graph, k in all_graphs():
        if graph.n <= 5:
            least = minimum_edges(graph, k)
            found = hub_pairs_bound(IgraphView.of(graph), k, target=least + 3)
            assert found <= least
            tight += found == least
    assert tight > 50


@pytest.mark.usefixtures("hubs")
@given(graph=graphs(min_n=6, max_n=8), k=st.integers(2, 4), more=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_for_every_target(graph: SimpleGraph, k: int, more: int) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:  # sparse ones take too many subsets to try
        return
    least = minimum_edges(graph, k)
    assert hub_pairs_bound(IgraphView.of(graph), k, target=least + more) <= least


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few hubs be a near-clique as well."""
    monkeypatch.setattr(hub_pairs, "_FEWEST", 5)


@pytest.mark.usefixtures("small")
@given(seed=st.integers(0, 10_000), hubs=st.integers(5, 7), k=st.integers(2, 3))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_where_hubs_nearly_all_know_each_other(seed: int, hubs: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(hubs, 1))
    clique = pairs[rng.random(pairs.shape[0]) < 0.85]
    friends = np.column_stack((rng.integers(0, hubs, 5), hubs + rng.integers(0, 3, 5)))
    graph = SimpleGraph.from_edges(np.concatenate((clique, friends)), hubs + 3)
    least = minimum_edges(graph, k)
    assert hub_pairs_bound(IgraphView.of(graph), k, target=least + 2) <= least


def near_clique_of(hubs: int, seed: int) -> IgraphView:
    """A power law whose first vertices nearly all know each other."""
    return IgraphView.of(near_clique(12 * hubs, hubs, 0.9, seed))


def test_it_proves_what_no_other_bound_does() -> None:
    view = near_clique_of(32, 2)
    result = anonymize(view, 4, effort=2)
    assert result.proven["hub-pairs"] == result.lower_bound
    others = max(bound(view, 4, target=result.size) for bound in (group_diagram_bound, hub_program_bound))
    assert others < result.lower_bound <= result.size


def test_it_is_cut_short_by_work_and_time_and_the_same_each_time() -> None:
    view = near_clique_of(48, 3)
    size = anonymize(view, 6, effort=1).size
    pairs = HubPairs(view, 6)
    assert pairs.is_near_clique
    least = pairs.least_work(size)
    answers = [HubPairs(view, 6).ask(size, 3, work, Budget()) for work in (1, least // 3, least // 3, 8 * SECOND)]
    assert answers[0] == (3, True)
    assert answers[1] == answers[2]
    assert answers[1][1]
    assert 3 < answers[1][0] <= answers[3][0] <= size
    ticks = iter(range(1000))
    spent = Budget(lambda: float(next(ticks)), time_limit=0.5)
    assert pairs.ask(size, 3, 8 * SECOND, spent)[0] <= answers[3][0]
    assert pairs.ask(size, size, SECOND, Budget()) == (size, False)


def test_a_part_of_the_program_of_a_whole_near_clique_comes_before_smaller_ones() -> None:
    view = near_clique_of(48, 3)
    pairs = HubPairs(view, 6)
    pairs.least_work(83)
    whole = pairs._choice(max(pairs._near_cliques))
    assert whole is not None
    assert pairs.ask(83, 3, whole.least, Budget())[1]
    assert list(pairs._begun) == [whole.hubs] == [max(pairs._near_cliques)]
    # those who may end among its last come when it has said all it can
    bound, is_open = pairs.ask(83, 3, 30 * SECOND, Budget())
    assert is_open
    assert pairs.ask(83, bound, SECOND, Budget())[0] >= bound
    assert min(pairs._begun) == whole.hubs + 3


def test_more_work_after_an_interruption_proves_what_it_proves_at_once() -> None:
    view = near_clique_of(48, 3)
    size = anonymize(view, 6, effort=1).size
    pairs = HubPairs(view, 6)
    first, is_cut = pairs.ask(size, 3, pairs.least_work(size) // 12, Budget())
    assert is_cut
    later = pairs.ask(size, first, 8 * SECOND, Budget())
    assert first < later[0]
    assert later == HubPairs(view, 6).ask(size, 3, 8 * SECOND, Budget())


def test_of_fewer_vertices_than_are_tried_there_is_nothing_to_ask() -> None:
    star = IgraphView.of(SimpleGraph.from_edges(np.array([(0, leaf) for leaf in range(1, 9)]), 9))
    assert not HubPairs(star, 2).is_near_clique
    assert hub_pairs_bound(star, 2, target=5, known=1) == 1
    assert "hub-pairs" not in anonymize(star, 2).proven


def test_hubs_that_hardly_know_each_other_are_asked_about_as_well_more_of_them_with_more_work() -> None:
    view = IgraphView.of(near_clique(300, 40, 0.5, 1))
    assert not HubPairs(view, 5).is_near_clique
    size = anonymize(view, 5, effort=1).size
    pairs, known, hubs = HubPairs(view, 5), 0, []
    for work in (5_000, 50_000, SECOND):
        found, _ = pairs.ask(size, known, work, Budget())
        assert known <= found <= size
        known = found
        hubs.append(max(pairs._begun))
    assert known > 0
    assert hubs == sorted(hubs)
    assert hubs[0] < hubs[-1]


def test_a_program_serves_for_a_target_that_is_little_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_pairs, "_NEAR", 0.9)
    view = near_clique_of(24, 1)
    size = anonymize(view, 4, effort=1).size
    pairs = HubPairs(view, 4)
    least = pairs.least_work(size + 1) // 8
    first = pairs.ask(size + 1, 0, least, Budget())[0]
    begun = pairs._begun
    assert first <= pairs.ask(size, first, least, Budget())[0] <= size
    assert pairs._begun is begun
    # what is impossible below a smaller target may be possible below a larger one
    for other in (size // 2, size + 1):
        pairs.ask(other, 0, 2 * SECOND, Budget())
        assert pairs._begun is not begun
        begun = pairs._begun


@given(seed=st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_the_set_that_lacks_most_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(9, 1))
    graph = SimpleGraph.from_edges(pairs[rng.random(pairs.shape[0]) < 0.4], 9)
    positions = Positions.of(IgraphView.of(graph), 2, 600)
    choices = choices_of(positions, 4, 12)
    if choices is None:
        return
    program = PairProgram(positions, 4, *choices)
    program.relaxed(12, 50, 1 << 60, Budget())
    values = program._values()
    asked, _, supplied = program._demanded(values)
    for ends in program._ends:
        np.subtract.at(asked, ends, values[program.size :])
    lacking = max(
        asked[list(members)].sum() - supplied[size] for size in range(1, 5) for members in combinations(range(4), size)
    )
    # what others know already tells of those who lack most, for each number
    order = np.argsort(-asked, kind="stable")
    told = max(float(program._supplied(np.isin(range(4), order[:size])) @ values) for size in range(1, 5))
    assert told >= lacking - 0.001
    # rows of whole numbers may be new although nobody lacks anything; what is violated little waits for them
    joined = np.where(program._pairs < 0, 0.0, values[program._pairs])
    others = program._levels.violated(values) + program._leaders.violated(values, joined)
    is_other = bool(others + program._partners.violated(values, joined))
    assert program.separate() == (told > 0.02 or is_other)


def test_those_behind_a_near_clique_are_gone_on_with_where_their_program_proves_more() -> None:
    # hubs that get fewer step by step; of the first fifteen alone nothing more than 35 is proven
    rng = np.random.default_rng([2, 100, 700])
    weights = (np.arange(100) + 3.0) ** -1
    pairs = rng.choice(100, size=(700, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(pairs[pairs[:, 0] != pairs[:, 1]], 100))
    asked = HubPairs(view, 3)
    assert asked.is_near_clique
    near, known, is_open, work = max(asked._near_cliques), 0, True, SECOND // 20
    told = []
    while is_open and work < 10 * SECOND:
        known, is_open = asked.ask(38, known, work, Budget())
        told.append((max(asked._begun), known))
        work *= 2
    assert told[0][1] == 35
    assert told[-1] == (asked._wider, 37)
    # of its own program no more is known: the other was gone on with
    assert asked._begun[near].value <= 70


def test_of_a_near_clique_without_an_end_smaller_programs_come_first_and_the_best_is_branched_on() -> None:
    weights = (np.arange(150) + 4.0) ** -0.9
    pairs = np.random.default_rng(3).choice(150, size=(6000, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(pairs[pairs[:, 0] != pairs[:, 1]], 150))
    asked, known, is_open, work = HubPairs(view, 6), 0, True, 7_500
    begun = []
    while is_open:
        known, is_open = asked.ask(158, known, work, Budget())
        begun.append(sorted(asked._begun))
        work *= 4
    *small, first = sorted(asked._near_cliques)
    assert begun[:3] == [small[:1], small[:2], [*small[:2], first]]
    # the program of those behind as well proves less; before, it ended all
    assert known == 158
