"""Records of a relation in DuckDB, read once, some rows at a time: in memory are the numbers of categories alone."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphkit.errors import InvalidInput
from graphkit.frames import check_names
from graphkit.microdata.risk.coded import CodedRecords, Coder

_ROWS = 1_000_000


def code_relation(
    connection: Any,
    relation: str,
    columns: Sequence[str],
    *,
    numbers: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
) -> CodedRecords:
    """Return records of a relation.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    relation : str
        Name of a table or a view.
    columns : sequence of str
        Columns of categories.
    numbers : sequence of str, optional
        Columns that are measured, such as weights; they must be castable to DOUBLE.
    progress : callable, optional
        Told how many rows were read.

    Raises
    ------
    InvalidInput
        If a column is not there, or holds lists or structures.

    Notes
    -----
    One pass. Memory is one byte a record and column of up to 256 categories, two up to 65 536, else four, and twice
    that for the column that is being finished. The order of the rows is the order in which DuckDB gives them; no figure
    of an audit depends on it.
    """
    check_names(columns, numbers)
    there = [row[0] for row in connection.execute(f"DESCRIBE {quoted(relation)}").fetchall()]
    for name in (*columns, *numbers):
        if name not in there:
            raise InvalidInput(f"there is no column {name!r}; there are {', '.join(map(repr, there))}")
    chosen = list(dict.fromkeys(columns))
    picked = [quoted(name) for name in chosen] + [f"CAST({quoted(name)} AS DOUBLE)" for name in numbers]
    # without any column the rows are still counted
    query = f"SELECT {', '.join(picked) or '1'} FROM {quoted(relation)}"
    reader = batches(connection.execute(query))
    coders = [Coder(name) for name in chosen]
    measured: list[list[Any]] = [[] for _ in numbers]
    rows = 0
    for batch in reader:
        for coder, values in zip(coders, batch.columns, strict=False):
            coder.add(values)
        for parts, values in zip(measured, batch.columns[len(coders) :], strict=False):
            parts.append(values.to_numpy(zero_copy_only=False).astype(np.float64, copy=False))
        rows += batch.num_rows
        if progress is not None:
            progress(rows)
    return CodedRecords(
        rows,
        {coder.name: coder.column() for coder in coders},
        {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in zip(numbers, measured, strict=True)},
    )


def batches(result: Any) -> Any:
    """Return the reader of a result in DuckDB, which gives some rows at a time; DuckDB renamed the method."""
    read = getattr(result, "to_arrow_reader", None) or result.fetch_record_batch
    return read(_ROWS)


def quoted(name: str) -> str:
    """Return the name of a column or relation as SQL takes it.

    Examples
    --------
    >>> print(quoted("net wage"))
    "net wage"
    """
    return '"' + name.replace('"', '""') + '"'
