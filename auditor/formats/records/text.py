"""Delimited text as a view in DuckDB: its sniffer finds the types of the columns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.formats.records.columns import check_names
from auditor.formats.records.errors import bad_file, record_errors
from auditor.formats.sniffing import Dialect, is_number, parse_delimiter
from auditor.formats.source import Source
from auditor.formats.tables.text import sniff_layout

SAMPLE = 50_000
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
    import duckdb

    columns = layout.dialect.names or ()
    with record_errors(source):
        try:
            found = _sniffed(connection, layout, columns, sample)
        except duckdb.InvalidInputException as error:
            _find_bad_line(connection, source, layout, columns)
            raise bad_file(source, error) from error
        if len(found.types) != len(columns):
            _find_bad_line(connection, source, layout, columns)
            raise source.bad("has lines with another number of columns than its header; correct them")
        read = f"read_csv({_options(layout)}, auto_detect = false, {_typed(columns, found)})"
        connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS SELECT * FROM {read}')


@dataclass(frozen=True, slots=True)
class _Sniffed:
    types: tuple[str, ...]
    formats: dict[str, str]
    """Of dates and times, where they are not those of ISO 8601; by the name of the option."""


def _sniffed(connection: Any, layout: TextLayout, columns: tuple[str, ...], sample: int) -> _Sniffed:
    """Return the types of the columns, found once: a view of types that are to be found finds them at each use."""
    named = f"names = [{', '.join(map(literal, columns))}], sample_size = {sample}"
    query = f"SELECT Columns, DateFormat, TimestampFormat FROM sniff_csv({_options(layout)}, {named})"
    found, dates, times = connection.execute(query).fetchone()
    formats = {"dateformat": dates, "timestampformat": times}
    return _Sniffed(tuple(one["type"] for one in found), {name: text for name, text in formats.items() if text})


def _typed(columns: tuple[str, ...], found: _Sniffed) -> str:
    types = ", ".join(f"{literal(column)}: {literal(type)}" for column, type in zip(columns, found.types, strict=True))
    formats = "".join(f", {name} = {literal(text)}" for name, text in found.formats.items())
    return f"columns = {{{types}}}{formats}"


def _find_bad_line(connection: Any, source: Source, layout: TextLayout, columns: tuple[str, ...]) -> None:
    """Raise what tells the line: the sniffer does not, reading all as text does."""
    plain = _typed(columns, _Sniffed(("VARCHAR",) * len(columns), {}))
    query = f"SELECT count(*) FROM (SELECT COLUMNS(*) FROM read_csv({_options(layout)}, auto_detect = false, {plain}))"
    if not connection.execute(query).fetchone()[0]:
        raise source.bad("has no records below its header; give a file that holds records")


def _options(layout: TextLayout) -> str:
    return (
        f"{literal(str(layout.path))}, delim = {literal(layout.dialect.delimiter)}, quote = '\"', escape = '\"', "
        f"header = false, skip = {layout.dialect.skipped_lines}, "
        "null_padding = false, strict_mode = true, comment = ''"
    )


def literal(text: str) -> str:
    """Return text as SQL takes it.

    Examples
    --------
    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"
