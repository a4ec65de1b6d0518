"""A function applied to every part of a table: by Spark where the table is there, else here, part by part."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

Work = Callable[["pa.Table"], "pa.Table"]

_CORES = 2
_ANSWER = "ibis_answer"
_SPARK_TYPES = {"int64": "bigint", "float64": "double", "array<int64>": "array<bigint>", "array<int32>": "array<int>"}


def mapped_parts(
    connection: Any, table: ir.Table, by: str, work: Work, columns: Mapping[str, str], done: Callable[[], None]
) -> ir.Table:
    """Return what a function makes of every part of a table, kept in the backend.

    Parameters
    ----------
    connection : ibis.BaseBackend
    table : ibis Table
    by : str
        Column of whole numbers; rows with the same one are a part.
    work : callable
        Takes the rows of a part in any order, as an Arrow table. Pure: a cluster may call it again for a lost part.
    columns : mapping of str to str
        Columns of the answer with their types: ``int64``, ``float64``, or arrays of ``int64`` or ``int32``.
    done : callable
        Called after each part, where that is known.

    Notes
    -----
    Spark writes the answer down before it goes on, on its executors, or, where its session has a directory for
    checkpoints, there: then an executor may be lost. What fails leaves nothing behind.

    Here the memory is that of two parts, and of what the database may use: the table is sorted by parts once, so that
    a part is read without the others.
    """
    if connection.name == "pyspark":
        return _on_spark(connection, table, by, work, columns)
    return _here(connection, table, by, work, columns, done)


def drop(connection: Any, table: ir.Table) -> None:
    """Let go of what :func:`mapped_parts` kept."""
    name = table.op().name
    if connection.name == "pyspark":
        _forget(connection, name)
    else:
        connection.drop_table(name, force=True)


def _on_spark(connection: Any, table: ir.Table, by: str, work: Work, columns: Mapping[str, str]) -> ir.Table:
    import ibis

    # the query registers small tables that the expression takes along; the frame itself has no name
    connection.to_pyarrow(table.limit(0))
    frame = connection.raw_sql(connection.compile(table))
    schema = ", ".join(f"{name} {_SPARK_TYPES[kind]}" for name, kind in columns.items())
    name = ibis.util.gen_name("parts")

    # Spark counts the parameters, and takes an object that is called to have one more
    def applied(rows: pa.Table) -> pa.Table:
        return work(rows)

    _written_down(frame.groupBy(by).applyInArrow(applied, schema)).createOrReplaceTempView(name)
    return connection.table(name)


def _written_down(frame: Any) -> Any:
    """Return a frame that forgot how it was made: plans that hold those of all rounds exhaust the driver."""
    from pyspark import StorageLevel

    if _is_remote(frame.sparkSession):
        return frame.localCheckpoint()
    if frame.sparkSession.sparkContext.getCheckpointDir() is None:
        return frame.localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
    return frame.checkpoint()


def _is_remote(session: Any) -> bool:
    """Whether a session is one of Spark Connect, which keeps what a frame holds until Python forgets the frame."""
    return ".connect." in type(session).__module__


def _forget(connection: Any, name: str) -> None:
    """Delete what a view was written to; Spark itself does so with some only, and when it likes."""
    session = connection._session
    if _is_remote(session):
        session.catalog.dropTempView(name)
        return
    rows = session.table(name)._jdf.queryExecution().analyzed()
    while rows.children().nonEmpty():
        rows = rows.children().head()
    rows = rows.rdd()
    session.catalog.dropTempView(name)
    rows.unpersist(True)
    if rows.getCheckpointFile().isDefined():
        path = session._jvm.org.apache.hadoop.fs.Path(rows.getCheckpointFile().get())
        path.getFileSystem(session._jsc.hadoopConfiguration()).delete(path, True)


def _here(
    connection: Any,
    table: ir.Table,
    by: str,
    work: Work,
    columns: Mapping[str, str],
    done: Callable[[], None],
) -> ir.Table:
    import ibis

    held = connection.create_table(ibis.util.gen_name("sorted"), table.order_by(by))
    name = ibis.util.gen_name("parts")
    try:
        parts = sorted(connection.to_pyarrow(held.select(by).distinct()).column(by).to_pylist())
        found = connection.create_table(name, schema=ibis.schema(columns))
        rows = (connection.to_pyarrow(held.filter(held[by] == part)) for part in parts)
        for answer in _in_threads(work, rows):
            # what Ibis takes from memory it holds until the memory is cleaned up
            connection.con.register(_ANSWER, answer)
            connection.con.execute(f"INSERT INTO {name} BY NAME SELECT * FROM {_ANSWER}")
            connection.con.unregister(_ANSWER)
            done()
    except BaseException:
        connection.drop_table(name, force=True)
        raise
    finally:
        drop(connection, held)
    return found


def _in_threads(work: Work, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Yield the answers in order; no more parts are read than are worked on."""
    with ThreadPoolExecutor(_CORES) as threads:
        waiting: deque[Future[pa.Table]] = deque()
        for table in tables:
            waiting.append(threads.submit(work, table))
            if len(waiting) == _CORES:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
