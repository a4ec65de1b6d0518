"""Lower bounds are never above the true optimum."""

from collections.abc import Callable
from types import ModuleType

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.budget import Budget
from graphkit.networks import anonymize, lower_bound
from graphkit.networks.bounds import (
    BOUNDS,
    _sequence_borders,
    group_tree,
    relaxed_erdos_gallai_bound,
    sequence_bound,
    top_set,
)
from graphkit.networks.bounds.graphic_sequences import GraphicSequences, graphic_sequence_bound
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.sequences.graphic import erdos_gallai
from graphkit.networks.sequences.position_dp import minimum_raises
from tests.support.brute_force import all_graphs, anonymous_sequences, minimum_edges, sequence_demands
from tests.support.strategies import block_sequences, graphs


def bounds(graph: SimpleGraph, k: int) -> tuple[int, int]:
    blocks = np.bincount(graph.degrees())
    return sequence_bound(blocks, k), relaxed_erdos_gallai_bound(blocks, k)


def cheapest(graph: SimpleGraph, k: int) -> int:
    """Return half of the least sum of demands, whether it is even or not."""
    return (minimum_raises(np.bincount(graph.degrees()), k)[1] + 1) // 2


def test_no_bound_exceeds_the_optimum_on_any_graph_with_up_to_five_vertices() -> None:
    cases = [(graph, k) for graph, k in all_graphs() if graph.n <= 5]
    assert len(cases) > 100
    for graph, k in cases:
        plain, relaxed = bounds(graph, k)
        assert cheapest(graph, k) <= plain <= minimum_edges(graph, k)
        assert cheapest(graph, k) <= relaxed <= minimum_edges(graph, k)


@pytest.mark.slow
def test_no_bound_exceeds_the_optimum_on_any_graph_with_six_vertices() -> None:
    for graph, k in all_graphs():
        if graph.n == 6:
            plain, relaxed = bounds(graph, k)
            assert cheapest(graph, k) <= plain <= minimum_edges(graph, k)
            assert cheapest(graph, k) <= relaxed <= minimum_edges(graph, k)


