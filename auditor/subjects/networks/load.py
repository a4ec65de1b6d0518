"""Load the vertices and edges of a network in batches, under a lease that every batch renews."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import StoreConflict
from auditor.core.progress import Progress
from auditor.core.transactions import Transaction
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.owner import LEASE_MILLISECONDS, Owner

if TYPE_CHECKING:
    from auditor.store.connection import Connection

_VERTICES = 20_000
_EDGES = 50_000

# write: also locks the node, so that nobody can declare the load abandoned while a batch is written
_RENEW = """
MATCH (l:AuditorLoadingNetwork {id: $network}) WHERE l.owner = $owner
SET l.lease = timestamp() + $lease
RETURN count(l) AS held
"""
# write: where there are no attributes, a vertex has no such property
_CREATE_VERTICES = """
UNWIND range(0, size($labels) - 1) AS i
CREATE (:AuditorVertex {network: $network, index: $start + i, label: $labels[i],
                 attributes: CASE WHEN size($columns) > 0 THEN [column IN $columns | column[i]] END})
"""
# write: rows are [low, [high, …]]
_CREATE_EDGES = """
UNWIND $rows AS row
MATCH (low:AuditorVertex {network: $network, index: row[0]})
UNWIND row[1] AS index
MATCH (high:AuditorVertex {network: $network, index: index})
CREATE (low)-[:TIE]->(high)
"""


def load_content(
    connection: Connection, network: int, owner: Owner, content: LoadedNetwork, progress: Progress
) -> None:
    """Write all vertices and edges of a network that `owner` is loading.

    Raises
    ------
    StoreConflict
        If somebody took the load for abandoned.

    Notes
    -----
    Transactions of 20 000 vertices or 50 000 edges: the server's memory does not grow with the network.
    """

    def write(query: str, parameters: dict[str, Any]) -> None:
        def work(tx: Transaction) -> None:
            renewed = tx.run(_RENEW, network=network, owner=owner.text, lease=LEASE_MILLISECONDS).single(strict=True)
            if not renewed["held"]:
                raise StoreConflict("this load was taken for abandoned by another process; run it again")
            tx.run(query, network=network, **parameters).consume()

        connection.write(work)

    n, m = content.graph.n, content.graph.m
    columns = [content.attributes[name] for name in sorted(content.attributes)]
    for start in range(0, n, _VERTICES):
        progress("store vertices", start, n)
        labels, *values = (column[start : start + _VERTICES].tolist() for column in (content.labels, *columns))
        write(_CREATE_VERTICES, {"start": start, "labels": labels, "columns": values})
    for start, rows in _edge_batches(content.graph.edges):
        progress("store edges", start, m)
        write(_CREATE_EDGES, {"rows": rows})


def _edge_batches(edges: NDArray[np.int64]) -> Iterator[tuple[int, list[list[Any]]]]:
    """Yield the edges packed by their low end: one look-up a vertex and less to send than a row an edge."""
    for start in range(0, edges.shape[0], _EDGES):
        low, high = edges[start : start + _EDGES].T
        begins = np.flatnonzero(np.diff(low, prepend=-1))
        ends = [*begins[1:].tolist(), low.size]
        targets = high.tolist()
        rows = zip(low[begins].tolist(), begins.tolist(), ends, strict=True)
        yield start, [[vertex, targets[begin:end]] for vertex, begin, end in rows]
