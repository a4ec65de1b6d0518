"""A protected edge table, published: everything as for a network in memory, done in the database."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from auditor.core.errors import BadInput
from auditor.core.staging import delivering, staging_folder
from auditor.exports.destination import Destination
from auditor.exports.key_file import write_key_rows
from auditor.exports.publishing import publish_release
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.edge_tables.parquet import (
    file_edges,
    file_vertices,
    ordered_batches,
    ordered_edges,
    parquet_table,
    vertex_table,
    write_edges,
)
from auditor.formats.edge_tables.reading import EdgeTableFiles, source_files
from auditor.formats.networks import companion_path
from auditor.formats.networks.registry import format_named, format_of_name
from auditor.subjects.networks.exports.degree_release import DegreeRelease
from auditor.subjects.networks.exports.exporting import ExportRequest, ExportResult
from auditor.subjects.networks.exports.place import check_network_destination
from graphkit.networks.edge_table import EdgeTable, EdgeTableView
from graphkit.networks.edge_table.vertices import as_arrays, as_number
from graphkit.networks.effort.progress import Progress
from graphkit.networks.result import Anonymization
from graphkit.networks.verify import DegreeClaim, Terms, Verification

_SECRET_BYTES = 32


def export_edge_table(
    files: EdgeTableFiles, request: ExportRequest, *, phase: Callable[[str], None], progress: Progress
) -> ExportResult:
    """Read an edge table, protect it and publish it, in a database with bounded memory.

    Parameters
    ----------
    files : EdgeTableFiles
        Where the edge table is, and what the database may use.
    request : ExportRequest
        What is wanted; without constraints.
    phase, progress : callable
        Called with what is being done, and with what the engine has reached.

    Raises
    ------
    BadInput
        If the files cannot be read, or the destination cannot be written.
    NotDelivered, RoomExhausted, VerificationFailed
        As :func:`~auditor.exports.publishing.publish_release`.
    """
    from graphkit.networks.driver import anonymize

    destination = request.destination
    if not request.dry_run:
        check_edge_table_destination(destination, source_files(files.path, files.vertices))
    phase("read")
    with files.opened(Path(tempfile.gettempdir()) if request.dry_run else destination.path.parent) as (loaded, view):
        with translated_errors():
            answer = anonymize(view, request.k, **request.engine, progress=progress, clock=time.monotonic)
        if request.dry_run:
            return ExportResult(answer, remarks=loaded.remarks)
        published = publish_release(EdgeTableRelease(loaded.graph, view, answer, destination), phase=phase)
        return ExportResult(answer, published, remarks=loaded.remarks)


def check_edge_table_destination(destination: Destination, sources: list[Path]) -> None:
    """Refuse a destination that a protected edge table could not, or must not, be written to.

    Raises
    ------
    BadInput
        As :func:`~auditor.subjects.networks.exports.place.check_network_destination`; and if it is no Parquet file.
    """
    check_network_destination(destination, sources)
    name = destination.path.name
    format = format_of_name(name) if destination.format is None else format_named(destination.format)
    if format is None or format.name != "parquet" or destination.path.suffix.lower() not in format.suffixes:
        raise BadInput(f"{destination.path} must be a Parquet file, as every output with --edge-table")


class EdgeTableRelease(DegreeRelease):
    """An edge table with the added edges under fresh ids, in its database.

    Parameters
    ----------
    graph : EdgeTable
        The original.
    view : EdgeTableView
        The same, as the engine saw it.
    answer : Anonymization
        New edges between its vertices, and the k that is claimed.
    destination : Destination
        Where it goes: a Parquet file.
    """

    format = "parquet"

    def __init__(self, graph: EdgeTable, view: EdgeTableView, answer: Anonymization, destination: Destination) -> None:
        self._graph, self._view, self._answer, self.destination = graph, view, answer, destination
        self.claim = DegreeClaim(k=answer.k, n=graph.vertex_count)
        self.terms = Terms(additions=answer.size)

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        from graphkit.networks.edge_table import keep, published_ids, released_edges

        connection = self._graph.connection
        with translated_errors(writing=self.destination.path):
            self.published = keep(connection, published_ids(self._view.vertices, os.urandom(_SECRET_BYTES)))
            # two joins at once would draw them twice
            as_number(connection, self.published.count())
            pairs = released_edges(self._graph.edges, self._answer.edges, self.published, is_ordered=False)
            _write(connection, pairs, self.claim.n, aside)
            if not self._has_isolated_vertices():
                return [aside]
        # in the order of the ids, which discloses nothing
        vertices = companion_path(aside)
        with delivering(vertices), vertices.open("w", encoding="utf-8") as stream:
            stream.write("id\n")
            stream.writelines(f"{vertex}\n" for vertex in range(self.claim.n))
        return [aside, vertices]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        from graphkit.networks.edge_table import verify_edge_table

        graph, connection = self._graph, self._graph.connection
        with translated_errors():
            if connection.name == "pyspark":
                return self._read_in_order(written)
            return verify_edge_table(
                connection,
                self.claim,
                parquet_table(connection, written[:1]),
                graph.edge_count + self._answer.size,
                vertices=vertex_table(connection, written[1], is_ours=True) if len(written) > 1 else None,
                original=graph.edges,
                published=self.published,
            )

    def _read_in_order(self, written: list[Path]) -> Verification:
        """Verify what was written by reading it here once: Spark would exchange it among its executors to group it."""
        import ibis

        from graphkit.networks.edge_table import verify_ordered_edges
        from graphkit.networks.edge_table.verify import relabelled
        from graphkit.networks.edge_table.verify_ordered import is_one_to_one

        graph, connection, n = self._graph, self._graph.connection, self.claim.n
        wanted = None
        if is_one_to_one(n, *as_arrays(connection, self.published.select("vertex", "published"))):
            ends = relabelled(graph.edges, self.published)
            pairs = ends.select(source=ibis.least(ends.one, ends.other), target=ibis.greatest(ends.one, ends.other))
            wanted = ordered_edges(connection, pairs, n, written[0].parent)
        return verify_ordered_edges(
            self.claim,
            file_edges(written[0]),
            graph.edge_count + self._answer.size,
            vertices=file_vertices(written[1]) if len(written) > 1 else None,
            wanted=wanted,
            wanted_count=graph.edge_count,
        )

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        graph = self._graph
        if graph.ids is None:
            rows = self.published.select(original="vertex", published="published")
        else:
            rows = graph.ids.join(self.published, "vertex").select(original="id", published="published")
        with translated_errors(), staging_folder(path) as folder:
            batches = ordered_batches(graph.connection, rows.order_by("published"), folder)
            pieces = (zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in batches)
            write_key_rows(path, pieces)

    def _has_isolated_vertices(self) -> bool:
        from graphkit.networks.graphs.overlay_view import OverlayView

        blocks = OverlayView(self._view, self._answer.edges).block_sequence()
        return bool(blocks.size and blocks[0])


def _write(connection: Any, pairs: Any, n: int, path: Path) -> None:
    write_edges(connection, pairs, n, path)
