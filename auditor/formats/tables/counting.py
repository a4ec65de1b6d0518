"""Count the rows of each cell in DuckDB, through Ibis: what is counted need not fit in memory, only the cells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.errors import AuditorError, RoomExhausted
from auditor.formats.tables.preparing import column_names

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CountedCells", "count_cells"]

_VIEW = "rows_of_a_table"


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
    connection : ibis.BaseBackend
        A DuckDB with limits, as :func:`auditor.edge_tables.open_database` gives it.
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
    raised: list[BaseException] = []
    reader = pa.RecordBatchReader.from_batches(schema, _watched(batches, raised))
    with _translated_errors(raised):
        connection.con.register(_VIEW, reader)
        try:
            rows = connection.table(_VIEW)
            cells = rows.group_by([f"v{axis}" for axis in range(variables)]).agg(
                n=rows.n.cast("float64").sum(), rows=rows.count(), first=rows.row.min(), last=rows.row.max()
            )
            counted = connection.to_pyarrow(cells)
        finally:
            connection.con.unregister(_VIEW)
    categories = [counted.column(f"v{axis}").combine_chunks() for axis in range(variables)]
    numbers = {name: counted.column(name).to_numpy() for name in ("n", "rows", "first", "last")}
    return CountedCells(
        categories,
        numbers["n"].astype(np.float64),
        *(numbers[name].astype(np.int64) for name in ("rows", "first", "last")),
    )


def _watched(batches: Iterable[Any], raised: list[BaseException]) -> Iterator[Any]:
    """Yield batches; what reading them raises is kept, since the database passes on no more than its text."""
    try:
        yield from batches
    except BaseException as error:
        raised.append(error)
        raise


@contextmanager
def _translated_errors(raised: list[BaseException]) -> Iterator[None]:
    """Tell errors of the database by their kind alone: what it says may quote a value."""
    import duckdb

    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if raised:
            raise raised[0] from None
        # so DuckDB tells that a signal came; what the handler raised is its cause
        if isinstance(error.__cause__, KeyboardInterrupt | SystemExit):
            raise error.__cause__ from None
        if isinstance(error, duckdb.OutOfMemoryException):
            raise RoomExhausted(
                "memory or temporary space for counting ran out; give more with edge_table.memory, or another folder "
                "with edge_table.folder in the configuration"
            ) from error
        if isinstance(error, duckdb.Error):
            raise AuditorError(
                f"the database that counts failed ({type(error).__name__}); try again, and report it"
            ) from error
        raise
