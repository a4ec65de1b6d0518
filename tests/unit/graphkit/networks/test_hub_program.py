"""The program over groups and hubs proves no more than brute force finds, and what other bounds leave open."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.networks import anonymize, lower_bound
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.hub_program import hub_program_bound
from graphkit.networks.bounds.programs import groups as program_groups
from graphkit.networks.bounds.programs.groups import choices_of, numbers_of_hubs, possible_levels, upper_groups
from graphkit.networks.bounds.programs.model import HubProgram, number_of_columns
from graphkit.networks.bounds.top_set import top_set_bound
from graphkit.networks.core.fractional_sets import violated_sets
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_before, least_from
from tests.support.brute_force import all_graphs, minimum_edges
from tests.support.strategies import graphs


@pytest.fixture(params=[2, 3, 64])
def hubs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let the inequalities count for few hubs, or for all."""
    monkeypatch.setattr(program_groups, "_HUBS", (request.param,))
    return int(request.param)


def test_the_bound_holds_on_every_graph_with_up_to_five_vertices(hubs: int) -> None:
    tight = 0
    for graph, k in all_graphs():
        if graph.n <= 5:
            least = minimum_edges(graph, k)
            found = hub_program_bound(IgraphView.of(graph), k, target=least + 3)
            assert found <= least
            tight += found == least
    assert tight > 50


