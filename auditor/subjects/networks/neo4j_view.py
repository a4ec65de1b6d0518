"""A stored network as an engine sees it: every question is one query, answered in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graphs.ordering import canonical_edges, grouped

if TYPE_CHECKING:
    from auditor.store.connection import Connection

IndexArray = NDArray[np.int64]

# Lists that one RETURN collects are in the same order. COUNT { (v)-[:TIE]-() } reads a counter, it does not expand.

# read
_BLOCKS = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= 0
WITH COUNT { (v)-[:TIE]-() } AS degree
RETURN degree, count(*) AS size
"""
# read
_DEGREES = """
UNWIND range(0, size($vertices) - 1) AS place
MATCH (v:AuditorVertex {network: $network, index: $vertices[place]})
RETURN collect(place) AS places, collect(COUNT { (v)-[:TIE]-() }) AS degrees
"""
# read
_VERTICES_OF_DEGREES = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= 0
WITH v.index AS index, COUNT { (v)-[:TIE]-() } AS degree
WHERE degree IN $degrees
RETURN collect(index) AS indices, collect(degree) AS degrees
"""
# read
_EDGES_AMONG = """
UNWIND $vertices AS index
MATCH (low:AuditorVertex {network: $network, index: index})-[:TIE]->(high:AuditorVertex)
WHERE high.index IN $vertices
RETURN collect(index) AS low, collect(high.index) AS high
"""
# read
_NEIGHBOURS = """
UNWIND range(0, size($vertices) - 1) AS place
MATCH (:AuditorVertex {network: $network, index: $vertices[place]})-[:TIE]-(w:AuditorVertex)
RETURN collect(place) AS places, collect(w.index) AS indices
"""
# read
_NON_NEIGHBOURS = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= 0 AND COUNT { (v)-[:TIE]-() } = $degree
WITH v WHERE NOT v.index IN $vertices AND NOT EXISTS { (v)-[:TIE]-(w:AuditorVertex) WHERE w.index IN $vertices }
RETURN v.index AS index ORDER BY index LIMIT $limit
"""


class Neo4jGraphView:
    """:class:`~graphkit.networks.graphs.graph_view.GraphView` of a stored network.

    Parameters
    ----------
    connection : Connection
        The store.
    network : int
        Id of the network.
    vertices, edges : int
        How many it has.

    Notes
    -----
    Answers hold what was asked for; the graph itself stays in the database. Vertices are found through the index on
    network and index. Questions by degree look at every vertex's counter: O(n) in the database, about 0.3 s a query for
    300 000 vertices.
    """

    def __init__(self, connection: Connection, network: int, vertices: int, edges: int) -> None:
        self._connection, self._network = connection, network
        self.vertex_count, self.edge_count = vertices, edges
        self._blocks: IndexArray | None = None

    def block_sequence(self) -> IndexArray:
        """Return how many vertices have each degree, shape (Δ+1,); asked once, a stored network does not change."""
        if self._blocks is None:
            records = self._connection.read(_BLOCKS, network=self._network)
            blocks = np.zeros(max((record["degree"] for record in records), default=-1) + 1, dtype=np.int64)
            for record in records:
                blocks[record["degree"]] = record["size"]
            self._blocks = blocks
        return self._blocks.copy()

    def degrees(self, vertices: IndexArray) -> IndexArray:
        """Return the degrees of the given vertices."""
        places, degrees = self._ask(_DEGREES, "places", "degrees", vertices=vertices.tolist())
        result = np.zeros(vertices.shape, dtype=np.int64)
        result[places] = degrees
        return result

    def vertices_of_degrees(self, degrees: IndexArray) -> list[IndexArray]:
        """Return the blocks of the given degrees, each ascending."""
        indices, found = self._ask(_VERTICES_OF_DEGREES, "indices", "degrees", degrees=degrees.tolist())
        by_degree, places = np.unique(degrees, return_inverse=True)
        blocks = grouped(np.searchsorted(by_degree, found), indices, by_degree.size)
        return [blocks[place] for place in places]

    def edges_among(self, vertices: IndexArray) -> IndexArray:
        """Return the edges inside a set of vertices, canonical."""
        low, high = self._ask(_EDGES_AMONG, "low", "high", vertices=vertices.tolist())
        return canonical_edges(np.column_stack((low, high)))

    def neighbours(self, vertices: IndexArray) -> list[IndexArray]:
        """Return the neighbours of the given vertices, each ascending."""
        places, indices = self._ask(_NEIGHBOURS, "places", "indices", vertices=vertices.tolist())
        return grouped(places, indices, vertices.size)

    def non_neighbours(self, vertices: IndexArray, degree: int, limit: int) -> IndexArray:
        """Return the first `limit` vertices of a degree outside `vertices` and adjacent to none of them."""
        records = self._connection.read(
            _NON_NEIGHBOURS, network=self._network, vertices=vertices.tolist(), degree=degree, limit=max(limit, 0)
        )
        return np.array([record["index"] for record in records], dtype=np.int64)

    def _ask(self, query: str, *columns: str, **parameters: list[int]) -> list[IndexArray]:
        (record,) = self._connection.read(query, network=self._network, **parameters)
        return [np.array(record[column], dtype=np.int64) for column in columns]
