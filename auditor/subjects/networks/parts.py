"""Cut a stored network into ranges of vertices small enough for one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.store.connection import Connection

_STEP = 500

# read
_EDGES_BY_PART = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= 0
WITH v.index / $step AS part, COUNT { (v)-[:TIE]->() } AS edges
RETURN part, sum(edges) AS edges ORDER BY part
"""

# read: lists of one transaction are in the same order, whatever that is; vertices without attributes have no list
_VERTICES = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= $start AND v.index < $end
RETURN collect(v.index) AS indices, collect(v.label) AS labels, collect(v.attributes) AS attributes
"""
# read
_TIES = """
MATCH (low:AuditorVertex)-[:TIE]->(high:AuditorVertex)
WHERE low.network = $network AND low.index >= $start AND low.index < $end
RETURN collect(low.index) AS low, collect(high.index) AS high
"""


def vertices_within(connection: Connection, network: int, start: int, end: int) -> dict[str, list[Any]]:
    """Return ``indices``, ``labels`` and ``attributes`` of the vertices in a range, packed by the server."""
    return dict(connection.read(_VERTICES, network=network, start=start, end=end)[0])


def ties_within(connection: Connection, network: int, start: int, end: int) -> dict[str, list[int]]:
    """Return the ends ``low`` and ``high`` of the edges whose low end is in a range, packed by the server."""
    return dict(connection.read(_TIES, network=network, start=start, end=end)[0])


def vertex_ranges(connection: Connection, network: int, vertices: int, edges: int) -> list[tuple[int, int]]:
    """Return ranges ``[start, end)`` that cover all vertices of a network, complete or not.

    Parameters
    ----------
    connection : Connection
        The store.
    network : int
        Id of the network.
    vertices, edges : int
        A range has at most so many vertices, and so many edges that begin in it unless 500 vertices have more.
    """
    ranges: list[tuple[int, int]] = []
    start = end = held = 0
    for record in connection.read(_EDGES_BY_PART, network=network, step=_STEP):
        begin = record["part"] * _STEP
        if end > start and (begin + _STEP - start > vertices or held + record["edges"] > edges):
            ranges.append((start, end))
            start, held = begin, 0
        end = begin + _STEP
        held += record["edges"]
    return [*ranges, (start, end)] if end > start else ranges
