"""Whole processes, measured from outside: wall time and peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """What a process needed and answered."""

    seconds: float
    peak_mib: float
    """Largest resident set of the process itself; children such as the local database are not counted."""
    exit_code: int
    stdout: str
    stderr: str
    processor_seconds: float = 0.0
    """Of all its threads; children are not counted."""


def auditor(*arguments: str) -> list[str]:
    """Return the command line of this project's `auditor`."""
    return [sys.executable, "-m", "cli.app", *arguments]


def measure(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, expect: int = 0, timeout: float = 600
) -> Measured:
    """Run a process to its end, or until the seconds of `timeout` are over, and return what it needed.

    Raises
    ------
    RuntimeError
        If its exit code is not the one expected: a figure of a failed run means nothing.

    Notes
    -----
    Bytecode is kept, as it is after an installation, whatever is set here: a process of a few seconds would spend a
    third of one on compiling modules.
    """
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=surroundings)
        watchdog = threading.Timer(timeout, process.kill)
        watchdog.start()
        # wait4 alone tells the memory of this one process
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", errors="replace"))
    if process.returncode != expect:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {texts[1].strip()[-500:]}")
    processor = usage.ru_utime + usage.ru_stime
    return Measured(seconds, usage.ru_maxrss / 1024, process.returncode, texts[0], texts[1], processor)


def median_seconds(
    command: Sequence[str], *, runs: int = 10, environment: Mapping[str, str] | None = None, expect: int = 0
) -> float:
    """Return the median wall time of several runs, after one that warms the caches."""
    measure(command, environment=environment, expect=expect)
    return statistics.median(measure(command, environment=environment, expect=expect).seconds for _ in range(runs))
