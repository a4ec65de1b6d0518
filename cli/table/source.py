"""What a NAME or FILE means in the commands about tables, and how a file is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput, NotFound
from cli.table.names import as_names
from cli.terminal.completing import files_or
from cli.terminal.context import Context
from cli.terminal.subject import find_table

if TYPE_CHECKING:
    from auditor.formats.tables import LoadedTable
    from auditor.subjects.tables.repository import TableInfo

_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")

TableArgument = Annotated[
    str, typer.Argument(metavar="NAME|FILE", autocompletion=files_or("table"), help="A stored table or a table file.")
]
CountOption = Annotated[
    str | None, typer.Option("--count", metavar="COLUMN", help="Of a file: column of counts; found by default.")
]
RecordsOption = Annotated[bool, typer.Option("--records", metavar="", help="For a file: each row is a respondent.")]
VariablesOption = Annotated[
    Any, typer.Option("--variables", metavar="A,B", parser=as_names, help="Of a file: columns that are variables.")
]
SumOption = Annotated[bool, typer.Option("--sum", metavar="", help="Of a file: add up rows with the same categories.")]
MissingOption = Annotated[
    str | None, typer.Option("--missing", metavar="NAME", help="Of a file: category for empty fields.")
]
DelimiterOption = Annotated[str | None, typer.Option("--delimiter", help="Of a file: delimiter; found out by default.")]


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
    from auditor.subjects.tables.repository import Tables

    path = Path(argument)
    if argument.startswith(("table:", "network:")):
        return find_table(context, argument)
    if "/" in argument or _is_name_of_a_file(path.name):
        if not path.exists():
            raise NotFound(f"{argument} does not exist; check the path (a stored table: table:{argument})")
        return path
    if Tables(context.store).exists(argument):
        return find_table(context, argument)
    if path.exists():
        return path
    raise NotFound(f"{argument!r} is neither a stored table nor a file; see 'auditor table list'")


def _is_name_of_a_file(name: str) -> bool:
    from auditor.formats.compression import split_compression

    return split_compression(name.lower())[0].endswith(_SUFFIXES)


@dataclass(frozen=True, slots=True)
class TableReading:
    """How a table file is to be read, as far as the user said."""

    count: str | None = None
    records: bool = False
    variables: tuple[str, ...] | None = None
    sum: bool = False
    missing: str | None = None
    delimiter: str | None = None
    order: tuple[tuple[str, ...], ...] = ()

    def read(self, context: Context, path: Path) -> LoadedTable:
        """Return the table in a file; what the reader had to say is told on stderr.

        Raises
        ------
        BadInput
            As :func:`auditor.formats.tables.read_table`.
        """
        import tempfile

        from auditor.formats.edge_tables import open_counter
        from auditor.formats.tables import TableOptions, read_table

        options = TableOptions(
            self.count, self.records, self.variables, self.sum, self.missing, self.delimiter, self.order
        )
        with open_counter(context.settings.edge_table, Path(tempfile.gettempdir())) as connection:
            loaded = read_table(connection, path, options)
        for remark in loaded.notes.remarks:
            context.output.note(remark)
        return loaded

    def check_useful(self, name: str) -> None:
        """Refuse options about a file where a stored table is meant.

        Raises
        ------
        BadInput
            If one was given.
        """
        if self != TableReading():
            raise BadInput(f"{name!r} is a stored table, so options for reading a file do not apply; omit them")
