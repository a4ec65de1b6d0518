"""Count the rows of each cell in DuckDB: what is counted need not fit in memory, only the cells."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.tables.preparing import column_names

_FEW = 20_000
"""So many rows are counted here: the database takes longer to begin than this."""

_VIEW = "rows_of_a_table"
# names of columns are ours: nothing of a file is in the text of the query
_QUERY = """
SELECT {axes}, sum(CAST(n AS DOUBLE)) AS n, count(*) AS rows, min("row") AS first, max("row") AS last
FROM {view} GROUP BY {axes}
"""


@dataclass(frozen=True, slots=True, eq=False)
class CountedCells:
    """The cells that a file names, in no order."""

    categories: list[Any]
    """One pyarrow array of text a variable, shape (c,)."""
    counts: NDArray[np.float64]
    """Exact below 2^53."""
    rows: NDArray[np.int64]
    """How many rows each was in."""
    first: NDArray[np.int64]
    """The first row of each, from 1."""
    last: NDArray[np.int64]


def count_cells(connection: Any, batches: Iterable[Any], variables: int) -> CountedCells:
    """Return the cells with their counts added up.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        With limits, as :func:`auditor.formats.edge_tables.open_counter` gives it.
    batches : iterable of pyarrow.RecordBatch
        As :func:`~auditor.formats.tables.preparing.prepared_batches` yields them; read once.
    variables : int
        How many there are.

    Raises
    ------
    AuditorError
        What reading the batches raised; or the database failed.
    """
    import pyarrow as pa

    kinds = [pa.int64(), pa.int64(), *([pa.string()] * variables)]
    schema = pa.schema(list(zip(column_names(variables), kinds, strict=True)))
    first: list[Any] = []
    rest = iter(batches)
    for batch in rest:
        first.append(batch)
        if sum(one.num_rows for one in first) > _FEW:
            break
    else:
        return _counted_here(pa.Table.from_batches(first, schema), variables)
    raised: list[BaseException] = []
    reader = pa.RecordBatchReader.from_batches(schema, _watched(chain(first, rest), raised))
    with translated_errors(), _original_errors(raised):
        connection.register(_VIEW, reader)
        try:
            axes = ", ".join(f"v{axis}" for axis in range(variables))
            counted = connection.sql(_QUERY.format(axes=axes, view=_VIEW)).to_arrow_table()
        finally:
            connection.unregister(_VIEW)
    categories = [counted.column(f"v{axis}").combine_chunks() for axis in range(variables)]
    counts, *rows = (counted.column(name).to_numpy() for name in ("n", "rows", "first", "last"))
    return CountedCells(categories, counts, *(numbers.astype(np.int64) for numbers in rows))


def _counted_here(rows: Any, variables: int) -> CountedCells:
    """Count rows that are few: the database takes longer to begin."""
    columns = [rows.column(f"v{axis}").combine_chunks().dictionary_encode() for axis in range(variables)]
    codes = np.column_stack([column.indices.to_numpy() for column in columns])
    cells, begins, cell_of, times = np.unique(codes, axis=0, return_index=True, return_inverse=True, return_counts=True)
    numbers = rows.column("row").to_numpy()
    # floating point as in the database: a total that is too large is told later
    counts, last = np.zeros(times.size), np.zeros(times.size, dtype=np.int64)
    np.add.at(counts, cell_of, rows.column("n").to_numpy())
    np.maximum.at(last, cell_of, numbers)
    categories = [column.dictionary.take(code) for column, code in zip(columns, cells.T, strict=True)]
    return CountedCells(categories, counts, times, numbers[begins], last)


def _watched(batches: Iterable[Any], raised: list[BaseException]) -> Iterator[Any]:
    """Yield batches; what reading them raises is kept, since the database passes on no more than its text."""
    try:
        yield from batches
    except BaseException as error:
        raised.append(error)
        raise


@contextmanager
def _original_errors(raised: list[BaseException]) -> Iterator[None]:
    """Raise what reading the rows raised, in place of what the database makes of it; its own errors pass."""
    import duckdb

    try:
        yield
    except (duckdb.Error, RuntimeError):
        if raised:
            raise raised[0] from None
        raise
