"""What Spark finds on this machine: Java, its own files, where it logs. Set for its process, and undone at the end."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from auditor.config import SparkSettings
from auditor.formats.spark.java import java_home

_LOCALHOST = "127.0.0.1"
# its messages and plans may quote data; without an appender it would take its own settings
_LOGGING = """rootLogger.level = off
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
"""


def silent_logging(folder: Path) -> Path:
    """Return a configuration of Spark's log that lets nothing through."""
    path = folder / "log4j2.properties"
    path.write_text(_LOGGING, encoding="utf-8")
    return path


@contextmanager
def surroundings(settings: SparkSettings, folder: Path) -> Iterator[None]:
    """Set the environment of Spark's processes until the block ends.

    Raises
    ------
    EngineUnavailable
        If there is no Java.
    """
    given: dict[str, str] = {}
    if (home := java_home(folder)) is not None:
        given["JAVA_HOME"] = str(home)
    if settings.is_here or settings.is_local_cluster:
        # its workers would be the `python3` of the search path, which need not have what this one has
        given |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": _LOCALHOST}
    if settings.is_local_cluster:
        given["SPARK_HOME"] = str(_own_home(folder))
    with _environment(given):
        yield


def addresses(settings: SparkSettings) -> dict[str, str]:
    """Return at which address the driver listens; on a cluster Spark and its own configuration know."""
    if not (settings.is_here or settings.is_local_cluster):
        return {}
    return {"spark.driver.bindAddress": _LOCALHOST, "spark.driver.host": _LOCALHOST}


def _own_home(folder: Path) -> Path:
    """Return a copy of Spark's home, by links: executors of a local cluster write beside its files."""
    found = find_spec("pyspark")
    installed = Path(os.environ.get("SPARK_HOME") or Path(str(found and found.origin)).parent)
    home = folder / "home"
    home.mkdir()
    for part in installed.iterdir():
        if part.name != "work":
            (home / part.name).symlink_to(part.resolve())
    return home


@contextmanager
def _environment(given: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
