"""Graphs of other libraries come in unchanged."""

import igraph
import networkx as nx
import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks import anonymize, audit
from graphkit.networks.interchange import as_simple_graph

EDGES = [(0, 1), (1, 2), (3, 4)]


@pytest.mark.parametrize(
    "graph",
    [EDGES, np.array(EDGES), igraph.Graph(n=5, edges=EDGES), nx.Graph(EDGES), nx.MultiGraph([*EDGES, (0, 1)])],
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


@pytest.mark.parametrize("graph", ["karate", 7, None, [(0, 1, 2)], [(0.5, 1.0)], [(-1, 2)], [("a", "b")], object()])
def test_what_is_no_graph_is_refused_with_one_line(graph: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        audit(graph, 2)
    assert "\n" not in str(caught.value)
