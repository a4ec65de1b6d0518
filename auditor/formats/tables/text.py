"""Rows of a table in delimited text: CSV, TSV and the like."""

import csv
from collections.abc import Iterator, Sequence
from typing import Any

from auditor.formats.compression import split_compression
from auditor.formats.sniffing import (
    WIDEST,
    Dialect,
    check_header_text,
    head_lines,
    parse_delimiter,
    split_width,
)
from auditor.formats.source import Source
from auditor.formats.tables.preparing import Rows
from auditor.formats.text_table import line_of_row, stream_columns

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_LINES = 100


class TextRows(Rows):
    """A text file with a header, row by row.

    Parameters
    ----------
    source : Source
    delimiter : str, optional
        Found out from the first lines by default: the one that splits them alike, into most columns.

    Raises
    ------
    BadFile
        If there is no header.
    BadInput
        If `delimiter` is not one character.
    """

    format = "text"

    def __init__(self, source: Source, delimiter: str | None) -> None:
        self.source = source
        if delimiter is not None:
            delimiter = parse_delimiter(delimiter, forbidden=" ")
        self._dialect = sniff_layout(source, delimiter)
        self.names = self._dialect.names or ()

    def batches(self, columns: Sequence[int]) -> Iterator[list[Any]]:
        """Yield the columns, some thousand rows at a time, as arrays of text."""
        for batch in stream_columns(self.source, self._dialect, columns):
            yield [batch.column(str(column)) for column in columns]

    def place(self, row: int) -> str:
        """Return how a message names a row (from 1)."""
        line = line_of_row(self.source, self._dialect, row)
        return f"row {row}" if line is None else f"line {line}"


def sniff_layout(source: Source, delimiter: str | None) -> Dialect:
    """Return the layout of a text file with a header: the delimiter splits the first lines alike.

    Raises
    ------
    BadFile
        If there is no header.
    """
    lines = head_lines(source)
    top = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    body = [line + "\n" for line in lines[top : top + _SAMPLE_LINES]]
    if not body:
        raise source.bad(f"holds only blank lines; give a file that holds {source.holds}")
    if "\r" in body[0].rstrip("\r\n"):
        raise source.bad(
            "has lines that end with a carriage return alone; save it with the line ends of today", top + 1
        )
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=lambda candidate: _fit(body, candidate, _preferred(source)))
    reader = csv.reader(body, delimiter=delimiter)
    try:
        header = next(row for row in reader if row)
    except csv.Error:
        raise source.bad("has a header that cannot be split into columns; check its quotation marks", top + 1) from None
    check_header_text(source, header, top + 1)
    if len(header) > WIDEST:
        raise source.bad("has lines of thousands of columns; a table needs one line a cell or a person", top + 1)
    return Dialect(
        delimiter=delimiter,
        quotes=True,
        comments_anywhere=False,
        skipped_lines=top + reader.line_num,
        width=len(header),
        names=tuple(header),
    )


def _preferred(source: Source) -> str:
    name = split_compression(source.path.name)[0].lower()
    return "\t" if name.endswith((".tsv", ".tab")) else ","


def _fit(body: Sequence[str], delimiter: str, preferred: str) -> tuple[bool, bool, int]:
    """How well a delimiter splits the first lines: alike, as the name of the file says, into many columns."""
    width, alike = split_width(body, delimiter)
    return width > 1 and alike, width > 1 and delimiter == preferred, width
