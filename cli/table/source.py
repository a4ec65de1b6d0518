"""What a NAME or FILE means in the commands about tables, and how a file is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput, NotFound
from cli.terminal.context import Context
from cli.terminal.subject import find_table

if TYPE_CHECKING:
    from auditor.formats.tables import LoadedTable, TableOptions
    from auditor.subjects.tables.repository import TableInfo
    from auditor.subjects.tables.stored.releases import TableState
    from graphkit.tables.structure.contingency import ContingencyTable

_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")


def find_table_or_file(context: Context, argument: str) -> TableInfo | Path:
    """Return the stored table or the file that an argument means.

    `table:NAME` is always a stored table. What has a folder in it or ends like a known format is always a file: the
    store is not asked, nor started. Otherwise a stored table of that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If it is a network.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """
    from auditor.formats.compression import split_compression
    from auditor.subjects.tables.repository import Tables

    path = Path(argument)
    if argument.startswith(("table:", "network:")):
        return find_table(context, argument)
    if "/" in argument or split_compression(path.name.lower())[0].endswith(_SUFFIXES):
        if not path.exists():
            raise NotFound(f"{argument} does not exist; check the path (a stored table: table:{argument})")
        return path
    if Tables(context.store).exists(argument):
        return find_table(context, argument)
    if path.exists():
        return path
    raise NotFound(f"{argument!r} is neither a stored table nor a file; see 'auditor table list'")


def read_file(context: Context, path: Path, reading: TableOptions) -> LoadedTable:
    """Return the table in a file; what the reader remarks is noted on stderr.

    Raises
    ------
    BadInput
        As :func:`auditor.formats.tables.read_table`.
    """
    import tempfile

    from auditor.formats.edge_tables import open_counter
    from auditor.formats.tables import read_table

    with open_counter(context.settings.edge_table, Path(tempfile.gettempdir())) as connection:
        loaded = read_table(connection, path, reading)
    context.output.note(*loaded.notes.remarks)
    return loaded


def read_table_or_file(
    context: Context, subject: TableInfo | Path, reading: TableOptions
) -> tuple[ContingencyTable, TableState | None]:
    """Return the counts of a stored table, with all that is out of it, or those in a file.

    Raises
    ------
    BadInput
        As :func:`read_file`, or if options for reading a file are given for a stored table.
    """
    from auditor.formats.tables import TableOptions
    from auditor.subjects.tables.stored.releases import Releases

    if isinstance(subject, Path):
        return read_file(context, subject, reading).table, None
    if reading != TableOptions():
        raise BadInput(f"{subject.name!r} is a stored table, so options for reading a file do not apply; omit them")
    state = Releases(context.store).state(subject.name)
    return state.table, state
