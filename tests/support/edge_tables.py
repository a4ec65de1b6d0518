"""Graphs as edge tables in a backend of Ibis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.edge_table import EdgeTableView
from graphkit.networks.edge_table.vertices import as_table
from graphkit.networks.graphs.graph import SimpleGraph

__all__ = ["edge_table", "edges_of", "view_of"]


def edge_table(connection: Any, edges: NDArray[np.int64]) -> Any:
    """Return a table with the columns low and high, as it is."""
    import ibis

    pairs = as_table(low=edges[:, 0], high=edges[:, 1])
    return connection.create_table(ibis.util.gen_name("edges"), pairs)


def view_of(connection: Any, graph: SimpleGraph) -> EdgeTableView:
    """Return the view of a graph, after its table was checked."""
    return EdgeTableView(connection, edge_table(connection, graph.edges), graph.n)


def edges_of(connection: Any, table: Any) -> list[tuple[int, ...]]:
    """Return the rows of a table of edges, ascending."""
    result = connection.to_pyarrow(table)
    return sorted(zip(*(result.column(name).to_pylist() for name in table.columns), strict=True))