@pytest.mark.slow
@given(graph=graphs(min_n=7, max_n=8), k=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_no_bound_exceeds_the_optimum_on_random_graphs(graph: SimpleGraph, k: int) -> None:
    if graph.m >= 14:  # sparse ones take too many subsets to try
        assert max(bounds(graph, k)) <= minimum_edges(graph, k)


@given(blocks=block_sequences(max_degree=7, max_size=4), k=st.integers(2, 4))
@settings(max_examples=100, deadline=None)
def test_the_relaxed_bound_stays_below_the_cheapest_graphic_sequence(blocks: np.ndarray, k: int) -> None:
    if blocks.sum() > 7:
        blocks = blocks.copy()
        while blocks.sum() > 7:
            blocks[np.argmax(blocks)] -= 1
    blocks = np.trim_zeros(blocks, "b")
    k = min(k, int(blocks.sum()))
    costs = []
    for after in anonymous_sequences(blocks.tolist(), k, blocks.size + 1):
        demands = sequence_demands(blocks.tolist(), after)
        test = erdos_gallai(np.bincount(demands))
        if test.is_even and test.deficit <= 0:
            costs.append(sum(demands))
    assert not costs or relaxed_erdos_gallai_bound(blocks, k) <= min(costs) // 2


@given(
    graph=graphs(min_n=2, max_n=6),
    k=st.integers(2, 4),
    less=st.integers(0, 3),
    work=st.integers(1, 900),
    core=st.integers(1, 6),
)
@settings(max_examples=150, deadline=None)
def test_the_cheapest_graphic_sequence_is_found_however_often_it_is_asked_for(
    graph: SimpleGraph, k: int, less: int, work: int, core: int
) -> None:
    k = min(k, graph.n)
    fewest, blocks = minimum_edges(graph, k), np.bincount(graph.degrees(), minlength=1).tolist()
    costs = []
    for after in anonymous_sequences(blocks, k, graph.n - 1):
        demands = sequence_demands(blocks, after)
        test = erdos_gallai(np.bincount(demands))
        if test.is_even and test.deficit <= 0:
            costs.append(sum(demands) // 2)
    budget, bound, is_open = Budget(), 0, True
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_sequence_borders, "_CORE", core)
        asked = GraphicSequences(as_view(graph), k)
        while is_open:
            bound, is_open = asked.ask(fewest + 2, max(bound, min(costs) - less), work, budget)
    assert min(costs) <= bound <= fewest


@pytest.mark.parametrize(
    ("graph", "k", "others", "fewest"),
    [
        # the root has a neighbour less than others, and one of these has five less; 444 are leaves
        (nx.full_rary_tree(9, 500), 20, 5, 13),
        # those of the clique can be joined to those of the path only, and of these not to a few
        (nx.lollipop_graph(40, 30), 7, 6, 7),
    ],
    ids=["tree", "clique with a path"],
)
def test_partners_that_need_a_group_are_counted(graph: nx.Graph, k: int, others: int, fewest: int) -> None:
    view = as_view(graph)
    assert (
        max(relaxed_erdos_gallai_bound(view.block_sequence(), k), top_set.top_set_bound(view, k, target=fewest))
        <= others
    )
    result = anonymize(graph, k=k, seed=1, effort=1)
    assert result.size == result.lower_bound == graphic_sequence_bound(view, k, target=fewest) == fewest


@given(blocks=block_sequences(max_degree=5, max_size=3), k=st.integers(1, 5))
@settings(max_examples=100, deadline=None)
def test_the_bound_of_a_sequence_is_half_the_least_even_sum(blocks: np.ndarray, k: int) -> None:
    blocks = np.trim_zeros(blocks, "b")
    while blocks.sum() > 7:
        blocks[np.argmax(blocks)] -= 1
    k = min(k, int(blocks.sum()))
    sums = [
        sum(sequence_demands(blocks.tolist(), after))
        for after in anonymous_sequences(blocks.tolist(), k, blocks.size + 1)
    ]
    even = [one for one in sums if one % 2 == 0]
    # no graph has degrees without an even sum
    assert sequence_bound(blocks, k) == (min(even) if even else min(sums) + 1) // 2


def test_large_groups_cannot_make_up_for_an_odd_sum() -> None:
    # 4 4 4 | 1 1 1 demands 1, and an even sum takes one of the groups higher
    blocks = np.bincount(np.array([4, 3, 4, 1, 1, 1]))
    assert sequence_bound(blocks, 3) == 2


def test_the_bound_with_less_work_is_never_stronger() -> None:
    degrees = np.concatenate((np.full(300, 2), np.full(200, 3), np.arange(4, 60, 3), [80, 95, 140]))
    blocks = np.bincount(degrees)
    weak, strong = relaxed_erdos_gallai_bound(blocks, 5, work=1), relaxed_erdos_gallai_bound(blocks, 5)
    assert sequence_bound(blocks, 5) <= weak <= strong


def test_large_demands_raise_the_bound_above_the_sequence() -> None:
    blocks = np.bincount(np.array([10, 6] + [0] * 20))
    assert sequence_bound(blocks, 2) == 2
    assert relaxed_erdos_gallai_bound(blocks, 2) == 4


def test_every_bound_of_the_registry_is_proven_on_small_graphs_and_they_count_together() -> None:
    for graph, k in all_graphs():
        if graph.n <= 5:
            view, fewest = as_view(graph), minimum_edges(graph, k)
            found = {name: bound.function(view, k) for name, bound in BOUNDS.items()}
            assert {name: value for name, value in found.items() if not 0 <= value <= fewest} == {}
            assert max(found.values()) <= lower_bound(view, k) <= fewest


@pytest.mark.parametrize(
    ("module", "bound"),
    [(group_tree, group_tree.group_tree_bound), (top_set, top_set.top_set_bound)],
    ids=["group-tree", "top-set"],
)
@given(seed=st.integers(0, 10_000), k=st.integers(2, 3), core=st.integers(2, 7), more=st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_with_any_core_the_bound_is_not_above_the_optimum(
    module: ModuleType, bound: Callable[..., int], seed: int, k: int, core: int, more: int
) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(7, 1))
    weights = np.exp(rng.normal(0, 1.2, 7))
    chosen = rng.random(len(pairs)) < np.clip(weights[pairs[:, 0]] * weights[pairs[:, 1]], 0, 1)
    if chosen.sum() < 10:
        return
    graph = SimpleGraph.from_edges(pairs[chosen], 7)
    least = minimum_edges(graph, k)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_CORE", core)
        assert bound(as_view(graph), k, target=least + more) <= least


def test_every_bound_says_what_it_needs_and_where_it_comes_from() -> None:
    assert all(name == bound.name for name, bound in BOUNDS.items())
    assert all(bound.summary and bound.precondition and bound.reference for bound in BOUNDS.values())
