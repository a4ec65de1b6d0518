"""Delimited text as a view in DuckDB: its sniffer finds the types of the columns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.formats.records.columns import check_names
from auditor.formats.records.errors import record_errors
from auditor.formats.sniffing import Dialect, is_number, parse_delimiter
from auditor.formats.source import Source
from auditor.formats.tables.text import sniff_layout

SAMPLE = 200_000
"""Rows from which the types are found; where a later row does not fit, all are looked at."""
ALL_ROWS = -1


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text file, and how it is laid out."""

    path: Path
    """Of the text itself, which may be a decompressed copy."""
    dialect: Dialect


def text_layout(source: Source, path: Path, delimiter: str | None) -> TextLayout:
    """Return how a text file is laid out.

    Raises
    ------
    BadFile
        If it has no header with a name for every column.
    BadInput
        If `delimiter` is not one character.
    """
    dialect = sniff_layout(source, None if delimiter is None else parse_delimiter(delimiter, forbidden=" "))
    names = dialect.names or ()
    if any(is_number(name) for name in names):
        # their numbers would be names that messages show
        raise source.bad("has numbers where the names of its columns should be; put a header above the records")
    check_names(source, names)
    return TextLayout(path, dialect)


def make_view(connection: Any, source: Source, name: str, layout: TextLayout, sample: int) -> None:
    """Make a view of a text file.

    Raises
    ------
    BadFile
        If its first rows cannot be read; names the line.
    """
    columns = layout.dialect.names or ()
    named = f"names = [{', '.join(map(_literal, columns))}], sample_size = {sample}"
    query = f'CREATE OR REPLACE VIEW "{name}" AS SELECT * FROM read_csv({_options(layout)}, {named})'
    with record_errors(source):
        problem = _problem(connection, name, query, source, len(columns))
        if problem is not None:
            # the sniffer does not always say where; reading all as text does
            texts = ", ".join(f"{_literal(column)}: 'VARCHAR'" for column in columns)
            plain = f"read_csv({_options(layout)}, auto_detect = false, columns = {{{texts}}})"
            if not connection.execute(f"SELECT count(*) FROM (SELECT COLUMNS(*) FROM {plain})").fetchone()[0]:
                raise source.bad("has no records below its header; give a file that holds records")
            raise problem


def _problem(connection: Any, name: str, query: str, source: Source, width: int) -> Exception | None:
    """Make the view, and return why DuckDB does not split the lines as the header says, if it does not."""
    import duckdb

    try:
        connection.execute(query)
    except duckdb.InvalidInputException as error:
        return error
    if len(connection.execute(f'DESCRIBE "{name}"').fetchall()) == width:
        return None
    return source.bad("has lines with another number of columns than its header; correct them")


def _options(layout: TextLayout) -> str:
    return (
        f"{_literal(str(layout.path))}, delim = {_literal(layout.dialect.delimiter)}, quote = '\"', escape = '\"', "
        f"header = false, skip = {layout.dialect.skipped_lines}, "
        "null_padding = false, strict_mode = true, comment = ''"
    )


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
