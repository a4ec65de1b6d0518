"""Errors of databases in the auditor's words: what they say may quote a value, so it is told by its kind alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from auditor.core.errors import AuditorError, BadFile, NotDelivered, RoomExhausted
from auditor.formats.spark.errors import is_of_spark, spark_error


@contextmanager
def translated_errors(*, reading: Path | None = None, writing: Path | None = None) -> Iterator[None]:
    """Translate the errors of DuckDB and of Spark.

    Parameters
    ----------
    reading, writing : Path, optional
        The file that the queries read or write; the temporary folder is always used.

    Raises
    ------
    BadFile
        If `reading` is no Parquet file, is damaged or holds something else than ids.
    NotDelivered
        If `writing` cannot be written.
    RoomExhausted
        If memory or temporary space ran out.
    EngineUnavailable
        If Spark was lost, or does not see the files.
    AuditorError
        For everything else, named by its kind.
    """
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise RoomExhausted(
            "memory or temporary space for the rows ran out; give more with --memory (where there is none: "
            "edge_table.memory in the configuration), or another folder with edge_table.folder"
        ) from error
    except RuntimeError as error:
        # so DuckDB tells that a signal came; what the handler raised is its cause
        if isinstance(error.__cause__, KeyboardInterrupt | SystemExit):
            raise error.__cause__ from None
        raise
    except duckdb.Error as error:
        kind = type(error).__name__
        if isinstance(error, duckdb.IOException) and writing is not None:
            raise NotDelivered(f"{writing} could not be written; make room there, nothing was published") from error
        if reading is not None:
            raise BadFile(
                f"{reading} cannot be read as a Parquet edge table ({kind}); check the file, or write it again"
            ) from error
        raise AuditorError(f"the database that reads the rows failed ({kind}); try again, and report it") from error
    except Exception as error:
        if is_of_spark(error):
            raise spark_error(error, reading=reading, writing=writing) from error
        raise
