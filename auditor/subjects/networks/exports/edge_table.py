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
    ordered_batches,
    parquet_table,
    vertex_table,
)
from auditor.formats.edge_tables.reading import EdgeTableFiles, source_files
from auditor.formats.networks import companion_path
from auditor.formats.networks.registry import format_named, format_of_name
from auditor.subjects.networks.exports.degree_release import DegreeRelease
from auditor.subjects.networks.exports.exporting import ExportRequest, ExportResult
from auditor.subjects.networks.exports.place import check_network_destination
from graphkit.networks.edge_table import EdgeTable, EdgeTableView
from graphkit.networks.edge_table.vertices import as_number
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
        read = loaded.summary(view)
        if request.dry_run:
            return ExportResult(answer, read=read)
        published = publish_release(_release_of(loaded.graph, view, answer, destination), phase=phase)
        return ExportResult(answer, published, read=read)


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


def _release_of(
    graph: EdgeTable, view: EdgeTableView, answer: Anonymization, destination: Destination
) -> "EdgeTableRelease":
    if graph.connection.name != "pyspark":
        return EdgeTableRelease(graph, view, answer, destination)
    from auditor.subjects.networks.exports.spark_edge_table import SparkEdgeTableRelease

    return SparkEdgeTableRelease(graph, view, answer, destination)


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
        self.graph, self.answer, self.destination, self._view = graph, answer, destination, view
        self.claim = DegreeClaim(k=answer.k, n=graph.vertex_count)
        self.terms = Terms(additions=answer.size)

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        with translated_errors(writing=self.destination.path):
            self.write_edges(aside)
        if not self._has_isolated_vertices():
            return [aside]
        # in the order of the ids, which discloses nothing
        vertices = companion_path(aside)
        with delivering(vertices), vertices.open("w", encoding="utf-8") as stream:
            stream.write("id\n")
            stream.writelines(f"{vertex}\n" for vertex in range(self.claim.n))
        return [aside, vertices]

    def write_edges(self, path: Path) -> None:
        """Write the edges under fresh ids, which are known from then on, in the order of those ids."""
        from graphkit.networks.edge_table import keep, published_ids, released_edges

        connection = self.graph.connection
        self.published = keep(connection, published_ids(self._view.vertices, os.urandom(_SECRET_BYTES)))
        # two joins at once would draw them twice
        as_number(connection, self.published.count())
        edges = released_edges(self.graph.edges, self.answer.edges, self.published)
        connection.to_parquet(edges, path, compression="zstd")

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        from graphkit.networks.edge_table import verify_edge_table

        connection = self.graph.connection
        with translated_errors():
            return verify_edge_table(
                connection,
                self.claim,
                parquet_table(connection, written[:1]),
                self.edge_count,
                vertices=vertex_table(connection, written[1], is_ours=True) if len(written) > 1 else None,
                original=self.graph.edges,
                published=self.published,
            )

    @property
    def edge_count(self) -> int:
        """How many edges are promised."""
        return self.graph.edge_count + self.answer.size

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        with translated_errors(), staging_folder(path) as folder:
            published = self.published_in(folder)
            if self.graph.ids is None:
                rows = published.select(original="vertex", published="published")
            else:
                rows = self.graph.ids.join(published, "vertex").select(original="id", published="published")
            batches = ordered_batches(self.graph.connection, rows.order_by("published"), folder)
            pieces = (zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in batches)
            write_key_rows(path, pieces)

    def published_in(self, folder: Path) -> Any:
        """Return the fresh ids as a table of the database, columns `vertex` and `published`; a folder may take it."""
        return self.published

    def _has_isolated_vertices(self) -> bool:
        from graphkit.networks.graphs.overlay_view import OverlayView

        blocks = OverlayView(self._view, self.answer.edges).block_sequence()
        return bool(blocks.size and blocks[0])
