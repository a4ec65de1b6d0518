"""Parquet edge tables as canonical tables in the database, without reading them into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.errors import BadFile, BadInput, NotFound
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.edge_tables.opening import open_database
from auditor.formats.edge_tables.parquet import PATTERN, SUFFIXES, parquet_table, vertex_table
from auditor.formats.networks.companion import companion_path
from auditor.formats.networks.loaded import NO_VERTEX, Layout, ReadNotes
from auditor.formats.networks.remarks import ReadSummary
from auditor.formats.sniffing import endpoint_columns
from auditor.formats.source import shown
from auditor.formats.spark import open_spark
from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import DroppedEdges

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings, SparkSettings
    from graphkit.networks.edge_table import EdgeTable, EdgeTableView


# bytes of a file with which Spark works for more than a minute: some three million edges
_LONG = 32 << 20


@dataclass(frozen=True, slots=True, eq=False)
class LoadedEdgeTable:
    """An edge table that was read, and what there is to say about that."""

    graph: EdgeTable
    notes: ReadNotes
    """What was dropped or decided; counts and column names only."""

    def summary(self, view: EdgeTableView) -> ReadSummary:
        """Return what is said of the table, from its view."""
        degrees = view.block_sequence()
        isolated = int(degrees[0]) if degrees.size else 0
        return ReadSummary(self.notes, self.graph.vertex_count, self.graph.edge_count, isolated)


@dataclass(frozen=True, slots=True)
class EdgeTableFiles:
    """Where an edge table is, and what its database may use."""

    path: Path
    vertices: Path | None
    settings: EdgeTableSettings
    spark: SparkSettings | None = None
    """Where Spark is the database; DuckDB in this process otherwise."""

    @contextmanager
    def opened(self, folder: Path) -> Iterator[tuple[LoadedEdgeTable, EdgeTableView]]:
        """Give the edge table and its view, in a database that is closed at the end.

        Raises
        ------
        NotFound, BadInput, BadFile
            As :func:`read_edge_table`.
        EngineUnavailable
            If Spark is to be used, and cannot be.
        """
        files = source_files(self.path, self.vertices)
        with self._connected(folder, sum(file.stat().st_size for file in files)) as connection:
            loaded = read_edge_table(connection, self.path, self.vertices)
            with translated_errors():
                view = loaded.graph.view()
            yield loaded, view

    def _connected(self, folder: Path, size: int) -> AbstractContextManager[Any]:
        if self.spark is None:
            return open_database(self.settings, folder)
        return open_spark(self.spark, self.settings.folder or folder, is_long=size >= _LONG)


def source_files(path: Path, vertices: Path | None = None) -> list[Path]:
    """Return the files that hold an edge table: a file or the parts in a folder, and the vertex file if there is one.

    Raises
    ------
    NotFound
        If there is nothing.
    BadInput
        If it is no Parquet file, or has a name that DuckDB would take for a pattern.
    """
    parts = sorted(part for part in path.iterdir() if part.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
    if not parts:
        raise NotFound(f"the folder {path} holds no Parquet file; name a file, or a folder with the parts of one")
    companion = companion_path(path) if vertices is None else vertices
    files = [*parts, *([companion] if vertices is not None or companion.exists() else [])]
    for file in files:
        if not file.is_file():
            raise NotFound(f"{file} is no file; check the path")
        if any(character in str(file) for character in PATTERN):
            raise BadInput(f"{file} has a name with *, ?, [ or {{, which the database takes for a pattern; rename it")
    if any(part.suffix.lower() not in SUFFIXES for part in parts):
        raise BadInput(f"{path} is not a Parquet file, and --edge-table reads no other; convert it, or leave that out")
    return files


def read_edge_table(connection: Any, path: Path, vertices: Path | None = None) -> LoadedEdgeTable:
    """Return the canonical edge table of a Parquet file, or of the parts of one in a folder.

    Parameters
    ----------
    connection : ibis.BaseBackend
        As :func:`~auditor.formats.edge_tables.opening.open_database` gives it.
    path : Path
        Columns named source and target, or the first two, as for a Parquet file that is read into memory.
    vertices : Path, optional
        Vertex file (CSV or Parquet) with every id in its first column; ``NAME.vertices.csv`` beside it by default,
        if it is there.

    Raises
    ------
    NotFound, BadInput
        As :func:`source_files`.
    BadFile
        If a file cannot be read as an edge table, or holds no vertex.
    """
    from graphkit.networks.edge_table import normalise

    files = source_files(path, vertices)
    listed = files.pop() if len(files) > 1 and (vertices is not None or files[-1] == companion_path(path)) else None
    with translated_errors(reading=path):
        table = parquet_table(connection, files)
        names = list(table.columns)
        if len(names) < 2:
            raise BadFile(f"{path} must have at least two columns, the ends of an edge")
        ends = endpoint_columns(names) or (0, 1)
        pairs = table.select(one=table[names[ends[0]]], other=table[names[ends[1]]])
        ids = None
        if listed is not None:
            with translated_errors(reading=listed):
                ids = vertex_table(connection, listed)
        try:
            graph = normalise(connection, pairs, ids)
        except InvalidInput as error:
            raise BadFile(f"{path}: {error}") from error
    if graph.vertex_count == 0:
        raise BadFile(f"{path} {NO_VERTEX}")
    dropped = tuple(name for number, name in enumerate(names) if number not in ends)
    counts = DroppedEdges(graph.loops, graph.repeated - graph.reversed, graph.reversed)
    remarks = () if listed is None else (f"vertices were read from {shown(listed.name)}",)
    layout = Layout((names[ends[0]], names[ends[1]]))
    return LoadedEdgeTable(graph, ReadNotes("parquet", counts, dropped, remarks=remarks, layout=layout))
