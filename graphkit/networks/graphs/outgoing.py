"""Graphs of ours as those of other libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, get_args

from numpy.typing import NDArray

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput

FrameLibrary = Literal["pandas", "polars", "pyarrow"]


def igraph_of_edges(edges: Ints, n: int) -> Any:
    """Return edges on the vertices 0 to n − 1 as :class:`igraph.Graph`."""
    import igraph

    # igraph reads a list several times faster than an array
    return igraph.Graph(n=n, edges=edges.tolist())


def networkx_of_edges(edges: Ints, n: int) -> Any:
    """Return edges on the vertices 0 to n − 1 as :class:`networkx.Graph`; nodes are in ascending order."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges.tolist())
    return graph


def frame_of_columns(columns: dict[str, NDArray[Any]], library: FrameLibrary) -> Any:
    """Return columns as a frame of a library.

    Raises
    ------
    InvalidInput
        If the library is none of those known.
    ImportError
        If it is not installed.
    """
    if library in ("pandas", "polars"):
        # neither is a dependency of ours: only a caller who has it asks for it
        return import_module(library).DataFrame({name: values.tolist() for name, values in columns.items()})
    if library == "pyarrow":
        import pyarrow

        return pyarrow.table({name: values.tolist() for name, values in columns.items()})
    raise InvalidInput(f"unknown library {library!r}; known: {', '.join(get_args(FrameLibrary))}")
