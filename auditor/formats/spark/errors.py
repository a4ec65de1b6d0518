"""Errors of Spark in the auditor's words: what it says may quote a value, so it is told by its kind alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import AuditorError, BadFile, EngineUnavailable, NotDelivered, RoomExhausted

if TYPE_CHECKING:
    from auditor.config import SparkSettings

_LIBRARIES = ("pyspark", "py4j", "grpc")
# parts of what it says that hold nothing of the data
_OUT_OF_ROOM = ("OutOfMemoryError", "No space left on device", "spark.driver.maxResultSize", "UNABLE_TO_ACQUIRE_MEMORY")
_LOST = (
    "Py4JNetworkError", "Answer from Java side is empty", "SparkContext was shut down", "stopped SparkContext",
    "StatusCode.UNAVAILABLE", "Master removed our application", "SESSION_CLOSED",
)  # fmt: skip
_UNSEEN = ("FILE_NOT_EXIST", "FileNotFoundException", "PATH_NOT_FOUND", "Permission denied", "AccessControlException")
_NO_PARQUET = ("is not a Parquet file", "FAILED_READ_FILE", "CANNOT_READ_FILE", "UNABLE_TO_INFER_SCHEMA", "Parquet")
_NO_LIBRARY = ("ModuleNotFoundError", "PYTHON_VERSION_MISMATCH", 'Cannot run program "')


def is_of_spark(error: BaseException) -> bool:
    """Whether an error came from Spark, or from what talks to it.

    Examples
    --------
    >>> is_of_spark(ValueError("no"))
    False
    """
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(error).__mro__)


def spark_error(error: BaseException, *, reading: Path | None = None, writing: Path | None = None) -> AuditorError:
    """Return the error to raise for one that came from Spark.

    Parameters
    ----------
    error : BaseException
    reading, writing : Path, optional
        The file that the queries read or write.
    """
    text, kind = f"{type(error).__name__} {error}", type(error).__name__

    def says(parts: tuple[str, ...]) -> bool:
        return any(part in text for part in parts)

    if says(_OUT_OF_ROOM):
        return RoomExhausted("memory or temporary space of Spark ran out; give more with --memory, or more executors")
    if says(_LOST):
        return EngineUnavailable("Spark ended, or lost its cluster, while it worked; see its own log, and try again")
    if says(_UNSEEN):
        where = reading or writing
        files = "the files" if where is None else f"{where}"
        return EngineUnavailable(
            f"Spark cannot read or write {files}; they must lie where its driver and all executors see them under the "
            "same path, and may use them"
        )
    if says(_NO_LIBRARY):
        return EngineUnavailable(
            "the executors of Spark lack this program; install it there with the same Python, and set PYSPARK_PYTHON"
        )
    if writing is not None:
        return NotDelivered(f"{writing} could not be written by Spark ({kind}); nothing was published")
    if reading is not None and says(_NO_PARQUET):
        return BadFile(f"{reading} cannot be read as a Parquet edge table ({kind}); check the file, or write it again")
    return AuditorError(f"Spark failed ({kind}); see its own log, try again, and report it")


def unstarted(settings: SparkSettings, error: BaseException) -> EngineUnavailable:
    """Return the error for a Spark that did not start."""
    kind = type(error).__name__
    if "JAVA_GATEWAY_EXITED" in str(error):
        return EngineUnavailable(
            "Spark's process ended when it began; it needs Java 17 or 21 (JAVA_HOME, or 'java' on the search path); "
            "AUDITOR_DEBUG=1 shows what it says"
        )
    return EngineUnavailable(
        f"Spark at {settings.shown} did not start ({kind}); check the address and its own log; AUDITOR_DEBUG=1 shows "
        "what it says"
    )
