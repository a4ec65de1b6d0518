"""The tree of groups proves what brute force finds, whatever it is cut short by."""

from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.networks import barabasi_albert
from graphkit.budget import Budget
from graphkit.networks.bounds import group_tree
from graphkit.networks.bounds.diagram import _hub_sets, tree
from graphkit.networks.bounds.diagram._hub_sets import HubSet, inequality_of
from graphkit.networks.bounds.diagram._prefix_program import (
    NO_REASONS,
    NOTHING_BARRED,
    Beginning,
    PrefixProgram,
    Reasons,
)
from graphkit.networks.bounds.diagram._rounding import fit
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.group_tree import GroupTrees, group_tree_bound
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.solver import new_solver
from graphkit.words import packed
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs


def view_of(graph: nx.Graph) -> IgraphView:
    return IgraphView.of(SimpleGraph.from_edges(np.array(graph.edges()), graph.number_of_nodes()))


def near_clique(seed: int) -> IgraphView:
    """Hubs that nearly all know each other, and leaves."""
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(12, 0.9, seed=seed)
    for leaf in range(12, 60):
        graph.add_edge(int(rng.integers(12) ** 2 // 12), leaf)
    return view_of(graph)


def test_the_bound_holds_on_every_graph_with_up_to_five_vertices() -> None:
    tight = 0
    for graph, k in all_graphs():
        if graph.n <= 5:
            least = minimum_edges(graph, k)
            found = group_tree_bound(IgraphView.of(graph), k, target=least + 3)
            assert found <= least
            tight += found == least
    assert tight > 50


@given(
    graph=graphs(min_n=6, max_n=8),
    k=st.integers(2, 4),
    more=st.integers(0, 3),
    core=st.sampled_from([4, 6, 600]),
    worth=st.sampled_from([0.0, 0.04, 2.0]),
    nodes=st.sampled_from([3, 1000]),
    luck=st.sampled_from([0.0, 0.35, 2.0]),
)
@settings(max_examples=80, deadline=None)
def test_the_bound_holds_for_every_target_and_way_to_branch(
    graph: SimpleGraph, k: int, more: int, core: int, worth: float, nodes: int, luck: float
) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:  # sparse ones take too many subsets to try
        return
    least = minimum_edges(graph, k)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(group_tree, "_CORE", core)
        patched.setattr(tree, "_WORTH", worth)
        patched.setattr(tree, "_NODES", nodes)
        patched.setattr(tree, "_LUCK", luck)
        assert group_tree_bound(IgraphView.of(graph), k, target=least + more) <= least


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_questions_one_after_another_prove_as_much_as_one(seed: int) -> None:
    view = near_clique(seed)
    whole = group_tree_bound(view, 3, target=60, work=400_000)
    trees = GroupTrees(view, 3)
    found = [trees.ask(60, 0, 20_000, Budget())[0] for _ in range(20)]
    assert found == sorted(found)
    assert found[-1] > 0
    # the last step of each question goes beyond its work
    assert found[-1] >= whole


def test_the_same_question_has_the_same_answer_and_takes_the_same_work() -> None:
    view, spent = near_clique(4), (Budget(), Budget())
    found = [group_tree_bound(view, 3, target=60, work=100_000, budget=budget) for budget in spent]
    assert found[0] == found[1]
    assert spent[0].work == spent[1].work > 0


def test_a_smaller_target_is_asked_about_where_a_larger_one_stopped() -> None:
    trees = GroupTrees(near_clique(2), 3)
    far, _ = trees.ask(60, 0, 300_000, Budget())
    near, is_open = trees.ask(far, 0, 0, Budget())
    assert (near, is_open) == (far, False)


def test_what_reached_a_smaller_target_does_not_count_for_a_larger_one() -> None:
    trees = GroupTrees(near_clique(2), 3)
    far, _ = trees.ask(60, 0, 300_000, Budget())
    trees = GroupTrees(near_clique(2), 3)
    assert trees.ask(far, 0, 300_000, Budget())[0] == far
    assert trees.ask(60, 0, 300_000, Budget())[0] == far


def test_hubs_that_can_be_in_one_of_two_groups_are_told_apart() -> None:
    # the layers of the diagram, with all the work they can do, do not know who is in a group
    view = near_clique(5)
    assert group_diagram_bound(view, 3, target=60) < group_tree_bound(view, 3, target=60, work=3_000_000)


def test_degrees_of_the_group_behind_are_asked_about_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_LAST_TOP", 0)
    view, found = view_of(nx.barabasi_albert_graph(300, 4, seed=9)), []
    for luck in (0.0, 2.0):
        monkeypatch.setattr(tree, "_LUCK", luck)
        trees, budget = GroupTrees(view, 6), Budget()
        found.append((*trees.ask(110, 0, 3_000_000, budget), budget.work))
    (bound, is_open, together), (alone_bound, _, alone) = found
    assert (bound, is_open) == (alone_bound, False) == (110, False)
    assert together < alone


def test_whoever_ends_high_tells_more_than_any_fixed_set(monkeypatch: pytest.MonkeyPatch) -> None:
    # in a fractional solution many share the last places of a level
    monkeypatch.setattr(tree, "_LAST_TOP", 0)
    view = view_of(nx.barabasi_albert_graph(300, 4, seed=9))
    assert group_tree_bound(view, 6, target=110, work=200_000) == 110
    monkeypatch.setattr(_hub_sets, "_with_those_high", lambda *_: [])
    assert group_tree_bound(view, 6, target=110, work=200_000) < 110


def test_sets_that_served_elsewhere_are_tried_where_the_search_finds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    view = IgraphView.of(barabasi_albert(300, 12, 1))
    assert group_tree_bound(view, 6, target=147, work=500_000) == 147
    # however long it takes
    monkeypatch.setattr(tree, "_SERVED", 0)
    assert group_tree_bound(view, 6, target=147, work=1_500_000) < 147


def test_the_hub_is_divided_that_tells_most_of_some_that_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_SERVED", 0)
    view = IgraphView.of(barabasi_albert(400, 5, 1))
    assert group_tree_bound(view, 10, target=195, work=1_000_000) == 195
    monkeypatch.setattr(tree, "_SPLITS", 1)
    assert group_tree_bound(view, 10, target=195, work=1_500_000) < 195


def test_large_groups_are_told_apart_as_well() -> None:
    assert group_tree_bound(view_of(nx.barabasi_albert_graph(300, 4, seed=9)), 40, target=900, work=300_000) > 700


def test_nothing_is_looked_at_where_the_target_is_known() -> None:
    assert group_tree_bound(near_clique(1), 3, target=7, known=7) == 7


def test_what_is_known_already_is_kept_without_time() -> None:
    ticks = iter(range(1000))
    spent = Budget(lambda: float(next(ticks)), 0.5)
    assert group_tree_bound(near_clique(1), 3, target=50, known=7, budget=spent) >= 7


def test_who_is_no_hub_gives_only_those_whom_it_does_not_know_yet() -> None:
    # with one partner less for each whom it knows: 138, where as many partners as hubs were granted to all, 137
    weights = (np.arange(120) + 3) ** -1.0
    ends = np.random.default_rng(2).choice(120, size=(2_500, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], 120))
    assert group_tree_bound(view, 6, target=500, work=500_000) >= 138


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_the_slack_is_no_more_than_what_the_best_assignment_lacks(data: st.DataObject) -> None:
    graph = data.draw(graphs(min_n=5, max_n=7))
    positions = Positions.of(IgraphView.of(graph), 2, 600)
    degrees, n = positions.degrees, positions.degrees.size
    top = int(degrees[0]) + data.draw(st.integers(0, 1))
    levels = np.array(sorted({top, *data.draw(st.sets(st.integers(0, top), max_size=2))}, reverse=True))
    chosen = np.sort(levels[data.draw(st.lists(st.integers(0, levels.size - 1), min_size=n, max_size=n))])[::-1]
    levels, places = np.unique(-chosen, return_counts=True)
    levels = -levels
    lacking = {
        ends: worst_excess(positions, np.array(ends) - degrees)
        for ends in set(product(levels.tolist(), repeat=n))
        if sorted(ends, reverse=True) == chosen.tolist() and (np.array(ends) >= degrees).all()
    }
    if not lacking:
        return
    hubs = data.draw(st.integers(1, n))
    rest = np.zeros((5, 1), dtype=np.int64)
    beginning = Beginning(n, levels, places, hubs, 0, packed(positions.core.joinable), rest)
    solver = new_solver(presolve="off")
    program = PrefixProgram(positions, beginning, (), NOTHING_BARRED, solver)
    expected, some = (np.array(data.draw(st.lists(st.booleans(), min_size=hubs, max_size=hubs))) for _ in range(2))
    for asking in (HubSet(some), HubSet(some, data.draw(st.sampled_from(levels.tolist())), expected)):
        row, right = inequality_of(program._columns, asking)
        columns = list(zip(program._columns.vertex.tolist(), program._columns.level.tolist(), strict=True))
        for ends, excess in lacking.items():
            # positions behind the hubs take the places that these leave, in their order
            taken = [*ends[:hubs], *sorted(ends[hubs:], reverse=True)]
            on = np.array([taken[vertex] == levels[level] for vertex, level in columns])
            assert row @ on - right <= excess
    # what is left unused is about edges, not about demands alone
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_hub_sets, "_MULTIPLIERS", ())
        slack, reasons = program.value(program.look(NO_REASONS), 1 << 30)
    assert 0 <= slack <= min(lacking.values())
    enough = slack + data.draw(st.integers(1, 4))
    for vertex, level in program.too_dear(enough).tolist():
        assert vertex < hubs
        assert all(excess >= enough for ends, excess in lacking.items() if ends[vertex] == level)
    # any multipliers and prices are good for validity
    weights = data.draw(st.lists(st.integers(0, 1 << 18), min_size=len(reasons.sets), max_size=len(reasons.sets)))
    known = levels.tolist()[: data.draw(st.integers(0, levels.size))]
    prices = {level: data.draw(st.integers(-(1 << 21), 1 << 21)) for level in known}
    others = Reasons(reasons.sets, np.array(weights, dtype=np.int64) // max(len(weights), 1), prices)
    assert PrefixProgram(positions, beginning, (), NOTHING_BARRED, solver).look(others) <= slack


@given(graph=graphs(min_n=4, max_n=8), data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_set_of_another_beginning_asks_for_no_more_than_is_lacking(graph: SimpleGraph, data: st.DataObject) -> None:
    # those that end high may be all before the border then, and those behind it end as high
    positions, n = Positions.of(IgraphView.of(graph), 1, 600), graph.n
    demands = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    ends, border = positions.degrees + demands, data.draw(st.integers(1, n - 1))
    order = np.argsort(-ends, kind="stable")
    goal = int(ends[order[border]])
    hubs = int(np.count_nonzero(positions.degrees > goal))
    if not hubs:
        return
    levels, places = np.unique(-ends[order[:border]], return_counts=True)
    rest = np.zeros((5, 1), dtype=np.int64)
    beginning = Beginning(border, -levels, places, hubs, goal, packed(positions.core.joinable), rest)
    columns = PrefixProgram(positions, beginning, (), NOTHING_BARRED, new_solver(presolve="off"))._columns
    others = sorted(
        (end for vertex, end in enumerate(ends) if vertex in order[:border] and vertex >= hubs), reverse=True
    )
    taken = [*ends[:hubs], *others]
    on = np.array([taken[v] == -levels[at] for v, at in zip(columns.vertex, columns.level, strict=True)])
    # of the positions there, not of the vertices
    behind = int(ends[order[border:]].sum() - positions.degrees[border:].sum())
    expected, some = (np.array(data.draw(st.lists(st.booleans(), min_size=hubs, max_size=hubs))) for _ in range(2))
    for asking in (HubSet(some), HubSet(some, data.draw(st.integers(1, int(ends.max()))), expected)):
        row, right = inequality_of(columns, asking)
        assert row @ on - right - behind <= worst_excess(positions, demands)


@given(graph=graphs(min_n=4, max_n=8), data=st.data())
@settings(max_examples=300, deadline=None)
def test_what_is_left_unused_of_a_set_is_no_more_than_it_can_leave(graph: SimpleGraph, data: st.DataObject) -> None:
    # whatever edges are new, with groups lowered to degrees that occur
    positions, n = Positions.of(IgraphView.of(graph), 1, 600), graph.n
    pairs = np.argwhere(np.triu(positions.core.joinable))
    is_new = np.array(data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))), dtype=np.bool_)
    demands = np.bincount(pairs[is_new].ravel(), minlength=n)
    ends, border = positions.degrees + demands, data.draw(st.integers(1, n))
    order = np.argsort(-ends, kind="stable")
    goal = int(ends[order[border]]) if border < n else -1
    hubs = int(np.count_nonzero(positions.degrees > goal))
    if not hubs:
        return
    occurring = np.unique(positions.degrees)
    lowered = occurring[np.searchsorted(occurring, ends, side="right") - 1]
    levels, places = np.unique(-lowered[order[:border]], return_counts=True)
    rest = np.zeros((5, 1), dtype=np.int64)
    beginning = Beginning(border, -levels, places, hubs, goal, packed(positions.core.joinable), rest)
    program = PrefixProgram(positions, beginning, (), NOTHING_BARRED, new_solver(presolve="off"))
    columns = program._columns
    others = sorted((lowered[v] for v in order[:border] if v >= hubs), reverse=True)
    taken = [*lowered[:hubs], *others]
    on = np.array([taken[v] == -levels[at] for v, at in zip(columns.vertex, columns.level, strict=True)])
    # all that is demanded and the groups do not
    slack = int(demands.sum() - (np.sort(lowered[order[:border]])[::-1] - positions.degrees[:border]).sum())
    some = np.array(data.draw(st.lists(st.booleans(), min_size=hubs, max_size=hubs)))
    expected = np.array(data.draw(st.lists(st.booleans(), min_size=hubs, max_size=hubs)))
    high = data.draw(st.sampled_from((-levels).tolist()))
    tilts = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=hubs + 1, max_size=hubs + 1)))
    for unused in (0, 1, 2, 3):
        # or of whoever ends high as well, whatever others are thought to give these
        for asking in (HubSet(some, unused=unused), HubSet(some, high, expected, unused, tilts)):
            row, right = inequality_of(columns, asking)
            assert row @ on <= right + slack
    assert program.value(program.look(NO_REASONS), 1 << 30)[0] <= slack


def worst_excess(positions: Positions, demands: np.ndarray) -> int:
    """Return by how much the demands of all positions violate their worst inequality."""
    joinable, worst = positions.core.joinable, 0
    for members in product([False, True], repeat=demands.size):
        inside = np.array(members)
        partners = joinable[:, inside].sum(axis=1)
        gifts = np.minimum(demands, partners)[~inside].sum()
        worst = max(worst, int(demands[inside].sum() - partners[inside].sum() - gifts))
    return worst


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_vertices_fit_onto_levels_exactly_where_some_order_does(data: st.DataObject) -> None:
    levels, vertices = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    possible = np.zeros((vertices, levels), dtype=np.bool_)
    for row in possible:
        first = data.draw(st.integers(0, levels - 1))
        row[first : data.draw(st.integers(first, levels))] = True
    chosen = data.draw(st.lists(st.integers(0, levels - 1), min_size=vertices, max_size=vertices))
    places = np.bincount(chosen, minlength=levels)
    fits = any(
        all(possible[v, level] for v, level in enumerate(ends))
        and (np.bincount(ends, minlength=levels) == places).all()
        for ends in product(range(levels), repeat=vertices)
    )
    assert fit(possible, places) == fits
