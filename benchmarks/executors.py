"""Executors of Spark on this machine, found among the processes that come from this one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_EXECUTOR = b"CoarseGrainedExecutorBackend"


def executors() -> list[int]:
    """Return the process ids of all executors that come from this process."""
    parents: dict[int, int] = {}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if _EXECUTOR in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue

    def is_ours(process: int) -> bool:
        return process == os.getpid() or (process in parents and is_ours(parents[process]))

    return [process for process in found if is_ours(process)]


def kill_executor() -> int:
    """Kill one of the executors without notice, and return its process id."""
    process = executors()[0]
    os.kill(process, signal.SIGKILL)
    return process


@contextmanager
def losing_one(after: float) -> Iterator[list[int]]:
    """Kill an executor so many seconds after the first one started; give the list that it then is in."""
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.5):
            if executors():
                if not over.wait(after):
                    killed.append(kill_executor())
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()
