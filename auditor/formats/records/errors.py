"""What DuckDB says of a damaged file, in the auditor's words: its own messages quote the records."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from auditor.core.errors import BadFile
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.source import Source

_LINE = re.compile(r"CSV Error on Line: (\d+)")
# a part of the message that holds nothing of the file, and what is said instead
_REASONS = (
    ("Expected Number of Columns", "the line has another number of columns than the header; correct the line"),
    ("unterminated quote", "the line has a quotation mark that is not closed; correct the line"),
    ("Maximum line size", "the line is too long; check its line ends and quotation marks"),
)


@contextmanager
def record_errors(source: Source, *beside: Path) -> Iterator[None]:
    """Translate what DuckDB raises about a file of records.

    Parameters
    ----------
    source : Source
    beside : path
        Other files that are read in the block; an error that is about one of them names it.

    Raises
    ------
    BadFile
        Names the file, the line where it is known, and the reason; never a value.
    RoomExhausted, AuditorError
        As :func:`auditor.formats.edge_tables.errors.translated_errors`.
    """
    import duckdb

    with translated_errors():
        try:
            yield
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise bad_file(_meant(source, beside, str(error)), error) from error


def _meant(source: Source, beside: tuple[Path, ...], text: str) -> Source:
    """Return the file that a message of DuckDB names."""
    for path in beside:
        if f"file = {path}\n" in text or f"'{path}'" in text:
            return Source(path, holds="records")
    return source


def bad_file(source: Source, error: Any) -> BadFile:
    """Return the error for what DuckDB said of a file."""
    text = str(error)
    found = _LINE.search(text)
    line = int(found.group(1)) if found else None
    if "Invalid unicode" in text:
        return source.not_utf8(line)
    for part, reason in _REASONS:
        if part in text:
            return source.bad(reason, line)
    return source.bad("cannot be read as records; check that it is whole, and that its text is UTF-8", line)