@pytest.mark.usefixtures("hubs")
@given(graph=graphs(min_n=6, max_n=8), k=st.integers(2, 4), more=st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_the_bound_holds_for_every_target(graph: SimpleGraph, k: int, more: int) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:  # sparse ones take too many subsets to try
        return
    least = minimum_edges(graph, k)
    assert hub_program_bound(IgraphView.of(graph), k, target=least + more) <= least


@given(graph=graphs(min_n=6, max_n=8), k=st.integers(2, 3), data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_sets_to_begin_with_leave_the_bound_valid(graph: SimpleGraph, k: int, data: st.DataObject) -> None:
    if graph.m < graph.n * (graph.n - 1) // 4:
        return
    sets = data.draw(st.lists(st.lists(st.booleans(), min_size=graph.n, max_size=graph.n), max_size=5))
    least = minimum_edges(graph, k)
    violated_sets = [np.array(members) for members in sets]
    assert hub_program_bound(IgraphView.of(graph), k, target=least + 2, violated_sets=violated_sets) <= least


def barabasi_albert() -> IgraphView:
    graph = nx.barabasi_albert_graph(60, 4, seed=3)
    return IgraphView.of(SimpleGraph.from_edges(np.array(graph.edges()), 60))


def test_it_closes_what_the_other_bounds_leave_open() -> None:
    view = barabasi_albert()
    size = anonymize(view, 3).size
    others = max(bound(view, 3, target=size) for bound in (group_diagram_bound, top_set_bound))
    assert others < hub_program_bound(view, 3, target=size, known=others) <= size


def test_with_little_work_or_time_the_bound_is_lower_and_no_less_than_what_is_known() -> None:
    view = barabasi_albert()
    size = anonymize(view, 3).size
    ticks = iter(range(1000))
    spent = Budget(lambda: float(next(ticks)), time_limit=0.5)
    for found in (
        hub_program_bound(view, 3, target=size, known=2, budget=spent),
        hub_program_bound(view, 3, target=size, known=2, work=1000),
    ):
        assert 2 <= found < size


def solved(program: HubProgram) -> tuple[float, int]:
    """Return the value of an integer program with all that its solutions violate, and in how many runs."""
    is_new, runs = True, 0
    while is_new and runs < 10:
        value, is_new, _ = program.integral(1 << 40, Budget())
        runs += 1
    return value, runs


def test_sets_that_are_not_reached_are_set_aside_and_say_no_less() -> None:
    # hundreds of sets that a search met made the solver presolve for seconds, fifty times as long as was charged
    view = barabasi_albert()
    positions, most = Positions.of(view, 4, 600), 2 * 14 - 2
    hubs = numbers_of_hubs(positions)[-1]
    choices = choices_of(positions, hubs, most)
    assert choices is not None
    programs = [HubProgram(positions, hubs, *choices) for _ in range(2)]
    for members in np.random.default_rng(1).random((200, hubs)) < np.linspace(0.8, 0, hubs):
        for program in programs:
            program.cut(members)
    first, second = (program.relaxed(most, 60, 1 << 40, Budget()) for program in programs)
    assert first == second
    program, others = programs
    program.set_aside()
    assert 0 < len(program.sets) < len(others.sets) / 10
    before = program.work, others.work
    assert solved(program) == solved(others) == (27, 4)
    # a run is charged with what it takes before it branches
    assert 0 < 4 * (program.work - before[0]) < others.work - before[1]


def test_the_hubs_end_where_a_clique_does() -> None:
    # 50 hubs that know each other, with 20 friends each; 64, the number of all hubs before, would take friends as well
    clique = np.column_stack(np.triu_indices(50, 1))
    friends = np.column_stack((np.repeat(np.arange(50), 20), 50 + np.arange(1000) % 400))
    view = IgraphView.of(SimpleGraph.from_edges(np.concatenate((clique, friends)), 450))
    positions = Positions.of(view, 3, 600)
    numbers = numbers_of_hubs(positions)
    assert 50 in numbers
    assert numbers == sorted(numbers, reverse=True)
    assert max(numbers) <= positions.core.size


def test_a_target_that_is_known_needs_no_program() -> None:
    view = IgraphView.of(SimpleGraph.from_edges(np.array([(0, 1), (1, 2)]), 3))
    assert hub_program_bound(view, 2, target=1, known=1) == 1


descending = st.lists(st.integers(0, 9), min_size=4, max_size=12).map(lambda d: np.array(sorted(d)[::-1]))


@given(degrees=descending, k=st.integers(1, 4), size=st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_the_rest_costs_what_a_recursion_says(degrees: np.ndarray, k: int, size: int) -> None:
    def least(begin: int) -> float:
        if begin == degrees.size:
            return 0
        ends = range(begin + k, min(degrees.size, begin + 2 * k - 1) + 1)
        costs = (np.maximum(degrees[begin] - degrees[begin:end] - size, 0).sum() + least(end) for end in ends)
        return min(costs, default=np.inf)

    found = least_from(degrees, k, 0, 1, size).astype(float)
    found[found > 1 << 40] = np.inf
    assert found.tolist() == [least(begin) for begin in range(degrees.size + 1)]


@given(degrees=descending, k=st.integers(1, 3), more=st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_groups_and_levels_left_out_are_in_no_cheap_sequence(degrees: np.ndarray, k: int, more: int) -> None:
    levels = -np.unique(-degrees)
    most = int(least_from(degrees, k, 1, 0, 0)[0]) + more
    none = np.zeros((0, 2 * k, levels.size), dtype=bool)
    groups = {tuple(row) for row in upper_groups(degrees, levels, k, levels.size, most, none, 0, 10_000).tolist()}
    hubs = degrees.size // 2
    possible = possible_levels(degrees, levels, k, levels.size, hubs, degrees.size, most)
    # all before a group end no lower than it, and behind the hubs all end in order
    for _, end, level in groups:
        assert np.maximum(levels[level] - degrees[:end], 0).sum() <= most
    for v, level in np.argwhere(possible).tolist():
        assert np.maximum(levels[level] - degrees[min(v, hubs) : v + 1], 0).sum() <= most

    def walk(begin: int, cost: int, path: list[tuple[int, int, int]], highest: int = 0) -> None:
        if cost > most:
            return
        if begin == degrees.size:
            assert groups.issuperset(path)
            for first, end, level in path:
                assert possible[first:end, level].all()
            return
        for end in range(begin + k, min(degrees.size, begin + 2 * k - 1) + 1):
            # none ends higher than the one before
            for level in np.flatnonzero((levels >= degrees[begin]) & (np.arange(levels.size) >= highest)).tolist():
                rise = int((levels[level] - degrees[begin:end]).sum())
                walk(end, cost + rise, [*path, (begin, end, level)], level)

    walk(0, 0, [])


@given(data=st.data(), degrees=descending, k=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_what_a_few_raised_positions_cost_is_found_among_the_borders_beside_them(
    data: st.DataObject, degrees: np.ndarray, k: int
) -> None:
    first = data.draw(st.integers(0, degrees.size - 1))
    last = data.draw(st.integers(first, degrees.size - 1))
    # they end between those before and what they were
    most = int(degrees[first - 1]) if first else int(degrees[0]) + 3
    moved = degrees.copy()
    moved[first : last + 1] = np.maximum(degrees[first : last + 1], data.draw(st.integers(0, most)))
    before, after = least_before(degrees, k), least_from(degrees, k, 1, 0, 0)
    for size in (degrees.size, min(degrees.size, last + 2 * k)):
        least = program_groups._least_moved(moved[:size], k, before, after[: size + 1], first, last)
        assert min(least, UNREACHABLE) == least_from(moved, k, 1, 0, 0)[0]


@given(data=st.data(), n=st.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_sets_that_are_returned_are_violated(data: st.DataObject, n: int) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    joinable = np.triu(rng.random((n, n)) < 0.5, 1)
    joinable |= joinable.T
    demands = rng.integers(0, 2 * n, size=n).astype(float) / 2
    given_to = np.minimum(demands[:, None], np.arange(n + 1))
    others = 0.5 * np.arange(n + 1)
    for members in violated_sets(joinable, demands, given_to, others):
        near = joinable[:, members].sum(axis=1)
        room = near[members].sum() + np.minimum(demands, near)[~members].sum() + others[members.sum()]
        assert demands[members].sum() > room


def test_a_bound_for_a_known_size_is_as_sharp_as_the_answer_itself() -> None:
    view = barabasi_albert()
    answer = anonymize(view, 3)
    assert answer.status == "optimal"
    assert lower_bound(view, 3, size=answer.size) == lower_bound(view, 3) == answer.size


@given(graph=graphs(min_n=6, max_n=12), k=st.integers(2, 3), hubs=st.integers(2, 6))
@settings(max_examples=40, deadline=None)
def test_the_size_of_a_program_is_known_before_it_is_made(graph: SimpleGraph, k: int, hubs: int) -> None:
    positions = Positions.of(IgraphView.of(graph), k, 600)
    choices = choices_of(positions, hubs, 20) if hubs <= positions.core.size else None
    if choices is not None:
        made = HubProgram(positions, hubs, *choices)
        assert number_of_columns(positions, hubs, *choices[1:]) == made.size


@pytest.fixture(scope="module")
def dense() -> tuple[Positions, tuple[Ints, Ints, Bools]]:
    """Eighty vertices of which many know each other, and what 28 hubs may choose from below a solution of 110 edges."""
    weights = (np.arange(80) + 4.0) ** -0.7
    pairs = np.random.default_rng(3).choice(80, size=(3000, 2), p=weights / weights.sum())
    view = IgraphView.of(SimpleGraph.from_edges(pairs[pairs[:, 0] != pairs[:, 1]], 80))
    positions = Positions.of(view, 6, 600)
    choices = choices_of(positions, 28, 2 * 110 - 2)
    assert choices is not None
    return positions, choices


def test_what_others_know_already_is_seen_where_sets_are_looked_for(
    dense: tuple[Positions, tuple[Ints, Ints, Bools]],
) -> None:
    # as if all others could be joined to all of a set, those that are violated were not found: 88 edges
    program = HubProgram(dense[0], 28, *dense[1])
    assert 2 * 91 < program.relaxed(2 * 110 - 2, 60, 1 << 60, Budget()) <= 2 * 110


def test_what_is_violated_halfway_is_worth_more_than_what_one_solution_violates(
    dense: tuple[Positions, tuple[Ints, Ints, Bools]], monkeypatch: pytest.MonkeyPatch
) -> None:
    halfway, corner = (HubProgram(dense[0], 28, *dense[1]) for _ in range(2))
    monkeypatch.setattr(corner, "_cut_off", corner.separate)
    first, second = (program.relaxed(2 * 110 - 2, 60, 1 << 60, Budget()) for program in (halfway, corner))
    assert abs(first - second) < 1
    assert halfway.linear < 0.9 * corner.linear
