"""Annealing over final degrees: the sums it keeps, what its moves may do, and what it claims of a candidate."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks.core.high_degree_core import HighDegreeCore, Positions, high_degree_core
from graphkit.networks.core.violated_sets import ViolatedSet, violated_set_of
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.methods._annealing import Annealing, Schedule
from graphkit.networks.methods._candidate import candidate_of
from graphkit.networks.methods._group_moves import cheapest_cut, recut, regroup
from graphkit.networks.methods._level_moves import draw, reassign, shift
from graphkit.networks.methods._levels import Levels, keep, new_levels, take_back, try_out
from graphkit.networks.sequences.violated_set_dp import cheapest_groups
from tests.support.strategies import graphs

_SCHEDULE = Schedule(heat=1.0, weight=16, work=20_000, regrouping=True)


def random_clique_with_leaves(seed: int) -> SimpleGraph:
    """Hubs that know each other, with leaves of their own, and others that know few."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((12, 12)) < 0.8, 1)
    edges = [tuple(pair) for pair in np.argwhere(upper)]
    place = 12
    for hub in range(14):
        for _ in range(int(rng.integers(0, 9))):
            edges.append((hub if hub < 12 else 80 + hub, place))
            place += 1
    return SimpleGraph.from_edges(np.array(edges), 120)


def is_same(state: Levels, other: Levels) -> bool:
    """Whether all that follows from the levels is the same; the order within a row is free."""
    occupied = [np.flatnonzero(np.unpackbits(one.occupied.view(np.uint8), bitorder="little")) for one in (state, other)]
    rows = zip(state.members, other.members, state.inside, strict=False)
    places = all(state.members[state.levels[v], state.place[v]] == v for v in range(state.place.size))
    counts = all(
        np.array_equal(np.trim_zeros(a, "b"), np.trim_zeros(b, "b"))
        for a, b in ((state.sizes, other.sizes), (state.inside, other.inside))
    )
    sums = all(np.array_equal(getattr(state, name), getattr(other, name)) for name in ("levels", "kept", "total"))
    sums = sums and np.array_equal(state.excess[: state.kept[0]], other.excess[: other.kept[0]])
    return (
        np.array_equal(*occupied) and places and counts and sums and all(set(a[:n]) == set(b[:n]) for a, b, n in rows)
    )


def excess(core: HighDegreeCore, demands: np.ndarray, violated_set: ViolatedSet) -> int:
    """By how much demands violate the inequality of a set, by its definition."""
    inside = violated_set.members
    near = core.joinable[:, inside].sum(axis=1)
    given = int(np.minimum(demands[: core.size], near)[~inside].sum())
    given += int(np.minimum(demands[core.size :], inside.sum()).sum())
    return int(demands[: core.size][inside].sum()) - int(near[inside].sum()) - given


@given(graph=graphs(min_n=6, max_n=14), k=st.integers(2, 3), seed=st.integers(0, 1 << 32), data=st.data())
@settings(max_examples=150, deadline=None)
def test_moves_keep_k_in_every_level_and_all_sums(graph: SimpleGraph, k: int, seed: int, data: st.DataObject) -> None:
    core = high_degree_core(IgraphView.of(graph), graph.n)
    degrees = core.degrees
    window = data.draw(st.integers(2, graph.n))
    sets = [np.array(data.draw(st.lists(st.booleans(), min_size=graph.n, max_size=graph.n))) for _ in range(2)]
    violated_sets = [violated_set_of(core, members) for members in sets]
    demands = candidate_of(Positions(core, degrees, k), cheapest_groups(degrees, k)).demands
    # room that is not used yet changes nothing
    state = new_levels(degrees, demands, window, violated_sets, data.draw(st.integers(2, 5)))
    random = np.array([seed], dtype=np.uint64)
    for turn in range(60):
        before = state.levels.copy()
        v = draw(random, window)
        kind = turn % 4
        if kind == 0:
            valid = reassign(state, k, random, v)
        elif kind == 1:
            valid = shift(state, k, random, v)
        elif kind == 2:
            valid = recut(state, k, random, v)
        else:
            valid = regroup(state, k, random, v, 16) > 0
        demands = state.levels - degrees
        try_out(state)
        assert is_same(state._replace(excess=state.tried), new_levels(degrees, demands, window, violated_sets))
        assert state.tried[:2].tolist() == [excess(core, demands, violated_set) for violated_set in violated_sets]
        assert demands.min() >= 0
        assert np.array_equal(before[window:], state.levels[window:])
        if valid:
            assert state.sizes[state.sizes > 0].min() >= k
            keep(state)
            assert is_same(state, new_levels(degrees, demands, window, violated_sets))
        else:
            take_back(state)
            assert np.array_equal(before, state.levels)
            assert is_same(state, new_levels(degrees, before - degrees, window, violated_sets))


