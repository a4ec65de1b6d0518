"""A protected edge table of Spark: its fresh ids are drawn here, and its edges written and verified here in order.

To move edges to other ids Spark joins them with the ids twice and exchanges all of them among its executors to sort
them, once to write them and once to verify them, and the release has to become one file here in any case.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.staging import delivering
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.edge_tables.ordering import in_order
from auditor.formats.edge_tables.parquet import (
    Pairs,
    edges_of_spark,
    file_edges,
    file_vertices,
    parquet_table,
    write_edges,
)
from auditor.subjects.networks.exports.edge_table import EdgeTableRelease
from graphkit.machine import fresh_permutation
from graphkit.networks.verify import Verification


class SparkEdgeTableRelease(EdgeTableRelease):
    """An edge table with the added edges under fresh ids, in Spark.

    Notes
    -----
    Memory for 24 bytes of each vertex and for what is sorted at once; on the disk 24 bytes of each edge beside the
    release, while it is written and again while it is verified.
    """

    def write_edges(self, path: Path) -> None:
        """See :meth:`EdgeTableRelease.write_edges`; the added edges hide among the others by the order."""
        new = self.published = fresh_permutation(self.claim.n)
        added = self.answer.edges

        def pieces() -> Iterator[Pairs]:
            for low, high in edges_of_spark(self.graph.connection, self.graph.edges, path.parent):
                yield new[low], new[high]
            yield new[added[:, 0]], new[added[:, 1]]

        with delivering(self.destination.path):
            write_edges(in_order(pieces(), self.claim.n, self.edge_count, path.parent), path)

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        from graphkit.networks.edge_table import verify_ordered_edges
        from graphkit.networks.edge_table.verify_ordered import is_one_to_one, relabelled_pieces

        graph, n, folder = self.graph, self.claim.n, written[0].parent
        with translated_errors(), delivering(self.destination.path):
            wanted = None
            if is_one_to_one(self.published, n):
                pieces = relabelled_pieces(edges_of_spark(graph.connection, graph.edges, folder), self.published)
                wanted = in_order(pieces, n, graph.edge_count, folder)
            return verify_ordered_edges(
                self.claim,
                file_edges(written[0]),
                self.edge_count,
                vertices=file_vertices(written[1]) if len(written) > 1 else None,
                wanted=wanted,
                wanted_count=graph.edge_count,
            )

    def published_in(self, folder: Path) -> Any:
        """See :meth:`EdgeTableRelease.published_in`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        ids = pa.table({"vertex": np.arange(self.claim.n), "published": self.published})
        pq.write_table(ids, folder / "published.parquet")
        return parquet_table(self.graph.connection, [folder / "published.parquet"])
