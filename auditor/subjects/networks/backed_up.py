"""Vertices and edges of networks in a backup: packed, some thousands a record."""

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.core.kinds import LargeContent
from auditor.store.backups.file import Record
from auditor.store.connection import Connection
from auditor.subjects.networks.parts import ties_within, vertex_ranges, vertices_within

_VERTICES = 20_000
_EDGES = 50_000

# read
_NETWORKS = "MATCH (n:AuditorNetwork) RETURN n.id AS id, size(n.attribute_names) > 0 AS has_attributes ORDER BY id"
# write
_CREATE_VERTICES = """
UNWIND range(0, size($indices) - 1) AS i
CREATE (:AuditorVertex {network: $network, index: $indices[i], label: $labels[i], attributes: $attributes[i]})
"""
# write
_CREATE_EDGES = """
UNWIND range(0, size($low) - 1) AS i
MATCH (low:AuditorVertex {network: $network, index: $low[i]})
MATCH (high:AuditorVertex {network: $network, index: $high[i]})
CREATE (low)-[:TIE]->(high)
"""
# write
_DELETE_EDGES = "MATCH (:AuditorVertex)-[tie:TIE]->() WITH tie LIMIT $limit DELETE tie RETURN count(*) AS deleted"
# read
_COUNT = "MATCH (v:AuditorVertex) RETURN count(v) AS found"
# read
_COUNT_TIES = "MATCH (:AuditorVertex)-[tie:TIE]->() RETURN count(tie) AS found"


class NetworkContent(LargeContent):
    """See :class:`~auditor.core.kinds.LargeContent`; networks that are not whole are left out."""

    records = ("vertices", "edges")
    # edges first: deleting a vertex with all its edges takes memory by its degree
    deletions = (_DELETE_EDGES,)

    def read(self, connection: Connection) -> Iterator[Record]:
        """Yield the records."""
        for network in connection.read(_NETWORKS):
            yield from _content(connection, network["id"], network["has_attributes"])

    def counted(self, record: Record) -> tuple[str, int]:
        """Return what a record holds, and how many of it."""
        if record["kind"] == "vertices":
            return "Vertex", len(record["indices"])
        return "TIE", len(record["low"])

    def written(self, record: Record) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the queries that write a record."""
        if record["kind"] == "vertices":
            yield _CREATE_VERTICES, {"attributes": [], **{key: record[key] for key in record if key != "kind"}}
            return
        for place in range(0, len(record["low"]), _EDGES):
            ends = {key: record[key][place : place + _EDGES] for key in ("low", "high")}
            yield _CREATE_EDGES, {"network": record["network"], **ends}

    def present(self, connection: Connection) -> Mapping[str, int]:
        """Return how many vertices and edges are in the store."""
        return {"Vertex": connection.read(_COUNT)[0]["found"], "TIE": connection.read(_COUNT_TIES)[0]["found"]}


def _content(connection: Connection, network: int, has_attributes: bool) -> Iterator[Record]:
    ranges = vertex_ranges(connection, network, _VERTICES, _EDGES)
    for start, end in ranges:
        part = vertices_within(connection, network, start, end)
        columns = ("indices", "labels", "attributes") if has_attributes else ("indices", "labels")
        yield {"kind": "vertices", "network": network, **{column: part[column] for column in columns}}
    for start, end in ranges:
        yield {"kind": "edges", "network": network, **ties_within(connection, network, start, end)}
