"""New edges with given demands: never wrong, as many as there can be, and a proof where they are too few."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import graphkit.networks.realization.realizing as realization_module
from graphkit.budget import Budget
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.realization.realizing import Realization, realize, realize_exactly
from graphkit.networks.sequences.graphic import advanced_deficit

Pair = tuple[int, int]


def demands_on(present: list[Pair], demands: list[int]) -> DemandMap:
    adjacency = np.array(present, dtype=np.int64).reshape(-1, 2)
    return DemandMap(np.arange(len(demands)), np.array(demands, dtype=np.int64), adjacency)


def check(asked: DemandMap, found: Realization) -> None:
    """The edges are canonical, simple, new, and add up with the leftover to the demands; a violated set is violated."""
    position = np.searchsorted(asked.vertices, found.edges)
    assert np.array_equal(asked.vertices[position], found.edges)
    pairs = [tuple(pair) for pair in position.tolist()]
    assert pairs == sorted(set(pairs))
    assert all(u < v for u, v in pairs)
    assert not set(pairs) & {tuple(sorted(pair)) for pair in asked.adjacency.tolist()}
    met = np.bincount(position.ravel(), minlength=asked.vertices.size)
    assert np.array_equal(met + found.leftover, asked.demands)
    assert found.leftover.min(initial=0) >= 0
    if found.violated is not None:
        assert found.leftover.any()
        view = IgraphView.of(SimpleGraph.from_edges(asked.vertices[asked.adjacency], int(asked.vertices.max()) + 1))
        assert advanced_deficit(view, found.violated, asked.vertices, asked.demands) > 0


def most_edges(present: list[Pair], demands: list[int]) -> int:
    """As many new edges within the demands as there are: Tutte's gadget and Edmonds' matching."""
    gadget = nx.Graph()
    taken = {tuple(sorted(pair)) for pair in present}
    absent = [pair for pair in itertools.combinations(range(len(demands)), 2) if pair not in taken]
    for u, v in absent:
        gadget.add_edge((u, v, "low"), (u, v, "high"))
        gadget.add_edges_from(((u, copy), (u, v, "low")) for copy in range(demands[u]))
        gadget.add_edges_from(((v, copy), (u, v, "high")) for copy in range(demands[v]))
    return len(nx.max_weight_matching(gadget, maxcardinality=True)) - len(absent)


def degree_vectors(n: int, absent: list[Pair]) -> set[tuple[int, ...]]:
    """All degrees that some of the absent pairs give."""
    vectors = {(0,) * n}
    for u, v in absent:
        vectors |= {tuple(d + (i in (u, v)) for i, d in enumerate(vector)) for vector in vectors}
    return vectors


@pytest.mark.parametrize(("n", "graphs"), [(2, 2), (3, 8), (4, 12), (5, 6), (6, 4)])
def test_on_small_graphs_exactly_the_demands_that_some_edges_have_are_realized(n: int, graphs: int) -> None:
    rng = np.random.default_rng(n)
    pairs = list(itertools.combinations(range(n), 2))
    for density in np.linspace(0.1, 0.7, graphs):
        is_present = rng.random(len(pairs)) < density
        present = list(itertools.compress(pairs, is_present))
        possible = degree_vectors(n, list(itertools.compress(pairs, ~is_present)))
        every = list(itertools.product(range(1, n), repeat=n))
        for demands in rng.permutation(every)[:1500].tolist() + [list(d) for d in possible if min(d) > 0]:
            asked = demands_on(present, demands)
            found = realize_exactly(asked, np.random.default_rng(0))
            assert found.leftover.any() == (tuple(demands) not in possible), (present, demands)
            assert found.violated is None or tuple(demands) not in possible
            assert found.is_largest
    check(asked, found)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Pair], list[int]]:
    n = draw(st.integers(7, 12))
    pairs = list(itertools.combinations(range(n), 2))
    kinds = draw(st.lists(st.sampled_from("pppan"), min_size=len(pairs), max_size=len(pairs)))
    present = [pair for pair, kind in zip(pairs, kinds, strict=True) if kind == "p"]
    planted = [pair for pair, kind in zip(pairs, kinds, strict=True) if kind == "n"]
    more = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    demands = [max(1, sum(v in pair for pair in planted) + extra) for v, extra in enumerate(more)]
    return present, demands


@settings(max_examples=150, deadline=None)
@given(problem=problems(), seed=st.integers(0, 3))
def test_as_many_edges_as_a_matching_in_the_gadget_has(problem: tuple[list[Pair], list[int]], seed: int) -> None:
    present, demands = problem
    asked = demands_on(present, demands)
    found = realize_exactly(asked, np.random.default_rng(seed))
    check(asked, found)
    assert found.edges.shape[0] == most_edges(present, demands)


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 40), seed=st.integers(0, 10_000))
def test_blossoms_are_overcome(size: int, seed: int) -> None:
    # only the edges of a cactus of odd cycles are absent, each vertex wants one: a maximum matching
    rng = np.random.default_rng(seed)
    cactus = nx.empty_graph(1)
    while cactus.number_of_nodes() < size:
        at, n, length = (
            int(rng.integers(cactus.number_of_nodes())),
            cactus.number_of_nodes(),
            int(rng.choice([1, 2, 4])),
        )
        nx.add_path(cactus, [at, *range(n, n + length), *([at] if length > 1 else [])])
    asked = demands_on(list(nx.complement(cactus).edges), [1] * cactus.number_of_nodes())
    found = realize_exactly(asked, np.random.default_rng(seed))
    check(asked, found)
    assert found.edges.shape[0] == len(nx.max_weight_matching(cactus, maxcardinality=True))


def test_what_parity_forbids_is_proven_without_a_violated_set() -> None:
    # K₃,₃: what is absent are two triangles, each of which can meet two of its three demands
    present = [(u, v) for u in range(3) for v in range(3, 6)]
    found = realize_exactly(demands_on(present, [1] * 6), np.random.default_rng(0))
    assert found.edges.shape[0] == 2
    assert found.violated is None
    assert found.is_largest


def test_a_hub_without_enough_non_neighbours_is_named() -> None:
    # vertex 10 wants three partners and is adjacent to all of those who want one but 40 and 50
    present = np.array([[0, 1], [0, 2], [0, 5]])
    asked = DemandMap(np.array([10, 20, 30, 40, 50, 60]), np.array([3, 1, 1, 1, 1, 1]), present)
    found = realize_exactly(asked, np.random.default_rng(0))
    check(asked, found)
    assert found.violated is not None
    assert found.violated.tolist() == [10]
    assert found.leftover[0] == 1
    assert found.leftover.sum() == 2


def test_demands_that_need_every_absent_pair_are_realized() -> None:
    rng = np.random.default_rng(3)
    for n in (20, 100, 300):
        absent = np.triu(rng.random((n, n)) < 5 / n, 1)
        demands = absent.sum(axis=0) + absent.sum(axis=1)
        chosen = np.flatnonzero(demands)
        position = np.cumsum(demands > 0) - 1
        present = np.argwhere(np.triu(~absent, 1))
        present = position[present[(demands[present] > 0).all(axis=1)]]
        asked = DemandMap(chosen, demands[chosen], present)
        found = realize_exactly(asked, rng)
        check(asked, found)
        assert not found.leftover.any()
        assert np.array_equal(found.edges, np.argwhere(absent))


def test_many_vertices_with_few_conflicts_are_realized() -> None:
    n = 50_000
    rng = np.random.default_rng(1)
    graph = SimpleGraph.from_edges(rng.integers(0, n, (3 * n, 2)), n)
    asked = DemandMap(np.arange(n), rng.permutation(np.repeat([1, 2, 3, 12], n // 4)), graph.edges)
    found = realize_exactly(asked, rng)
    check(asked, found)
    assert not found.leftover.any()


def test_a_clique_that_got_nothing_takes_edges_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    clique, others = 300, 6000

    def pair_the_others(
        offsets: NDArray[np.int64],
        neighbours: NDArray[np.int64],
        order: NDArray[np.int64],
        remaining: NDArray[np.int64],
        edges: NDArray[np.int64],
    ) -> int:
        edges[: others // 2] = np.arange(clique, clique + others).reshape(-1, 2)
        remaining[clique:] = 0
        return others // 2

    monkeypatch.setattr(realization_module, "_connect", pair_the_others)
    asked = demands_on(list(itertools.combinations(range(clique), 2)), [1] * (clique + others))
    found = realize_exactly(asked, np.random.default_rng(0))
    check(asked, found)
    assert not found.leftover.any()


@pytest.mark.parametrize("demands", [[1] * 60, [2] * 60, [1, 5] * 30])
def test_the_same_seed_gives_the_same_bits_whatever_the_order_of_the_adjacency(demands: list[int]) -> None:
    sparse = nx.gnm_random_graph(60, 90, seed=4)
    present = list(nx.complement(sparse).edges)
    first, again = (realize_exactly(demands_on(present, demands), np.random.default_rng(8)) for _ in range(2))
    turned = realize_exactly(demands_on([(v, u) for u, v in reversed(present)], demands), np.random.default_rng(8))
    for other in (again, turned):
        assert first.edges.tobytes() == other.edges.tobytes()
        assert first.leftover.tobytes() == other.leftover.tobytes()
        assert first.is_largest == other.is_largest
    edges, leftover = realize(demands_on(present, demands), np.random.default_rng(8))
    assert np.array_equal(edges, first.edges)
    assert np.array_equal(leftover, first.leftover)


@pytest.mark.parametrize("by", ["limit", "budget"])
def test_a_search_that_is_cut_short_is_valid_and_claims_nothing(by: str) -> None:
    present = list(itertools.combinations(range(40), 2))[5:]
    asked = demands_on(present, [1] * 40)
    if by == "limit":
        found = realize_exactly(asked, np.random.default_rng(0), limit=0)
    else:
        ticks = itertools.count()
        found = realize_exactly(asked, np.random.default_rng(0), Budget(lambda: float(next(ticks)), 0.5))
    check(asked, found)
    assert found.leftover.any()
    assert not found.is_largest
    assert found.violated is None


def test_no_demands_need_no_edges() -> None:
    found = realize_exactly(demands_on([], []), np.random.default_rng(0))
    assert found.edges.shape == (0, 2)
    assert found.leftover.size == 0
    assert found.is_largest


def test_an_odd_sum_leaves_one() -> None:
    found = realize_exactly(demands_on([], [1, 1, 1]), np.random.default_rng(0))
    assert found.leftover.sum() == 1
    assert found.is_largest
