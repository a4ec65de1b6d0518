"""Every aspect against networkx, scipy or igraph, and what holds for any graph."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility import ASPECTS, QUICK, compare, utility
from tests.support.strategies import graphs

ALL = tuple(ASPECTS)
EDGE_CASES = {
    "no vertex": SimpleGraph.from_edges([], 0),
    "one vertex": SimpleGraph.from_edges([], 1),
    "two lone vertices": SimpleGraph.from_edges([], 2),
    "no edge": SimpleGraph.from_edges([], 120),
    "one edge": SimpleGraph.from_edges([(0, 1)], 2),
    "disconnected": SimpleGraph.from_edges([(0, 1), (1, 2), (3, 4)], 7),
    "complete": SimpleGraph.from_edges([(u, v) for u in range(9) for v in range(u)]),
    "large star": SimpleGraph.from_edges([(0, v) for v in range(1, 700)]),
    "large ring": SimpleGraph.from_edges([(v, (v + 1) % 500) for v in range(500)]),
}


def as_networkx(graph: SimpleGraph) -> nx.Graph:
    other = nx.Graph()
    other.add_nodes_from(range(graph.n))
    other.add_edges_from(graph.edges.tolist())
    return other


def random_graph(n: int, m: int, seed: int = 1) -> SimpleGraph:
    """A graph with hubs, a part of it without edges."""
    weights = 1 / np.arange(1, n + 1)
    rng = np.random.default_rng(seed)
    return SimpleGraph.from_edges(rng.choice(n, (m, 2), p=weights / weights.sum()), n)


def moved(graph: SimpleGraph, published: np.ndarray) -> SimpleGraph:
    return SimpleGraph.from_edges(published[graph.edges], graph.n)


@given(graph=graphs(min_n=2, max_n=14))
@settings(max_examples=60, deadline=None)
def test_figures_agree_with_networkx(graph: SimpleGraph) -> None:
    other, found = as_networkx(graph), utility(graph, aspects=ALL)
    cores = nx.core_number(other).values()
    assert found["largest core number"].value == max(cores)
    assert found["mean core number"].value == pytest.approx(sum(cores) / graph.n)
    assert found["global efficiency"].value == pytest.approx(nx.global_efficiency(other))
    eigenvalues = np.linalg.eigvalsh(nx.to_numpy_array(other))[::-1]
    assert found["largest eigenvalue"].value == pytest.approx(eigenvalues[0], abs=1e-6)
    assert found["second largest eigenvalue"].value == pytest.approx(eigenvalues[1], abs=1e-6)


@given(graph=graphs(min_n=1, max_n=12), seed=st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_a_graph_under_other_ids_agrees_with_itself(graph: SimpleGraph, seed: int) -> None:
    published = np.random.default_rng(seed).permutation(graph.n)
    found = compare(graph, moved(graph, published), published=published, aspects=ALL)
    assert found.paired
    assert all(change.absolute in (0, None) for change in found.changes)
    assert all(distance.value == 0 for distance in found.distances)
    # a rank correlation is not defined where all vertices are alike
    assert all(a.value == 1 or (a.value is None and a.note) for a in found.agreements)


@given(first=graphs(min_n=3, max_n=12), seed=st.integers(0, 99), data=st.data())
@settings(max_examples=40, deadline=None)
def test_comparing_does_not_depend_on_the_ids_of_the_release(
    first: SimpleGraph, seed: int, data: st.DataObject
) -> None:
    second = data.draw(graphs(min_n=first.n, max_n=first.n))
    published = np.random.default_rng(seed).permutation(first.n)
    one = compare(first, second, published=np.arange(first.n), aspects=ALL)
    other = compare(first, moved(second, published), published=published, aspects=ALL)
    assert one == other


@pytest.mark.parametrize("name", EDGE_CASES)
def test_edge_cases(name: str) -> None:
    graph = EDGE_CASES[name]
    found = utility(graph, aspects=ALL)
    assert len({measure.name for measure in found.measures}) == len(found.measures)
    for measure in found.measures:
        if measure.value is None:
            assert measure.note != ""
            assert measure.error is None
            assert measure.replicates == ()
        else:
            # only what other ids would change is said of a value
            assert (measure.note != "") == (measure.name in ("communities", "modularity") and graph.m > 0)
        assert measure.value is None or np.isfinite(measure.value)
    for other in EDGE_CASES.values():
        pair = compare(graph, other, aspects=ALL)
        assert pair.agreements == ()
        assert all(np.isfinite(distance.value) and distance.value >= 0 for distance in pair.distances)
    itself = compare(graph, graph, published=np.arange(graph.n), aspects=ALL)
    assert all(agreement.value in (1, None) for agreement in itself.agreements)


def test_the_default_is_the_quick_aspects_in_the_order_of_the_page() -> None:
    graph = random_graph(30, 60)
    assert utility(graph) == utility(graph, aspects=QUICK) == utility(graph, aspects=QUICK[::-1])


def test_an_unknown_aspect_or_a_tiny_sample_is_refused() -> None:
    with pytest.raises(InvalidInput, match="charm"):
        utility(EDGE_CASES["complete"], aspects=("charm",))
    with pytest.raises(InvalidInput, match=r"sample \(1\)"):
        compare(EDGE_CASES["complete"], EDGE_CASES["complete"], sample=1)


@pytest.mark.parametrize("published", [np.arange(3), np.array([0, 1, 1, 3]), np.array([1, 2, 3, 4])])
def test_a_relabelling_that_does_not_fit_is_refused(published: np.ndarray) -> None:
    graph = SimpleGraph.from_edges([(0, 1)], 4)
    with pytest.raises(InvalidInput, match="relabelling"):
        compare(graph, graph, published=published)


def test_no_shared_random_state_is_touched_and_the_seed_alone_decides() -> None:
    graph, other = random_graph(300, 700), random_graph(300, 720)
    before = random.getstate(), np.random.get_state()[1].tolist()
    first = compare(graph, other, published=np.arange(300), aspects=ALL, seed=3, sample=40)
    second = compare(graph, other, published=np.arange(300), aspects=ALL, seed=3, sample=40)
    third = compare(graph, other, published=np.arange(300), aspects=ALL, seed=np.random.default_rng(3), sample=40)
    assert first == second
    assert {a.name for a in third.agreements} == {a.name for a in first.agreements}
    assert before == (random.getstate(), np.random.get_state()[1].tolist())
