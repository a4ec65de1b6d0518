"""Options of the commands about tables, what a NAME or FILE means, and how a file is read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput, NotFound
from cli.table.names import as_names
from cli.terminal.completing import files_or, stored
from cli.terminal.context import Context
from cli.terminal.subject import find_table

if TYPE_CHECKING:
    from auditor.formats.tables import LoadedTable
    from auditor.subjects.tables.repository import TableInfo
    from auditor.subjects.tables.stored.releases import TableState
    from graphkit.tables.structure.contingency import ContingencyTable

_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")


def _checked_limit(seconds: float) -> float:
    """Return a time limit; one that cannot be meant is refused before a file is read or the store is opened."""
    from graphkit.budget import Budget

    Budget(time.monotonic, seconds)
    return seconds


NameArgument = Annotated[str, typer.Argument(autocompletion=stored("table"), help="Name of a stored table.")]
TableArgument = Annotated[
    str, typer.Argument(metavar="NAME|FILE", autocompletion=files_or("table"), help="A stored table or a table file.")
]
GivenOption = Annotated[
    list[Any] | None,
    typer.Option(
        "--given",
        metavar="A,B",
        parser=as_names,
        help="Known marginal, instead of the released ones; a file has none of these (repeatable).",
    ),
]
TimeOption = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        callback=_checked_limit,
        help="Time limit in seconds; what is not done by then stays open.",
    ),
]
PictureOption = Annotated[
    Path | None, typer.Option("--picture", metavar="FILE.svg", help="Draw the answer into this file.")
]
ForceOption = Annotated[bool, typer.Option("--force", metavar="", help="Overwrite the file.")]
CountOption = Annotated[
    str | None,
    typer.Option(
        "--count", metavar="COLUMN", help="Of a file: column of counts; count, n, freq or simulated_count by default."
    ),
]
RecordsOption = Annotated[
    bool,
    typer.Option("--records", metavar="", help="Of a file: each row is a respondent; there is no column of counts."),
]
VariablesOption = Annotated[
    Any,
    typer.Option(
        "--variables",
        metavar="A,B",
        parser=as_names,
        help="Of a file: columns that are variables, in this order; all but the counts by default.",
    ),
]
SumOption = Annotated[
    bool, typer.Option("--sum", metavar="", help="Of a file: add up the counts of rows with the same categories.")
]
MissingOption = Annotated[
    str | None,
    typer.Option("--missing", metavar="NAME", help="Of a file: category for empty fields; an error by default."),
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
        """Return the table in a file; what the reader remarks is noted on stderr.

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

    def table_of(self, context: Context, subject: TableInfo | Path) -> tuple[ContingencyTable, TableState | None]:
        """Return the counts of a stored table, with all that is out of it, or those in a file.

        Raises
        ------
        BadInput
            As :meth:`read`, or if options for reading a file are given for a stored table.
        """
        from auditor.subjects.tables.stored.releases import Releases

        if isinstance(subject, Path):
            return self.read(context, subject).table, None
        if self != TableReading():
            raise BadInput(f"{subject.name!r} is a stored table, so options for reading a file do not apply; omit them")
        state = Releases(context.store).state(subject.name)
        return state.table, state
