"""A file of records as a view in a DuckDB with limits: what is read of it need not fit in memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile, BadInput, RoomExhausted
from auditor.core.loading import load_arrow
from auditor.core.staging import staging_folder
from auditor.formats.edge_tables.opening import open_counter
from auditor.formats.memory import half_of_memory
from auditor.formats.records.columns import Column, columns_of, named
from auditor.formats.records.errors import record_errors
from auditor.formats.records.statistical import STATISTICAL, read_statistical
from auditor.formats.records.text import literal, make_view, text_layout
from auditor.formats.source import Source
from graphkit.microdata.risk.coded import CodedRecords
from graphkit.numbers import count

if TYPE_CHECKING:
    from graphkit.microdata.risk.relational.records_table import RecordsTable

VIEW = "records"
_MOST_RECORDS = (1 << 31) - 1
# beside the numbers of categories: a key, its order, ranks, and what is counted
_BYTES_A_RECORD = 64


@dataclass(slots=True)
class OpenRecords:
    """A file of records that is open; its values are read when they are asked for."""

    source: Source
    connection: Any
    columns: tuple[Column, ...]
    format: str
    """``text``, ``parquet``, ``stata`` or ``spss``."""
    rows: int | None = None
    """Records, where the file says so before it is read."""
    opened_at: tuple[int, ...] = ()
    """Size and time of the file, and what it is on the disk, from before it was read."""
    text_bytes: int = 0
    """Of a text file, without compression."""
    delimiter: str | None = None
    """Of a text file."""

    def named(self, name: str) -> Column:
        """Return a column.

        Raises
        ------
        BadInput
            If there is none of that name.
        """
        return named(self.columns, name, self.source.name)

    def read(
        self, columns: Sequence[str], numbers: Sequence[str] = (), progress: Callable[[int], None] | None = None
    ) -> CodedRecords:
        """Return some columns as categories, and some as numbers.

        Raises
        ------
        BadFile
            If a line cannot be read, a number column holds something else, or the file changed while it was read.
        RoomExhausted
            If the records do not fit in memory.
        """
        from graphkit.microdata.risk.relation import code_relation

        self._check_room(len(columns) + len(numbers))
        self._check_numbers(numbers)
        with record_errors(self.source):
            records = code_relation(self.connection, VIEW, columns, numbers=numbers, progress=progress)
        self.check_unchanged()
        if not records.n:
            raise self.source.bad("has no records below its header; give a file that holds records")
        self.rows = records.n
        return records

    def fits(self, columns: int) -> bool:
        """Whether so many columns can be read as numbers in memory; counts the records of a large text file.

        Raises
        ------
        BadFile
            If a line of it cannot be read.
        """
        rows = self.rows
        if rows is None:
            # a value and what ends it are two characters, but for one that is missing
            rows = self.text_bytes // max(len(self.columns), 1)
            if _fits(rows, columns):
                return True
            with record_errors(self.source):
                rows = self.rows = self.connection.execute(f'SELECT count(*) FROM "{VIEW}"').fetchone()[0]
        return _fits(rows, columns)

    @contextmanager
    def counting(
        self,
        quasi_identifiers: Sequence[str],
        sensitive: Sequence[str] = (),
        weight: str | None = None,
        household: str | None = None,
    ) -> Iterator[RecordsTable]:
        """Give the records as a table of the database, for what does not fit in memory, until the block ends.

        Raises
        ------
        BadFile
            If a line cannot be read, a weight is no number, or the file changed while it was read.
        RoomExhausted
            If the temporary folder is full.
        """
        from graphkit.microdata.risk.relational.records_table import records_table

        self._check_numbers(() if weight is None else (weight,))
        with (
            record_errors(self.source),
            records_table(self.connection, VIEW, quasi_identifiers, sensitive, weight, household) as table,
        ):
            self.check_unchanged()
            if not table.n:
                raise self.source.bad("has no records below its header; give a file that holds records")
            self.rows = table.n
            yield table

    def check_unchanged(self) -> None:
        """Refuse a file that somebody wrote to since it was opened.

        Raises
        ------
        BadFile
            If its size or time is another one.
        """
        if file_state(self.source.path) != self.opened_at:
            raise self.source.bad("changed while it was read; wait until it is written, and try again")

    def _check_numbers(self, names: Sequence[str]) -> None:
        for name in names:
            if self.named(name).sort != "number":
                raise self.source.bad(
                    f"column {name!r} holds something else than numbers; correct it or choose another"
                )

    def _check_room(self, columns: int) -> None:
        if self.rows is None:
            return
        if self.rows > _MOST_RECORDS:
            raise self.source.bad(f"holds more than {count(_MOST_RECORDS)} records; split it")
        if not _fits(self.rows, columns):
            raise RoomExhausted(f"{self.source.name} holds more records than fit in memory; split it")


def _fits(rows: int, columns: int) -> bool:
    return rows <= _MOST_RECORDS and rows * (_BYTES_A_RECORD + 2 * columns) <= 2 * half_of_memory()


@contextmanager
def open_records(
    path: str | os.PathLike[str],
    settings: EdgeTableSettings,
    *,
    delimiter: str | None = None,
    missing: Sequence[str] = (),
) -> Iterator[OpenRecords]:
    """Give a file of records, open until the block ends.

    Parameters
    ----------
    path : path
        Delimited text with a header, Parquet, Stata (.dta) or SPSS (.sav, .zsav); may be compressed with gzip, bzip2 or
        Zstandard, whatever its name.
    settings : EdgeTableSettings
        Memory, threads and temporary folder of the database.
    delimiter : str, optional
        Of text; found out from the first lines by default.
    missing : sequence of str, optional
        Of text: fields that stand for a missing value, such as ``NA``, beside empty ones.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If it cannot be read; one line, and never a value.
    MissingExtra
        If a library for Stata or SPSS is missing.

    Notes
    -----
    What is compressed is decompressed into a hidden temporary folder, with the bound on growth of all our readers.
    """
    load_arrow()
    source = Source(path, holds="records")
    if any(character in str(source.path) for character in "*?["):
        raise BadInput(f"{source.name} has a name with *, ? or [, which the database takes for a pattern; rename it")
    folder = settings.folder or Path(tempfile.gettempdir())
    opened_at = file_state(source.path)
    with staging_folder(folder / "records") as spill, open_counter(settings, folder) as connection:
        # sums of weights are the same bits only in the same order
        connection.execute("SET preserve_insertion_order = true")
        plain = _decompressed(source, spill) if source.compression else source.path
        found = _opened(source, plain, connection, delimiter, missing)
        found.opened_at = opened_at
        yield found


def _opened(source: Source, plain: Path, connection: Any, delimiter: str | None, missing: Sequence[str]) -> OpenRecords:
    head = source.head(1 << 12)
    if head.startswith(b"PAR1"):
        with record_errors(source):
            connection.execute(f'CREATE VIEW "{VIEW}" AS SELECT * FROM read_parquet({literal(str(plain))})')
            rows = connection.execute(f'SELECT count(*) FROM "{VIEW}"').fetchone()[0]
            return OpenRecords(source, connection, columns_of(source, connection, VIEW), "parquet", rows)
    for format, begins in STATISTICAL.items():
        if head.startswith(begins):
            table = read_statistical(source, plain, format)
            connection.register(VIEW, table)
            return OpenRecords(source, connection, columns_of(source, connection, VIEW), format, table.num_rows)
    source.refuse_utf16(head)
    if b"\0" in head:
        raise source.bad("is neither text nor a Parquet file; convert it to CSV or Parquet")
    layout = text_layout(source, plain, delimiter, missing)
    make_view(connection, source, VIEW, layout)
    columns = columns_of(source, connection, VIEW)
    return OpenRecords(
        source, connection, columns, "text", text_bytes=plain.stat().st_size, delimiter=layout.dialect.delimiter
    )


def _decompressed(source: Source, folder: Path) -> Path:
    path = folder / "records"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file, source.stream() as stream:
        try:
            shutil.copyfileobj(stream, file, 1 << 20)
        except BadFile:
            raise
        except OSError as error:
            raise RoomExhausted(
                f"{source.name} could not be decompressed ({error.strerror}); make room there"
            ) from error
    return path


def file_state(path: Path) -> tuple[int, ...]:
    """Return size and time of a file, and what it is on the disk: another one after most changes.

    Raises
    ------
    OSError
        If it is not there.
    """
    now = path.stat()
    return now.st_size, now.st_mtime_ns, now.st_ino
