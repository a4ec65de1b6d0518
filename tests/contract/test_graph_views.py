"""Every view answers like a naive reading of the edge list. (Spark: test_edge_tables.py; Neo4j: tests/integration.)"""

from collections.abc import Callable

import ibis
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.graphs.overlay_view import OverlayView
from tests.support.edge_tables import view_of
from tests.support.strategies import graphs
from tests.support.view_contract import check_view


def overlay(graph: SimpleGraph) -> GraphView:
    """Build the graph as every second edge, with the others laid over it."""
    base = IgraphView.of(SimpleGraph(graph.n, graph.edges[::2]))
    return OverlayView(base, graph.edges[1::2])


def double_overlay(graph: SimpleGraph) -> GraphView:
    base = IgraphView.of(SimpleGraph(graph.n, graph.edges[::3]))
    return OverlayView(OverlayView(base, graph.edges[1::3]), graph.edges[2::3])


FACTORIES: dict[str, Callable[[SimpleGraph], GraphView]] = {
    "igraph": IgraphView.of,
    "overlay": overlay,
    "overlay of overlay": double_overlay,
}
DUCKDB = ibis.duckdb.connect(threads=1)


@pytest.mark.parametrize("factory", sorted(FACTORIES))
@given(graph=graphs(max_n=14), data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_view_answers_like_the_edge_list(factory: str, graph: SimpleGraph, data: st.DataObject) -> None:
    vertices = data.draw(st.lists(st.integers(0, graph.n - 1), unique=True)) if graph.n else []
    check_view(FACTORIES[factory](graph), graph, np.array(vertices, dtype=np.int64))


@given(graph=graphs(max_n=10), data=st.data())
@settings(max_examples=25, deadline=None)
def test_an_edge_table_answers_like_the_edge_list(graph: SimpleGraph, data: st.DataObject) -> None:
    vertices = data.draw(st.lists(st.integers(0, graph.n - 1), unique=True)) if graph.n else []
    check_view(view_of(DUCKDB, graph), graph, np.array(vertices, dtype=np.int64))
