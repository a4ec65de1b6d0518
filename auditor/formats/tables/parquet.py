"""Rows of a table in a Parquet file, without reading it into memory."""

from collections.abc import Iterator, Sequence
from typing import Any

from auditor.core.loading import load_arrow
from auditor.formats.lending import readable_by_arrow
from auditor.formats.source import Source
from auditor.formats.tables.preparing import Rows

_ROWS = 100_000


class ParquetRows(Rows):
    """A Parquet file, row by row.

    Parameters
    ----------
    source : Source

    Raises
    ------
    BadFile
        If it is damaged.
    """

    format = "parquet"

    def __init__(self, source: Source) -> None:
        load_arrow()
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.source = source
        self._unreadable = (pa.ArrowException, OSError)
        try:
            self._file = pq.ParquetFile(readable_by_arrow(source), memory_map=False)
        except self._unreadable as error:
            raise self._damaged() from error
        self.names = self._file.schema_arrow.names

    def batches(self, columns: Sequence[int]) -> Iterator[list[Any]]:
        """Yield the columns, some thousand rows at a time, as arrays of text; null where a value is missing.

        Raises
        ------
        BadFile
            If the file is damaged, or a column holds something that is no category.
        """
        names = [self.names[column] for column in columns]
        parts = self._file.iter_batches(batch_size=_ROWS, columns=names)
        while True:
            try:
                batch = next(parts, None)
            except self._unreadable as error:
                raise self._damaged() from error
            if batch is None:
                return
            yield [self._as_text(name, batch.column(name)) for name in names]

    def _as_text(self, name: str, column: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = column.type
        if pa.types.is_dictionary(kind):
            column = column.cast(kind.value_type)
            kind = column.type
        if pa.types.is_floating(kind):
            # 1.0 is the category 1, as in a file that lost nothing on its way
            column = pc.if_else(pc.is_nan(column), None, column)
            whole = pc.equal(pc.trunc(column), column)
            if (
                pc.all(whole, min_count=0).as_py()
                and not pc.any(pc.greater(pc.abs(column), 2.0**62), min_count=0).as_py()
            ):
                return column.cast(pa.int64()).cast(pa.string())
        try:
            return column.cast(pa.string())
        except self._unreadable as error:
            raise self.source.bad(f"column {name!r} holds neither text nor numbers; convert it") from error

    def _damaged(self) -> Exception:
        return self.source.bad("cannot be read as a Parquet file; copy it again, or check how it was written")
