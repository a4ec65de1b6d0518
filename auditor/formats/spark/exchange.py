"""Where an engine works on tables that DuckDB reads and writes: in DuckDB, or in Spark, with files in between."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.extras import require
from auditor.core.staging import staging_folder
from auditor.formats.spark.errors import is_of_spark, spark_error
from auditor.formats.spark.opening import open_spark
from auditor.formats.spark.paths import spark_path

if TYPE_CHECKING:
    from auditor.config import SparkSettings


@dataclass(frozen=True, slots=True)
class Workplace:
    """A database in which an engine works, and the DuckDB that its tables come from and go to."""

    here: Any
    """Connection of Ibis to DuckDB."""
    connection: Any
    """Connection of Ibis to where the engine works: the same, or Spark."""
    folder: Path
    """Seen by executors; takes files in between. Protected."""

    def sent(self, name: str) -> Any:
        """Return a table of DuckDB as one of the engine's database."""
        if self.connection is self.here:
            return self.here.table(name)
        import ibis

        file = self.folder / f"{ibis.util.gen_name('sent')}.parquet"
        self.here.to_parquet(self.here.table(name), file)
        return self.connection.read_parquet(spark_path(file))

    def fetched(self, table: Any) -> Any:
        """Return a table of the engine's database as one of DuckDB."""
        if self.connection is self.here:
            return table
        import ibis

        name = ibis.util.gen_name("fetched")
        place = self.folder / name
        self.connection.to_parquet(table, spark_path(place))
        files = [str(part) for part in sorted(place.glob("part-*.parquet"))]
        found = self.here.create_table(name, self.here.read_parquet(files))
        shutil.rmtree(place)
        return found


def workplace(duck: Any, spark: SparkSettings | None, folder: Path) -> AbstractContextManager[Workplace]:
    """Give the database in which an engine is to work, until the block ends.

    Parameters
    ----------
    duck : DuckDBPyConnection
        Where the records are.
    spark : SparkSettings or None
        Where Spark works; otherwise DuckDB does.
    folder : Path
        Beside what files in between go; executors must see it.

    Raises
    ------
    EngineUnavailable, MissingExtra, NotDelivered
        As :func:`~auditor.formats.spark.opening.open_spark`, and if Spark is lost within the block.
    """
    require("large")
    import ibis

    here = ibis.duckdb.from_connection(duck)
    return _here(here, folder) if spark is None else _in_spark(here, spark, folder)


@contextmanager
def _here(here: Any, folder: Path) -> Iterator[Workplace]:
    yield Workplace(here, here, folder)


@contextmanager
def _in_spark(here: Any, spark: SparkSettings, folder: Path) -> Iterator[Workplace]:
    with staging_folder(folder / "exchange") as files, open_spark(spark, folder) as connection:
        if not spark.is_connect:
            context = connection._session.sparkContext
            if context.getCheckpointDir() is None:
                # what a round made would otherwise be lost with its executor
                context.setCheckpointDir(spark_path(files / "checkpoints"))
        try:
            yield Workplace(here, connection, files)
        except Exception as error:
            if is_of_spark(error):
                raise spark_error(error) from error
            raise
