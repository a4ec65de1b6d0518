"""Canonical forms: equal exactly for isomorphic graphs, as another library finds out."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.attackers.canonical_form import canonical_form
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph
from tests.support.partitions import to_networkx
from tests.support.strategies import graphs

SEVEN = st.lists(st.integers(0, 2), min_size=7, max_size=7)


def form(graph: SimpleGraph, colours: list[int], seed: int | None = None) -> bytes:
    order = np.arange(graph.n) if seed is None else np.random.default_rng(seed).permutation(graph.n)
    placed = np.empty(graph.n, dtype=np.int64)
    placed[order] = colours[: graph.n]
    return canonical_form(graph.n, order[graph.edges], placed)


def coloured(graph: SimpleGraph, colours: list[int]) -> nx.Graph:
    other = to_networkx(graph)
    nx.set_node_attributes(other, {v: colours[v] for v in other}, "colour")
    return other


@given(graph=graphs(max_n=7), colours=SEVEN, seed=st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_a_new_numbering_has_the_same_form(graph: SimpleGraph, colours: list[int], seed: int) -> None:
    assert form(graph, colours) == form(graph, colours, seed)


@given(first=graphs(3, 5), second=graphs(3, 5), colours=st.lists(st.integers(0, 1), min_size=5, max_size=5))
@settings(max_examples=300, deadline=None)
def test_equal_forms_are_isomorphic_graphs(first: SimpleGraph, second: SimpleGraph, colours: list[int]) -> None:
    def alike(a: dict[str, int], b: dict[str, int]) -> bool:
        return a["colour"] == b["colour"]

    isomorphic = nx.is_isomorphic(coloured(first, colours), coloured(second, colours), node_match=alike)
    assert (form(first, colours) == form(second, colours)) == isomorphic


@pytest.mark.parametrize("turn", [lambda graph: graph, nx.complement], ids=["union", "join"])
def test_many_equal_parts_are_no_trouble(turn: object) -> None:
    def cycles(threes: int, fours: int) -> SimpleGraph:
        parts = [nx.cycle_graph(3)] * threes + [nx.cycle_graph(4)] * fours
        return as_simple_graph(turn(nx.disjoint_union_all(parts)))  # type: ignore[operator]

    plain = [0] * 240
    first, second = cycles(40, 30), cycles(44, 27)
    assert (first.n, first.m) == (second.n, second.m)
    assert form(first, plain) == form(first, plain, 1)
    assert form(first, plain) != form(second, plain)