def every_cut(start: int, n: int, k: int) -> Iterator[list[int]]:
    """The ends of groups of k to 2k − 1 from a start to n, in every way."""
    if start == n:
        yield []
    for end in range(start + k, min(start + 2 * k, n + 1)):
        yield from ([end, *others] for others in every_cut(end, n, k))


@given(graph=graphs(min_n=6, max_n=11), k=st.integers(2, 3), price=st.integers(0, 16), data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_run_of_groups_is_cut_as_cheaply_as_can_be(
    graph: SimpleGraph, k: int, price: int, data: st.DataObject
) -> None:
    core = high_degree_core(IgraphView.of(graph), graph.n)
    degrees = core.degrees
    members = np.array(data.draw(st.lists(st.booleans(), min_size=graph.n, max_size=graph.n)))
    violated_set = violated_set_of(core, members)
    state = new_levels(degrees, np.zeros_like(degrees), graph.n, [violated_set])
    n = data.draw(st.integers(k, graph.n))
    order = np.array(data.draw(st.permutations(range(graph.n)))[:n])
    if data.draw(st.booleans()):
        order.sort()
    state.order[:n] = order
    caps = violated_set.caps(degrees.size)

    def cost(group: np.ndarray) -> int:
        demands = degrees[group].max() - degrees[group]
        relaxed = np.where(caps[group] < 0, demands, -np.minimum(demands, caps[group]))
        return int(16 * demands.sum() + price * relaxed.sum())

    def cost_of(ends: list[int]) -> int:
        return sum(cost(order[start:end]) for start, end in pairwise([0, *ends]))

    cheapest_cut(state, k, n, 0, price)
    ends = [int(state.ends[0])]
    while ends[-1] < n:
        ends.append(int(state.ends[ends[-1]]))
    assert ends in list(every_cut(0, n, k))
    assert state.costs[0] == cost_of(ends) == min(map(cost_of, every_cut(0, n, k)))


@given(seed=st.integers(0, 1000), k=st.integers(2, 4), limit=st.integers(5, 60))
@settings(max_examples=25, deadline=None)
def test_a_candidate_is_anonymous_below_the_limit_and_lacks_at_least_what_its_violated_set_says(
    seed: int, k: int, limit: int
) -> None:
    view = IgraphView.of(random_clique_with_leaves(seed))
    positions = Positions.of(view, k, 40)
    core, degrees = positions.core, positions.degrees
    start = candidate_of(positions, cheapest_groups(degrees, k))
    found, again = (
        Annealing(positions).best(start, limit, _SCHEDULE, np.random.default_rng(seed), Budget()) for _ in range(2)
    )
    assert (found is None) == (again is None)
    if found is None or again is None:
        return
    assert np.array_equal(found.demands, again.demands)
    assert found.demands.min() >= 0
    assert np.unique(degrees + found.demands, return_counts=True)[1].min() >= k
    assert found.estimate < limit
    if found.violated_set is not None:
        assert found.missing == excess(core, found.demands, found.violated_set) > 0
    ordered = np.sort(degrees + found.demands)[::-1]
    for first, last, level in zip(found.borders[:-1], found.borders[1:], found.levels, strict=True):
        assert set(ordered[first:last]) == {level}
    assert all(a > b for a, b in pairwise(found.levels))


def test_annealing_beats_the_cheapest_sequence_where_hubs_know_each_other() -> None:
    schedule = Schedule(heat=1.5, weight=16, work=200_000)
    better = 0
    for seed in range(6):
        view = IgraphView.of(random_clique_with_leaves(seed))
        positions = Positions.of(view, 3, 60)
        start = candidate_of(positions, cheapest_groups(positions.degrees, 3))
        rng = np.random.default_rng(seed)
        better += Annealing(positions).best(start, start.estimate, schedule, rng, Budget()) is not None
    assert better > 0
