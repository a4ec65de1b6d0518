"""Spark, through Ibis, opened for one command: quiet, with the settings that all commands share, gone at the end."""

from __future__ import annotations

import logging
import os
import re
import socket
import subprocess
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.errors import EngineUnavailable
from auditor.core.extras import require
from auditor.core.staging import staging_folder
from auditor.formats.memory import half_of_memory
from auditor.formats.spark.errors import unstarted
from auditor.formats.spark.home import addresses, silent_logging, surroundings

if TYPE_CHECKING:
    from auditor.config import SparkSettings

_NAME = "disclosure-auditor"
_PATIENCE = 5.0
_SECONDS_TO_END = 60.0
_COLLECTOR = "-XX:+UseParallelGC"
# what the second compiler makes pays in a minute of work, and three processes would make it
_SHORT_LIVED = "-XX:TieredStopAtLevel=1"
# partitions of an exchange for each core, where all cores are of this machine: Spark's own number is for clusters
_PARTITIONS_A_CORE = 4
# a table of a million vertices goes to every executor rather than all edges to it; the page of a session shows plans
# to everybody on this machine
_SETTINGS = {
    "spark.sql.autoBroadcastJoinThreshold": "64m",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # rows that were sorted to find equal ones are grouped as they come
    "spark.sql.execution.replaceHashWithSortAgg": "true",
    # hardly a vertex comes twice among the first 65 536, which Spark would keep apart
    "spark.sql.codegen.aggregate.map.twolevel.enabled": "false",
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.EliminateSorts",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextmanager
def open_spark(settings: SparkSettings, folder: Path, *, is_long: bool = False) -> Iterator[Any]:
    """Give a connection of Ibis to a Spark that works for this command alone, or to a session of Spark Connect.

    Parameters
    ----------
    settings : SparkSettings
        Where Spark runs, and with how much memory.
    folder : Path
        Beside what temporary files go, and what is exchanged with executors: they must see it as well.
    is_long : bool, optional
        Whether there is work for more than a minute: a Spark of this machine then compiles its code as well as it can.

    Raises
    ------
    EngineUnavailable
        If there is no Java, or no Spark at the address.
    MissingExtra
        If PySpark or Ibis is not installed.
    NotDelivered
        If the temporary folder cannot be made.

    Notes
    -----
    What Spark logs may quote data: nothing of it is shown, unless ``AUDITOR_DEBUG`` is set. The session, and the
    process that holds it, end with the block, whatever ends it.
    """
    require("spark")
    require("large")
    _check_reachable(settings)
    import ibis

    with _silence(), staging_folder(folder / "spark") as spill, _session(settings, spill, is_long) as session:
        connection = ibis.pyspark.connect(session)
        try:
            yield connection
        finally:
            # Ibis drops each cached table when Python forgets it, which may be after the session is gone
            for name in list(connection._cache_name_to_entry):
                with suppress(Exception):
                    connection._finalize_cached_table(name)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep the libraries that talk to Spark from writing to the terminal what it said: they log to the root."""
    before = logging.root.manager.disable
    if not _is_debugging():
        logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _is_debugging() -> bool:
    return os.environ.get("AUDITOR_DEBUG", "") not in ("", "0")


def _check_reachable(settings: SparkSettings) -> None:
    """Refuse an address where nobody listens: Spark itself would try for minutes."""
    places = settings.places
    for host, port in places:
        with suppress(OSError), socket.create_connection((host, port), timeout=_PATIENCE):
            return
    if places:
        raise EngineUnavailable(f"nobody answers at {settings.shown}; check the address, and that Spark runs there")


@contextmanager
def _session(settings: SparkSettings, folder: Path, is_long: bool) -> Iterator[Any]:
    with _connected(settings) if settings.is_connect else _started(settings, folder, is_long) as session:
        yield session


@contextmanager
def _connected(settings: SparkSettings) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = None
    try:
        try:
            session = SparkSession.builder.remote(settings.master).getOrCreate()
            session.version  # noqa: B018 (it asks the server)
        except ImportError as error:
            raise EngineUnavailable(
                "Spark Connect needs more libraries; install them: pip install 'disclosure-auditor[spark]'"
            ) from error
        except Exception as error:
            raise unstarted(settings, error) from error
        yield session
    finally:
        if session is not None:
            with suppress(Exception):
                session.stop()


@contextmanager
def _started(settings: SparkSettings, folder: Path, is_long: bool) -> Iterator[Any]:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf(loadDefaults=False).setAll(list(_configuration(settings, folder, is_long=is_long).items()))
    hidden = None if _is_debugging() else subprocess.DEVNULL
    launched: Any = launch_gateway
    session = None
    with surroundings(settings, folder):
        gateway = _apart(lambda: launched(conf, {"stdout": hidden, "stderr": hidden}))
        try:
            try:
                process = gateway.result()
                session = _apart(lambda: SparkSession(SparkContext(conf=conf, gateway=process))).result()
            except Exception as error:
                raise unstarted(settings, error) from error
            yield session
            session.stop()
        finally:
            _end(gateway)


def _configuration(settings: SparkSettings, folder: Path, *, is_long: bool) -> dict[str, str]:
    """Return what Spark is told; what stands in its own configuration holds where nothing is said here."""
    cores = cores_of(settings.master)
    options = f"-Dlog4j2.configurationFile={silent_logging(folder)}"
    if cores:
        options = " ".join([options, _COLLECTOR, *([] if is_long else [_SHORT_LIVED])])
    given = {
        "spark.master": settings.master,
        "spark.app.name": _NAME,
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": options,
        **_SETTINGS,
        **addresses(settings),
    }
    if cores:
        given |= {
            "spark.local.dir": str(folder / "spill"),
            # more of an edge table than that is grouped on the disk by an executor of 1 GB
            "spark.sql.files.maxPartitionBytes": "32m",
            "spark.sql.shuffle.partitions": str(_PARTITIONS_A_CORE * cores),
            "spark.executor.extraJavaOptions": options,
        }
    if settings.is_local_cluster:
        given["spark.executor.memory"] = f"{settings.master.rpartition(',')[2].rstrip(']')}m"
    if settings.is_here:
        given["spark.driver.memory"] = settings.memory or f"{half_of_memory() >> 20}m"
    elif settings.memory is not None:
        given["spark.executor.memory"] = settings.memory
    return given


def cores_of(master: str) -> int | None:
    """Return how many cores a Spark of this machine has; None on a cluster."""
    if not master.startswith("local"):
        return None
    numbers = re.findall(r"\*|[0-9]+", master.partition("[")[2])
    if master.startswith("local-cluster"):
        return int(numbers[0]) * int(numbers[1])
    if not numbers:
        return 1
    return len(os.sched_getaffinity(0)) if numbers[0] == "*" else int(numbers[0])


def _apart(make: Callable[[], Any]) -> Future[Any]:
    """Make something in another thread: in the main one Spark would take over Ctrl-C, which may come at any time."""
    made: Future[Any] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return made


def _end(gateway: Future[Any]) -> None:
    """End Spark's process, which stops what it runs elsewhere, and forget it."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    with suppress(Exception):
        # one that is only just starting does not see yet that nobody needs it
        started = gateway.result(_SECONDS_TO_END)
        # what Python forgets from now on is not told to it
        started._gateway_client.is_connected = False
        # it ends when nobody can write to it any more, and tells the cluster; a call would wait for the running one
        started.proc.stdin.close()
        try:
            started.proc.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            started.proc.kill()
            started.proc.wait()
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if SparkContext._active_spark_context is not None:
            SparkContext._active_spark_context.stop()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None
