"""Graphs of other libraries come in unchanged."""

from collections.abc import Callable

import igraph
import networkx as nx
import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks import (
    Constraints,
    anonymize,
    anonymize_under,
    audit,
    driver,
    is_k_anonymous,
    lower_bound,
    structural_risk,
)
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph

EDGES = [(0, 1), (1, 2), (3, 4)]


@pytest.mark.parametrize(
    "graph",
    [EDGES, np.array(EDGES), igraph.Graph(n=5, edges=EDGES), nx.Graph(EDGES), nx.MultiGraph(EDGES)],
    ids=["list", "array", "igraph", "networkx", "multigraph"],
)
def test_every_kind_of_graph_gives_the_same_answer(graph: object) -> None:
    assert as_simple_graph(graph).edges.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert anonymize(graph, 2, seed=1).edges.tolist() == anonymize(EDGES, 2, seed=1).edges.tolist()
    assert audit(graph, 2).vertices_below_k == 1


def test_isolated_vertices_of_other_libraries_are_kept() -> None:
    graph = nx.Graph(EDGES)
    graph.add_nodes_from(["a", "b"])
    assert as_simple_graph(graph).n == 7
    assert as_simple_graph(igraph.Graph(n=9, edges=EDGES)).n == 9


@pytest.mark.parametrize("graph", [igraph.Graph(n=2, edges=[(0, 1)], directed=True), nx.DiGraph([(0, 1)])])
def test_directed_graphs_are_refused(graph: object) -> None:
    with pytest.raises(InvalidInput, match="directed"):
        anonymize(graph, 2)


@pytest.mark.parametrize(
    "graph", ["karate", 7, None, [(0, 1, 2)], [(0.5, 1.0)], [(-1, 2)], [("a", 1)], [("a", None)], object()]
)
def test_what_is_no_graph_is_refused_with_one_line(graph: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        audit(graph, 2)
    assert "\n" not in str(caught.value)


DOORS = [anonymize, anonymize_under, audit, lower_bound, structural_risk]
LOOP, TWICE = [*EDGES, (2, 2)], [*EDGES, (1, 0)]
NOT_SIMPLE = {
    "list with a loop": LOOP,
    "array with both directions": np.array(TWICE),
    "igraph with a loop": igraph.Graph(n=5, edges=LOOP),
    "igraph with a parallel edge": igraph.Graph(n=5, edges=TWICE),
    "networkx with a loop": nx.Graph(LOOP),
    "networkx with a parallel edge": nx.MultiGraph(TWICE),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", NOT_SIMPLE)
def test_what_is_not_simple_is_refused_by_every_door(name: str, door: Callable[..., object]) -> None:
    with pytest.raises(InvalidInput, match="loops or parallel edges; remove them first"):
        door(NOT_SIMPLE[name], 2)


def test_what_the_refusal_advises_helps() -> None:
    graph = nx.Graph(nx.MultiGraph(LOOP + TWICE))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    assert audit(graph, 2).edges == audit(SimpleGraph.from_edges(LOOP + TWICE), 2).edges == 3
    assert audit(igraph.Graph(n=5, edges=LOOP + TWICE).simplify(), 2).edges == 3


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("k", [2.0, "2", True, None, np.float64(2)])
def test_k_is_a_whole_number(k: object, door: Callable[..., object]) -> None:
    with pytest.raises(InvalidInput, match="k must be a whole number of at least 2"):
        door(EDGES, k)


@pytest.mark.parametrize("door", [anonymize, anonymize_under])
@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_a_seed_is_a_whole_number_or_a_generator(seed: object, door: Callable[..., object]) -> None:
    with pytest.raises(InvalidInput, match="seed"):
        door(EDGES, 2, seed=seed)
    door(EDGES, np.int64(2), seed=np.int64(1))
    door(EDGES, 2, seed=np.random.default_rng(1))


@pytest.mark.parametrize("most", [1.5, -1, True])
def test_the_largest_increase_is_a_whole_number(most: object) -> None:
    with pytest.raises(InvalidInput, match="largest increase"):
        anonymize_under(EDGES, 2, Constraints(max_increase=most))


def test_a_time_limit_without_a_clock_names_the_parameter() -> None:
    # the engine has no clock; the name that the package offers binds one
    with pytest.raises(InvalidInput, match=r"pass clock=time\.monotonic") as caught:
        driver.anonymize(EDGES, 2, time_limit=1)
    assert "Budget" not in str(caught.value)


@pytest.mark.parametrize("graph", [nx.path_graph(3), igraph.Graph(n=3), EDGES, np.array(EDGES), "abc", None])
def test_a_graph_is_no_block_sequence(graph: object) -> None:
    with pytest.raises(InvalidInput, match=r"audit\(graph, k\)\.is_anonymous"):
        is_k_anonymous(graph, 2)
    assert is_k_anonymous([], 2)
