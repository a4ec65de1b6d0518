"""Audit of a graph from Python: its degree risk, whatever library it comes from."""

from __future__ import annotations

from typing import Any

from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.interchange import as_simple_graph
from graphkit.networks.risk.degree_risk import DegreeRisk, degree_risk


def audit(graph: Any, k: int) -> DegreeRisk:
    """Return how exposed a graph is to somebody who knows a degree.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, GraphView or array of int, shape (m, 2)
        The graph.
    k : int
        Required block size, at least 2.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or below 2, or the graph is directed or has loops or parallel edges.

    Examples
    --------
    >>> audit([(0, 1), (1, 2), (3, 4)], k=2).vertices_below_k
    1
    """
    if isinstance(graph, GraphView):
        return degree_risk(graph.block_sequence(), k)
    return degree_risk(as_simple_graph(graph).block_sequence(), k)
