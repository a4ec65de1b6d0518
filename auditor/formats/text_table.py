"""Columns of a text table, parsed by pyarrow on all cores; a slow second look finds the line when that fails."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from auditor.core.errors import BadFile
from auditor.core.loading import load_arrow
from auditor.formats.lending import Lender, lent_to_arrow
from auditor.formats.sniffing import BLANKS, Dialect, csv_rows, is_comment
from auditor.formats.source import Source
from auditor.formats.text_stream import LONGEST_LINE, RowStream

# a line of LONGEST_LINE bytes must fit into a block twice, or the parser gives up on it
_BLOCK = 4 * LONGEST_LINE
_SECOND = 2
_OPEN_QUOTE = "a quotation mark is never closed, or opened in the middle of a field; correct it"


def read_columns(source: Source, dialect: Dialect, columns: Sequence[int], *, encoded: bool) -> list[Any]:
    """Return some columns of a text table.

    Parameters
    ----------
    source : Source
    dialect : Dialect
    columns : sequence of int
        Which ones, from 0.
    encoded : bool
        As dictionary arrays, which hold every different text once, instead of plain text.

    Returns
    -------
    list of pyarrow.ChunkedArray

    Raises
    ------
    BadFile
        If a line has another number of columns or is not UTF-8; names the line.

    Notes
    -----
    About 10⁷ rows a second; only the asked columns are converted. pyarrow's own messages quote the data,
    so they are never passed on.
    """
    load_arrow()
    import pyarrow as pa
    import pyarrow.csv as pacsv

    kind = pa.dictionary(pa.int32(), pa.string()) if encoded else pa.string()
    with _rows(source, dialect) as rows:
        if not rows.stream.peek(1):
            return [pa.chunked_array([], kind) for _ in columns]
        table = pacsv.read_csv(rows.lend(), **_parsing(dialect, columns, kind))
    return [table.column(str(column)) for column in columns]


def stream_columns(source: Source, dialect: Dialect, columns: Sequence[int]) -> Iterator[Any]:
    """Yield some columns of a text table as plain text, batch by batch: O(1) space.

    Parameters
    ----------
    source, dialect, columns
        As for :func:`read_columns`.

    Yields
    ------
    pyarrow.RecordBatch
        A column is called by its number.

    Raises
    ------
    BadFile
        As :func:`read_columns`, perhaps after some batches.
    """
    load_arrow()
    import pyarrow as pa
    import pyarrow.csv as pacsv

    with _rows(source, dialect) as rows:
        if rows.stream.peek(1):
            yield from pacsv.open_csv(rows.lend(), **_parsing(dialect, columns, pa.string()))


@contextmanager
def _rows(source: Source, dialect: Dialect) -> Iterator[Lender]:
    """Give the rows to a parser and, where it fails, name the line."""
    import pyarrow as pa

    stream = RowStream(source, dialect)
    try:
        with io.BufferedReader(stream, _BLOCK) as rows, lent_to_arrow(rows) as lender:
            yield lender
    except BadFile:
        raise
    except (pa.ArrowException, ValueError) as error:
        if (fault := _first_fault(source, dialect)) is None:
            fault = source.bad("cannot be split into columns; check its quotation marks and the delimiter")
        raise fault from error
    if stream.has_open_quote:
        line = max((line for line, _ in _numbered_rows(source, dialect)), default=None)
        raise source.bad(_OPEN_QUOTE, line)


def _parsing(dialect: Dialect, columns: Sequence[int], kind: Any) -> dict[str, Any]:
    import pyarrow.csv as pacsv

    wanted = list(dict.fromkeys(map(str, columns)))
    return {
        "read_options": pacsv.ReadOptions(column_names=list(map(str, range(dialect.width))), block_size=_BLOCK),
        "parse_options": pacsv.ParseOptions(
            delimiter=dialect.delimiter, quote_char='"' if dialect.quotes else False, newlines_in_values=dialect.quotes
        ),
        "convert_options": pacsv.ConvertOptions(column_types=dict.fromkeys(wanted, kind), include_columns=wanted),
    }


def line_of(source: Source, dialect: Dialect, columns: Sequence[int], is_fault: Callable[[str], bool]) -> int | None:
    """Return the first line (from 1) where one of `columns` is at fault; None if there is none."""
    try:
        for line, row in _numbered_rows(source, dialect):
            if any(column < len(row) and is_fault(row[column]) for column in columns):
                return line
    except BadFile:
        pass
    return None


def line_of_row(source: Source, dialect: Dialect, row: int) -> int | None:
    """Return the line (from 1) in which a row (from 1, the header not counted) begins; None if there is none."""
    rows = count(1)
    return line_of(source, dialect, [0], lambda _: next(rows) == row)


def _first_fault(source: Source, dialect: Dialect) -> BadFile | None:
    try:
        for number, (line, row) in enumerate(_numbered_rows(source, dialect)):
            if len(row) != dialect.width and _is_left_open(source, dialect, line):
                return source.bad(_OPEN_QUOTE, line)
            # the layout was found out from the line above
            title = " (or is the line above a title? remove it then)" if number < _SECOND else ""
            if len(row) < 2 <= dialect.width:
                return source.bad(f"only one column; is {_spoken(dialect.delimiter)} the delimiter?{title}", line)
            if len(row) != dialect.width:
                return source.bad(
                    f"{len(row)} columns where the lines before have {dialect.width}; correct the line{title}", line
                )
    except BadFile as fault:
        return fault
    return None


def _is_left_open(source: Source, dialect: Dialect, begin: int) -> bool:
    """Whether a row takes all the file from the line where it begins, because of a quotation mark without a partner."""
    if not dialect.quotes:
        return False
    rows = (line for line, _ in _numbered_rows(source, dialect) if line > begin)
    return next(rows, None) is None and _quotation_marks(source, begin) % 2 == 1


def _quotation_marks(source: Source, begin: int) -> int:
    """Return how many quotation marks there are from a line on."""
    with io.TextIOWrapper(source.stream(), encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        return sum(line.count('"') for number, line in _counted_lines(source, text) if number >= begin)


def _numbered_rows(source: Source, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line they begin in, as the parser sees them, but slowly."""
    with io.TextIOWrapper(source.stream(), encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        lines = _counted_lines(source, text)
        current = 0
        for _ in range(dialect.skipped_lines):
            current, _line = next(lines, (current, ""))
        if dialect.comments_anywhere:
            lines = ((number, "\n" if is_comment(line) else line) for number, line in lines)
        if dialect.delimiter == BLANKS:
            for number, line in lines:
                if line.strip():
                    yield number, line.replace("\t", " ").strip(" \r\n").split()
            return
        reader = csv_rows((line for _, line in lines), dialect.delimiter, quotes=dialect.quotes)
        begin = current
        try:
            for row in reader:
                if row:
                    yield begin + 1, row
                begin = current + reader.line_num
        except csv.Error:
            raise source.bad("cannot be split into columns; check its quotation marks", begin + 1) from None


def _counted_lines(source: Source, text: io.TextIOWrapper) -> Iterator[tuple[int, str]]:
    number = 0
    while line := text.readline(2 * LONGEST_LINE):
        number += 1
        if len(line) >= 2 * LONGEST_LINE:
            raise source.bad(f"the line has more than a megabyte; this file does not hold {source.holds}", number)
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError:
                raise source.not_utf8(number) from None
        yield number, line


def _spoken(delimiter: str) -> str:
    return {"\t": "a tab", BLANKS: "a blank", ",": "a comma", ";": "a semicolon"}.get(delimiter, f"'{delimiter}'")
