"""Graphs of other libraries as the engines' own types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from graphkit.errors import InvalidInput
from graphkit.networks.graph import DroppedEdges, SimpleGraph, simplify
from graphkit.networks.graph_view import GraphView
from graphkit.networks.igraph_view import IgraphView

__all__ = ["as_simple_graph", "as_view"]


def as_simple_graph(graph: Any) -> SimpleGraph:
    """Return a graph of igraph or networkx, or an edge array, as :class:`SimpleGraph`.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph or array_like of int, shape (m, 2)
        Vertices of networkx are numbered in the order of ``graph.nodes``.

    Raises
    ------
    InvalidInput
        If the graph is directed or has loops or parallel edges, or the object is none of these.

    Notes
    -----
    What a parallel edge means is for the caller to say: its degree counts it once or twice, and k-anonymity with it.

    Examples
    --------
    >>> import networkx
    >>> as_simple_graph(networkx.path_graph(3)).edges.tolist()
    [[0, 1], [1, 2]]
    """
    if isinstance(graph, SimpleGraph):
        return graph
    # by duck typing: neither library is imported for a caller who does not use it
    if hasattr(graph, "vcount") and hasattr(graph, "get_edgelist"):
        _refuse_directed(graph.is_directed())
        pairs = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        return _simple(pairs, graph.vcount(), "Graph.simplify")
    if hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed"):
        _refuse_directed(graph.is_directed())
        index = {node: i for i, node in enumerate(graph.nodes)}
        pairs = np.array([(index[edge[0]], index[edge[1]]) for edge in graph.edges], dtype=np.int64).reshape(-1, 2)
        return _simple(
            pairs, len(index), "networkx.Graph(graph), then remove_edges_from(networkx.selfloop_edges(graph))"
        )
    try:
        return _simple(graph, None, "SimpleGraph.from_edges(edges)")
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(
            f"cannot read a graph from {type(graph).__name__}; pass an igraph or networkx graph or an (m, 2) array"
        ) from error


def as_view(graph: Any) -> GraphView:
    """Return a graph in any of the accepted forms as a view; a view is returned as it is.

    Raises
    ------
    InvalidInput
        As :func:`as_simple_graph`.
    """
    if isinstance(graph, GraphView):
        return graph
    if hasattr(graph, "vcount") and hasattr(graph, "is_simple"):
        return IgraphView(graph)
    return IgraphView.of(as_simple_graph(graph))


def _simple(edges: ArrayLike, n: int | None, way: str) -> SimpleGraph:
    graph, dropped = simplify(edges, n)
    if dropped != DroppedEdges():
        raise InvalidInput(f"the graph has loops or parallel edges; remove them first ({way})")
    return graph


def _refuse_directed(directed: bool) -> None:
    if directed:
        raise InvalidInput("the graph is directed; make it undirected first")
