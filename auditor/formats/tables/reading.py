"""Read a contingency table from a file."""

import os
from typing import Any

from auditor.formats.source import Source
from auditor.formats.tables.assembling import assemble
from auditor.formats.tables.columns import TableOptions, choose_columns
from auditor.formats.tables.counting import CountedCells, count_cells
from auditor.formats.tables.loaded import LoadedTable, TableNotes
from auditor.formats.tables.parquet import ParquetRows
from auditor.formats.tables.preparing import Rows, prepared_batches
from auditor.formats.tables.suspicions import remarks_on_table
from auditor.formats.tables.text import TextRows
from graphkit.errors import GraphkitError


def read_table(connection: Any, path: str | os.PathLike[str], options: TableOptions | None = None) -> LoadedTable:
    """Return the contingency table that a file holds.

    Parameters
    ----------
    connection : ibis.BaseBackend
        A DuckDB with limits, as :func:`auditor.formats.edge_tables.open_counter` gives it: it counts.
    path : path
        Delimited text with a header, or Parquet; may be compressed with gzip, bzip2 or Zstandard, whatever its name.
        One row a cell with a column of counts, or one row a person.
    options : TableOptions, optional
        What the caller knows about the file.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If the file cannot be read as a table; one line that names file and, where known, line, and never a count.
    BadInput
        If there is no column that the options name.

    Notes
    -----
    Rows are streamed; in memory are the cells alone. Blanks around a category do not belong to it.
    """
    options = options if options is not None else TableOptions()
    source = Source(path, holds="a table")
    with source.one_line_errors("cannot be read as a table; check that it is whole, and that its text is UTF-8"):
        rows = _rows(source, options)
        columns = choose_columns(source, rows.names, options)
        batches = prepared_batches(rows, columns, options.missing)
        cells = count_cells(connection, batches, len(columns.variables))
        if not cells.rows.size:
            raise source.bad("has no rows below its header; give a file that holds a table")
        if columns.count is not None and not options.sum:
            _check_different(rows, cells)
        try:
            table = assemble(source, columns.names, cells, options.order)
        except GraphkitError as error:
            raise source.bad(str(error)) from error
    return LoadedTable(table, TableNotes(rows.format, (*columns.remarks, *remarks_on_table(table, options))))


def _rows(source: Source, options: TableOptions) -> Rows:
    head = source.head(1 << 12)
    if head.startswith(b"PAR1"):
        return ParquetRows(source)
    source.refuse_utf16(head)
    if b"\0" in head:
        raise source.bad("is neither text nor a Parquet file; convert it to CSV or Parquet")
    return TextRows(source, options.delimiter)


def _check_different(rows: Rows, cells: CountedCells) -> None:
    """Refuse a file of counts that has the same cell twice: it may as well hold records."""
    repeated = cells.rows > 1
    if repeated.any():
        raise rows.bad(
            int(cells.last[repeated].min()),
            "the same categories as in a row before; "
            "say --records ('a person' on the page) if every row is a person; add up the counts in the file, or with "
            "--sum, if not",
        )
