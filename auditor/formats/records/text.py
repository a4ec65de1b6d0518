"""Delimited text as a view in DuckDB: its sniffer finds the types of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.core.errors import BadInput
from auditor.formats.records.columns import check_names
from auditor.formats.records.errors import bad_file, record_errors
from auditor.formats.sniffing import Dialect, is_number, parse_delimiter
from auditor.formats.source import Source
from auditor.formats.tables.text import sniff_layout

_PADDED = "regexp_matches(trim({0}), '^[-+]?0[0-9xXbB]')"
_INEXACT = (
    "regexp_full_match(trim({0}), '[-+]?[0-9]{{16,}}') AND "
    "(try_cast({0} AS HUGEINT) = try_cast(try_cast({0} AS DOUBLE) AS HUGEINT)) IS NOT TRUE"
)
INEXACT = f"({_PADDED} OR ({_INEXACT}))"
"""What reads as a number and is a code: -007, 0x1f, 2**64 + 1."""
_LOSSY = {"BIGINT": _PADDED, "DOUBLE": INEXACT}


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text file, and how it is laid out."""

    path: Path
    """Of the text itself, which may be a decompressed copy."""
    dialect: Dialect
    missing: tuple[str, ...] = ()
    """Texts that stand for a missing value, beside none."""


def text_layout(source: Source, path: Path, delimiter: str | None, missing: Sequence[str] = ()) -> TextLayout:
    """Return how a text file is laid out.

    Raises
    ------
    BadFile
        If it has no header with a name for every column.
    BadInput
        If `delimiter` is not one character, or is in a text for missing values.
    """
    dialect = sniff_layout(source, None if delimiter is None else parse_delimiter(delimiter, forbidden=" "))
    names = dialect.names or ()
    if any(is_number(name) for name in names):
        # their numbers would be names that messages show
        raise source.bad("has numbers where the names of its columns should be; put a header above the records")
    check_names(source, names)
    for text in missing:
        if any(character in text for character in (dialect.delimiter, '"', "\n", "\r")):
            raise BadInput(
                f"a missing value cannot be written as {text!r}, which has the delimiter, a quotation mark or a line "
                "break in it; give the text of a whole field"
            )
    return TextLayout(path, dialect, tuple(dict.fromkeys(missing)))


def make_view(connection: Any, source: Source, name: str, layout: TextLayout) -> None:
    """Make a view of a text file; codes that numbers would change or merge stay text.

    Raises
    ------
    BadFile
        If a row cannot be read; names the line.
    """
    import duckdb

    columns = layout.dialect.names or ()
    with record_errors(source):
        try:
            found = _sniffed(connection, layout, columns)
        except duckdb.InvalidInputException as error:
            _find_bad_line(connection, source, layout, columns)
            raise bad_file(source, error) from error
        if len(found.types) != len(columns):
            _find_bad_line(connection, source, layout, columns)
            raise source.bad("has lines with another number of columns than its header; correct them")
        found = _exact(connection, layout, columns, found)
        read = f"read_csv({_options(layout)}, auto_detect = false, {_typed(columns, found)})"
        connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS SELECT * FROM {read}')


@dataclass(frozen=True, slots=True)
class _Sniffed:
    types: tuple[str, ...]
    formats: dict[str, str]
    """Of dates and times, where they are not those of ISO 8601; by the name of the option."""


def _sniffed(connection: Any, layout: TextLayout, columns: tuple[str, ...]) -> _Sniffed:
    """Return the types of the columns, found once: a view of types that are to be found finds them at each use.

    All rows are looked at: a late 1006.6 or 01006 does not contradict a whole number, it becomes another one.
    """
    named = f"names = [{', '.join(map(literal, columns))}], sample_size = -1"
    query = f"SELECT Columns, DateFormat, TimestampFormat FROM sniff_csv({_options(layout)}, {named})"
    found, dates, times = connection.execute(query).fetchone()
    formats = {"dateformat": dates, "timestampformat": times}
    return _Sniffed(tuple(one["type"] for one in found), {name: text for name, text in formats.items() if text})


def _exact(connection: Any, layout: TextLayout, columns: tuple[str, ...], found: _Sniffed) -> _Sniffed:
    """Return the types, with text for columns of codes that numbers would merge.

    Whole numbers beyond 64 bits are read as decimals, of which neighbours are the same one.
    """
    numbers = [place for place, type in enumerate(found.types) if type in _LOSSY]
    if not numbers:
        return found
    tests = ", ".join(
        f"coalesce(bool_or({_LOSSY[found.types[place]].format(f'c{place}')}), false)" for place in numbers
    )
    plain = _typed(tuple(f"c{place}" for place in range(len(columns))), _Sniffed(("VARCHAR",) * len(columns), {}))
    query = f"SELECT {tests} FROM read_csv({_options(layout)}, auto_detect = false, {plain})"
    lossy = {place for place, lost in zip(numbers, connection.execute(query).fetchone(), strict=True) if lost}
    types = tuple("VARCHAR" if place in lossy else type for place, type in enumerate(found.types))
    return _Sniffed(types, found.formats)


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
    # an empty field is missing in any case
    missing = ", ".join(map(literal, ("", *layout.missing)))
    return (
        f"{literal(str(layout.path))}, delim = {literal(layout.dialect.delimiter)}, quote = '\"', escape = '\"', "
        f"header = false, skip = {layout.dialect.skipped_lines}, "
        "null_padding = false, strict_mode = true, comment = ''"
        f", nullstr = [{missing}]"
    )


def literal(text: str) -> str:
    """Return text as SQL takes it.

    Examples
    --------
    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"
