"""Publish a protected edge table: everything as for a network in memory, done in the database."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, VerificationFailed
from auditor.core.staging import delivering, publish, staging_folder, sync
from auditor.exports.claim import Manifest, file_digest, manifest_path
from auditor.exports.destination import Destination, check_network_destination
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.networks import companion_path
from auditor.formats.networks.registry import format_named, format_of_name
from auditor.subjects.networks.exports.key_file import discard_key, write_key_rows
from graphkit.networks.verify import DegreeClaim, Verification

if TYPE_CHECKING:
    from graphkit.networks.edge_table import EdgeTable, EdgeTableView

_SECRET_BYTES = 32


def check_edge_table_destination(destination: Destination, sources: list[Path]) -> None:
    """Refuse a destination that a protected edge table could not, or must not, be written to.

    Raises
    ------
    BadInput
        As :func:`~auditor.exports.destination.check_network_destination`; and if it is to be no Parquet file, or
        attributes are to leave.
    """
    check_network_destination(destination, sources)
    name = destination.path.name
    format = format_of_name(name) if destination.format is None else format_named(destination.format)
    if format is None or format.name != "parquet" or destination.path.suffix.lower() not in format.suffixes:
        raise BadInput(f"{destination.path} must be a Parquet file, as every output with --edge-table")
    if destination.keep:
        raise BadInput("vertex attributes cannot leave with --edge-table; leave out --keep")


def publish_edge_table(
    graph: EdgeTable,
    view: EdgeTableView,
    added: NDArray[np.int64],
    k: int,
    destination: Destination,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    phase: Callable[[str], None] = lambda name: None,
) -> tuple[Manifest, tuple[Path, ...]]:
    """Write an edge table with the added edges under fresh ids, and let it appear once it was verified.

    Parameters
    ----------
    graph : EdgeTable
        The original.
    view : EdgeTableView
        The same, as the engine saw it.
    added : ndarray of int64, shape (s, 2)
        New edges between its vertices.
    k : int
        The claim: every degree that occurs occurs at least k times.
    destination : Destination
        Where it goes: a Parquet file.
    clock, phase : callable, optional
        The time, and where to tell what is being done.

    Returns
    -------
    Manifest, tuple of Path
        What is claimed, and the files in their places, the edge table first.

    Raises
    ------
    BadInput
        As :func:`check_edge_table_destination`, found before anything is written.
    NotDelivered, RoomExhausted
        If the file system or the database has no room.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    from graphkit.networks.edge_table import keep, published_ids, released_edges

    check_edge_table_destination(destination, [])
    connection = graph.connection
    claim = DegreeClaim(k=k, n=graph.vertex_count)
    with staging_folder(destination.path) as folder:
        phase("write")
        aside = folder / destination.path.name
        with translated_errors(writing=destination.path):
            published = keep(connection, published_ids(view.vertices, os.urandom(_SECRET_BYTES)))
            _write(connection, released_edges(graph.edges, added, published), aside)
            written = [aside, *_write_vertices(connection, view, added, published, companion_path(aside))]
        with delivering(destination.path):
            for path in written:
                sync(path)
        phase("verify")
        verification = _read_back(graph, claim, graph.edge_count + added.shape[0], written, published)
        digests = {path.name: file_digest(path) for path in written}
        export_id = str(uuid.UUID(bytes=os.urandom(16), version=4))
        manifest = Manifest(export_id, digests, claim, (), "parquet", verification, clock())
        with delivering(destination.path):
            manifest_aside = manifest_path(aside)
            manifest_aside.write_text(manifest.text(), encoding="utf-8")
            sync(manifest_aside)
        if destination.key_file is not None:
            _write_key(graph, published, destination.key_file)
        try:
            if destination.force and len(written) == 1:
                companion_path(destination.path).unlink(missing_ok=True)
            staged = [*written[1:], manifest_aside, aside]
            files = publish(staged, destination.path.parent, force=destination.force)
        except BaseException:
            if destination.key_file is not None:
                discard_key(destination.key_file)
            raise
    return manifest, (files[-1], *files[:-1])


def _write(connection: Any, edges: Any, path: Path) -> None:
    connection.to_parquet(edges, path, compression="zstd")


def _write_vertices(
    connection: Any, view: EdgeTableView, added: NDArray[np.int64], published: Any, path: Path
) -> list[Path]:
    """Write the vertex file where a vertex has no edge; ids in their order, which tells nothing."""
    from graphkit.networks.graphs.overlay_view import OverlayView

    blocks = OverlayView(view, added).block_sequence()
    if blocks.size == 0 or blocks[0] == 0:
        return []
    connection.to_csv(published.select(id="published").order_by("id"), path, header=True)
    return [path]


def _read_back(
    graph: EdgeTable, claim: DegreeClaim, edge_count: int, written: list[Path], published: Any
) -> Verification:
    """Verify what was written, read from the disk.

    Raises
    ------
    VerificationFailed
        Naming the checks that failed.
    """
    from graphkit.networks.edge_table import verify_edge_table

    connection = graph.connection
    with translated_errors():
        edges = connection.read_parquet(str(written[0]))
        vertices = connection.read_csv(str(written[1]), header=True) if len(written) > 1 else None
        verification = verify_edge_table(
            connection, claim, edges, edge_count, vertices=vertices, original=graph.edges, published=published
        )
    if not verification.passed:
        failed = ", ".join(check.name for check in verification.checks if not check.passed)
        name = written[0].name
        raise VerificationFailed(f"what was written to {name} fails its check ({failed}); nothing was published")
    return verification


def _write_key(graph: EdgeTable, published: Any, path: Path) -> None:
    """Write the relabelling as the key file, in pieces."""
    if graph.ids is None:
        rows = published.select(original="vertex", published="published")
    else:
        rows = graph.ids.join(published, "vertex").select(original="id", published="published")
    with translated_errors():
        batches = graph.connection.to_pyarrow_batches(rows.order_by("published"))
        write_key_rows(path, (zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in batches))
