"""The vertices of an edge table, and arrays as small tables to join with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Ints

if TYPE_CHECKING:
    import ibis.expr.types as ir

# a backend holds a range as one list before it becomes rows
_LONGEST_RANGE = 1 << 16


def all_vertices(count: int) -> ir.Table:
    """Return the table of the vertices 0 to `count`-1, column ``vertex``.

    Notes
    -----
    The product of two short ranges: neither DuckDB nor Spark streams a long one.
    """
    import ibis

    # an empty range would have no type
    length = max(min(count, _LONGEST_RANGE), 1)
    high = ibis.range(0, max(-(-count // length), 1)).unnest().name("high").as_table()
    low = ibis.range(0, length).unnest().name("low").as_table()
    pairs = high.cross_join(low)
    vertices = pairs.select(vertex=pairs.high.cast("int64") * length + pairs.low.cast("int64"))
    return vertices.filter(vertices.vertex < count)


def as_table(**columns: Ints) -> ir.Table:
    """Return arrays as a table that queries join with; the backend that runs them takes it along."""
    import ibis
    import pyarrow as pa

    return ibis.memtable(pa.table({name: pa.array(values, type=pa.int64()) for name, values in columns.items()}))


def as_arrays(connection: Any, table: ir.Table) -> list[Ints]:
    """Return the columns of a table of integers without nulls, in its own order."""
    result = connection.to_pyarrow(table)
    return [result.column(name).to_numpy().astype(np.int64, copy=False) for name in table.columns]


def as_number(connection: Any, value: ir.Scalar) -> int:
    """Return a scalar integer that a query counts; 0 for none."""
    return int(connection.to_pyarrow(value).as_py() or 0)


def as_row(connection: Any, table: ir.Table) -> dict[str, int]:
    """Return the only row of a table of integers that a query counts; 0 for none."""
    (row,) = connection.to_pyarrow(table).to_pylist()
    return {name: int(value or 0) for name, value in row.items()}


def distinct_rows(connection: Any, table: ir.Table) -> ir.Table:
    """Return rows that hardly repeat, each once.

    Notes
    -----
    Spark hashes the rows of each task, and once more those that it exchanged, which fills the memory of its executors
    with rows of which all are different. It is told to exchange and sort them first: then equal ones are neighbours.
    """
    if connection.name != "pyspark":
        return table.distinct()
    return spark_view(
        connection,
        table,
        lambda frame: frame.repartition(*table.columns).sortWithinPartitions(*table.columns).distinct(),
    )


def spark_view(connection: Any, table: ir.Table, changed: Callable[[Any], Any]) -> ir.Table:
    """Return a table of Spark in the way in which a function changes its frame."""
    import ibis

    # a query registers the small tables that it takes along
    connection.to_pyarrow(table.limit(0))
    name = ibis.util.gen_name("view")
    changed(connection.raw_sql(connection.compile(table))).createOrReplaceTempView(name)
    return connection.table(name)


def keep(connection: Any, table: ir.Table) -> ir.Table:
    """Return a table as it is computed now and kept in the backend, until Python forgets it.

    Notes
    -----
    A temporary table in DuckDB; in Spark a cached frame, which is computed when it is first read.
    """
    # a query registers the small tables that it takes along; with Spark the cache of Ibis 12 alone does not
    connection.to_pyarrow(table.limit(0))
    return table.cache()
