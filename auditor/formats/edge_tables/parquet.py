"""Parquet files as tables of a connection of Ibis, and its tables as files: DuckDB and Spark differ in both."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from auditor.formats.spark.paths import spark_path
from graphkit.arrays import Ints

Pairs = tuple[Ints, Ints]

SUFFIXES = (".parquet", ".pq")
PATTERN = "*?[{"
"""What a name must not hold: databases would look for other names as well."""
_ROWS = 1 << 17


def parquet_table(connection: Any, files: Sequence[Path]) -> Any:
    """Return the rows of Parquet files as a table."""
    if connection.name != "pyspark":
        return connection.read_parquet([str(file) for file in files])
    import ibis

    name = ibis.util.gen_name("files")
    connection._session.read.parquet(*map(spark_path, files)).createOrReplaceTempView(name)
    return connection.table(name)


def vertex_table(connection: Any, path: Path, *, is_ours: bool = False) -> Any:
    """Return a vertex file as a table; ids of a CSV file are text whatever they look like, unless it is ours."""
    if path.suffix.lower() in SUFFIXES:
        return parquet_table(connection, [path])
    if connection.name == "pyspark":
        return connection.read_csv([spark_path(path)], header=True, inferSchema=is_ours, escape='"')
    return connection.read_csv(str(path), header=True, all_varchar=not is_ours)


def write_edges(pieces: Iterable[Pairs], path: Path) -> None:
    """Write pieces of edges, columns `source` and `target`, as one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for source, target in pieces:
            writer.write_table(pa.table([source, target], schema=schema))


def file_edges(path: Path) -> Iterator[Pairs]:
    """Yield the edges of a Parquet file with two columns of numbers, in its order; a missing end is -1."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_ROWS):
            one, other = (column.cast(pa.int64()).fill_null(-1).to_numpy() for column in batch.columns)
            yield one, other


def file_vertices(path: Path) -> Iterator[Ints]:
    """Yield the ids of a vertex file of ours; what is no number is -1."""
    import pyarrow as pa
    import pyarrow.csv as csv

    kinds = csv.ConvertOptions(column_types={"id": pa.int64()})
    for batch in csv.open_csv(path, convert_options=kinds):
        yield batch.column(0).fill_null(-1).to_numpy()


def ordered_batches(connection: Any, table: Any, folder: Path) -> Iterator[Any]:
    """Yield an ordered table in batches of Arrow; a folder takes what is written meanwhile."""
    if connection.name != "pyspark":
        yield from connection.to_pyarrow_batches(table)
        return
    with _parts(connection, table, folder) as parts:
        yield from _batches(parts)


def edges_of_spark(connection: Any, edges: Any, folder: Path) -> Iterator[Pairs]:
    """Yield edges of Spark, columns `low` and `high`, as they come; a folder takes what is written meanwhile."""
    with _parts(connection, edges.select("low", "high"), folder) as parts:
        for batch in _batches(parts):
            low, high = (column.to_numpy() for column in batch.columns)
            yield low, high


@contextmanager
def _parts(connection: Any, table: Any, folder: Path) -> Iterator[list[Path]]:
    """Give the files into which Spark writes a table, in order; they are gone at the end."""
    import ibis

    place = folder / ibis.util.gen_name("parts")
    try:
        connection.to_parquet(table, spark_path(place), compression="lz4_raw")
        yield sorted(place.glob("part-*.parquet"))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _batches(parts: Sequence[Path]) -> Iterator[Any]:
    import pyarrow.parquet as pq

    for part in parts:
        with pq.ParquetFile(part) as file:
            yield from file.iter_batches(_ROWS)
