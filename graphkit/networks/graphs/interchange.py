"""Graphs of other libraries as the engines' own types."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphkit.errors import InvalidInput
from graphkit.networks.graphs.adjacency_matrix import edges_of_matrix, is_sparse_matrix
from graphkit.networks.graphs.edge_lists import named_edges
from graphkit.networks.graphs.graph import DroppedEdges, SimpleGraph, simplify
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.igraph_view import IgraphView


def as_simple_graph(graph: Any) -> SimpleGraph:
    """Return a graph of another library, or an edge list, as :class:`SimpleGraph`.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, sparse matrix, frame or array_like, shape (m, 2)
        Vertices of networkx are numbered in the order of ``graph.nodes``, those of an array of int by their number;
        those of a frame (pandas, polars, pyarrow) or of pairs of text in ascending order of their names
        (:func:`~graphkit.networks.graphs.edge_lists.named_edges`). :func:`vertex_names` tells which is which. A sparse
        matrix of scipy is a symmetric adjacency matrix.

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
    return _read(graph)[0]


def as_named_graph(graph: Any) -> tuple[SimpleGraph, NDArray[np.object_]]:
    """Return :func:`as_simple_graph` and :func:`vertex_names` of a graph; a frame is read once."""
    simple, names = _read(graph)
    return simple, _array_of(names)


def vertex_names(graph: Any) -> NDArray[np.object_]:
    """Return the name of each vertex of a graph, in the order in which results number them.

    Parameters
    ----------
    graph : Any
        As for :func:`as_simple_graph`; so are the errors.

    Returns
    -------
    ndarray of object, shape (n,)
        Nodes of networkx, the attribute `name` of igraph where there is one, names of a frame or of pairs of text;
        otherwise the numbers 0 to n − 1. Protected.

    Examples
    --------
    >>> vertex_names([("eve", "bob"), ("bob", "ann")]).tolist()
    ['ann', 'bob', 'eve']
    """
    return as_named_graph(graph)[1]


def _read(graph: Any) -> tuple[SimpleGraph, Iterable[Any]]:
    """Return a graph and the names of its vertices; by duck typing, so that no library is imported for it."""
    if isinstance(graph, SimpleGraph):
        return graph, range(graph.n)
    if hasattr(graph, "vcount") and hasattr(graph, "get_edgelist"):
        _refuse_directed(graph.is_directed())
        pairs = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        names = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
        return _simple(pairs, graph.vcount(), "Graph.simplify"), names
    if hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed"):
        _refuse_directed(graph.is_directed())
        index = {node: i for i, node in enumerate(graph.nodes)}
        pairs = np.array([(index[edge[0]], index[edge[1]]) for edge in graph.edges], dtype=np.int64).reshape(-1, 2)
        way = "networkx.Graph(graph), then remove_edges_from(networkx.selfloop_edges(graph))"
        return _simple(pairs, len(index), way), graph.nodes
    if is_sparse_matrix(graph):
        pairs, n = edges_of_matrix(graph)
        return _simple(pairs, n, "matrix.setdiag(0)"), range(n)
    if (named := named_edges(graph)) is not None:
        pairs, names = named
        return _simple(pairs, len(names), "give each pair once, in one direction, and no vertex with itself"), names
    try:
        if np.ndim(graph) == 0:
            raise TypeError("a set, a generator or another object that is no array")
        simple = _simple(graph, None, "SimpleGraph.from_edges(edges)")
    except InvalidInput:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"cannot read a graph from {type(graph).__name__}; pass a list of pairs, such as list(edges), an igraph or "
            "networkx graph, a frame with two columns, a sparse adjacency matrix or an (m, 2) array"
        ) from error
    return simple, range(simple.n)


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


def _array_of(names: Iterable[Any]) -> NDArray[np.object_]:
    listed = list(names)
    array = np.empty(len(listed), dtype=object)
    # one by one: NumPy takes a tuple, which networkx allows as a node, for a row
    for place, name in enumerate(listed):
        array[place] = name
    return array


def _simple(edges: ArrayLike, n: int | None, way: str) -> SimpleGraph:
    graph, dropped = simplify(edges, n)
    if dropped != DroppedEdges():
        raise InvalidInput(f"the graph has loops or parallel edges; remove them first ({way})")
    return graph


def _refuse_directed(directed: bool) -> None:
    if directed:
        raise InvalidInput("the graph is directed; make it undirected first")
