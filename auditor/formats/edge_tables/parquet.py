"""Parquet files as tables of a connection of Ibis, and its tables as files: DuckDB and Spark differ in both."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from auditor.formats.spark.paths import spark_path

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


def write_parquet(connection: Any, table: Any, path: Path) -> None:
    """Write an ordered table as one Parquet file."""
    if connection.name != "pyspark":
        connection.to_parquet(table, path, compression="zstd")
        return
    import pyarrow.parquet as pq

    with (
        _parts(connection, table, path.parent) as parts,
        pq.ParquetWriter(path, pq.read_schema(parts[0]).remove_metadata(), compression="zstd") as writer,
    ):
        for batch in _batches(parts):
            writer.write_batch(batch, row_group_size=_ROWS)


def ordered_batches(connection: Any, table: Any, folder: Path) -> Iterator[Any]:
    """Yield an ordered table in batches of Arrow; a folder takes what is written meanwhile."""
    if connection.name != "pyspark":
        yield from connection.to_pyarrow_batches(table)
        return
    with _parts(connection, table, folder) as parts:
        yield from _batches(parts)


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
