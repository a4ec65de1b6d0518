"""Edge tables in a database, through Ibis: DuckDB on one machine, Spark on a cluster, the same expressions."""

from graphkit.networks.edge_table.normalise import EdgeTable, normalise
from graphkit.networks.edge_table.release import published_ids, released_edges
from graphkit.networks.edge_table.verify import verify_edge_table
from graphkit.networks.edge_table.verify_ordered import verify_ordered_edges
from graphkit.networks.edge_table.vertices import keep
from graphkit.networks.edge_table.view import EdgeTableView, check_canonical

__all__ = [
    "EdgeTable",
    "EdgeTableView",
    "check_canonical",
    "keep",
    "normalise",
    "published_ids",
    "released_edges",
    "verify_edge_table",
    "verify_ordered_edges",
]
