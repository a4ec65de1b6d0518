"""What `auditor network audit` and `anonymize` do with `--edge-table`: files larger than memory, in DuckDB."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings
    from auditor.exports.destination import Destination
    from auditor.formats.edge_tables.reading import LoadedEdgeTable
    from cli.terminal.output import Progress
    from graphkit.networks.edge_table import EdgeTableView
    from graphkit.networks.result import Anonymization

EdgeTableOption = Annotated[
    bool,
    typer.Option(
        "--edge-table",
        metavar="",
        help="Read a Parquet file larger than memory, in a database (DuckDB) with bounded memory.",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", help="Memory for --edge-table, such as 8g; half of the machine's by default."),
]


def check_edge_table_options(network: str, *, edge_table: bool, memory: str | None, **others: object) -> None:
    """Refuse options that do not go together with `--edge-table`, and `--memory` without it.

    Raises
    ------
    BadInput
        Naming the first one.
    """
    from auditor.core.errors import BadInput

    if not edge_table:
        if memory is not None:
            raise BadInput("--memory is for --edge-table alone; leave it out, or add that")
        return
    for name, value in others.items():
        if value not in (None, False, [], ()):
            raise BadInput(f"--{name.replace('_', '-')} does not go together with --edge-table; leave out one of them")
    if network.startswith("network:"):
        raise BadInput("--edge-table reads a Parquet file; a stored network is worked on without it")


def block_sequence_of(context: Context, path: Path, vertices: Path | None, memory: str | None) -> tuple[Any, list[str]]:
    """Return the block sequence of an edge table, and remarks of its reading.

    Raises
    ------
    BadInput
        If it cannot be read.
    """
    with (
        context.output.progress("audit") as bar,
        _opened(context, path, vertices, memory, Path(tempfile.gettempdir()), bar) as (loaded, view),
    ):
        return view.block_sequence(), list(loaded.remarks)


def anonymize_edge_table(
    context: Context,
    path: Path,
    vertices: Path | None,
    memory: str | None,
    destination: Destination | None,
    k: int,
    solve: Callable[[Any, Progress], Anonymization],
) -> tuple[Anonymization, dict[str, Any], list[str]]:
    """Protect an edge table and publish it; without a destination, tell the figures alone.

    Returns
    -------
    Anonymization, dict, list of str
        What the engine answered; files, export and verification as JSON shows them; remarks.

    Raises
    ------
    BadInput
        If the file cannot be read, or the destination not be written.
    """
    from auditor.formats.edge_tables.errors import translated_errors
    from auditor.formats.edge_tables.reading import source_files
    from auditor.subjects.networks.exports.edge_table import check_edge_table_destination, publish_edge_table
    from cli.network.anonymized import digests_of

    if destination is not None:
        check_edge_table_destination(destination, source_files(path, vertices))
    folder = Path(tempfile.gettempdir()) if destination is None else destination.path.parent
    with (
        context.output.progress("anonymize") as bar,
        _opened(context, path, vertices, memory, folder, bar) as (loaded, view),
    ):
        with translated_errors():
            result = solve(view, bar)
        if destination is None:
            return result, {}, list(loaded.remarks)
        manifest, files = publish_edge_table(loaded.graph, view, result.edges, k, destination, phase=bar.phase)
    written = {
        "files": [str(file) for file in files],
        "digests": digests_of(files),
        "export": manifest.export,
        "verification": manifest.verification.checks,
    }
    return result, written, list(loaded.remarks)


@contextmanager
def _opened(
    context: Context, path: Path, vertices: Path | None, memory: str | None, folder: Path, bar: Progress
) -> Iterator[tuple[LoadedEdgeTable, EdgeTableView]]:
    """Give the edge table and its view, in a database that is closed at the end."""
    from auditor.formats.edge_tables import open_database, read_edge_table
    from auditor.formats.edge_tables.errors import translated_errors

    bar.phase("read")
    with open_database(_settings(context, memory), folder) as connection:
        loaded = read_edge_table(connection, path, vertices)
        with translated_errors():
            view = loaded.graph.view()
        yield loaded, view


def _settings(context: Context, memory: str | None) -> EdgeTableSettings:
    from pydantic import ValidationError

    from auditor.config import EdgeTableSettings
    from auditor.core.errors import BadInput

    settings = context.settings.edge_table
    if memory is None:
        return settings
    try:
        return EdgeTableSettings.model_validate({**settings.model_dump(), "memory": memory})
    except ValidationError:
        raise BadInput("--memory must be a number with k, m or g, such as 8g") from None
