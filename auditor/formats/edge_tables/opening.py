"""DuckDB, through Ibis or itself, opened for one command: memory, threads and temporary space as the settings say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.extras import require
from auditor.core.staging import staging_folder
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.memory import half_of_memory

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings


@contextmanager
def open_database(settings: EdgeTableSettings, folder: Path) -> Iterator[Any]:
    """Give a connection of Ibis to a DuckDB of its own, in memory and, past its limit, in a hidden temporary folder.

    Parameters
    ----------
    settings : EdgeTableSettings
        Memory, threads, and where temporary files go.
    folder : Path
        Where they go if the settings do not say: beside the output, or the folder for temporary files.

    Raises
    ------
    NotDelivered
        If the temporary folder cannot be made.
    MissingExtra
        If Ibis is not installed.

    Notes
    -----
    What is spilled to the disk is as protected as the network: the folder is readable by the owner only and gone at
    the end; what a killed process left there goes with the next command. DuckDB fetches no extension and no file from
    elsewhere.
    """
    require("large")
    import ibis

    with _limited(settings, folder) as limits:
        connection = ibis.duckdb.connect(**limits)
        try:
            yield connection
        finally:
            _close(connection)


@contextmanager
def open_counter(settings: EdgeTableSettings, folder: Path) -> Iterator[Any]:
    """Give a connection to such a DuckDB itself, without Ibis, which takes a second to import.

    Parameters
    ----------
    settings : EdgeTableSettings
        As for :func:`open_database`.
    folder : Path
        As for :func:`open_database`.

    Raises
    ------
    NotDelivered
        If the temporary folder cannot be made.
    """
    import duckdb

    with _limited(settings, folder) as limits, duckdb.connect(config=limits) as connection:
        yield connection


@contextmanager
def _limited(settings: EdgeTableSettings, folder: Path) -> Iterator[dict[str, Any]]:
    """Give the configuration of a database with a temporary folder of its own; its errors are translated meanwhile."""
    with staging_folder((settings.folder or folder) / "edge table") as spill, translated_errors():
        yield {
            "memory_limit": f"{settings.memory_bytes or half_of_memory()}B",
            # without a word DuckDB takes as many as there are processors
            **({} if settings.threads is None else {"threads": settings.threads}),
            "temp_directory": str(spill),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }


def _close(connection: Any) -> None:
    """Close a connection without leftovers."""
    # Ibis drops each cached table when Python forgets it, which may be after the connection is gone
    for name in list(connection._cache_name_to_entry):
        connection._finalize_cached_table(name)
    connection.disconnect()
