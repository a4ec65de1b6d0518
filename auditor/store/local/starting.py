"""Start a server process and wait until it serves; with more memory where the settings give too little to start."""

import contextlib
import json
import os
import subprocess
import sys
import time

from auditor.config import Settings
from auditor.core.errors import StoreUnavailable
from auditor.core.progress import Progress
from auditor.store.local.layout import Layout
from auditor.store.local.memory import NEEDS_MEMORY, OUT_OF_MEMORY, larger_heap, memory_limit
from auditor.store.local.state import ServerState, process_identity, read_state, running_server, serving

START_TIMEOUT = 300.0
"""Seconds that one try may take: reading a long log on a busy machine takes minutes."""
_POLL = 0.05
_LONGEST_LOG = 1 << 24


def start_server(settings: Settings, layout: Layout, progress: Progress | None) -> ServerState:
    """Start a server and wait for it; with more memory where the heap of the settings turns out to be too small."""
    heap = settings.store.heap
    while True:
        begin = _log_size(layout)
        try:
            return _await_ready(layout, _start(settings, layout, heap), time.monotonic() + START_TIMEOUT)
        except StoreUnavailable as error:
            if not _lacked_memory(layout, begin):
                raise
            larger = larger_heap(heap, memory_limit())
            if larger is None:
                raise StoreUnavailable(
                    f"the local Neo4j did not start: it needs a heap of more than {heap}, and this machine has no more "
                    f"to give; free memory, or restore a backup; see {layout.log}"
                ) from error
        _say(layout, f"a heap of {heap} was too small to start; started again with {larger}")
        if progress is not None:
            progress(f"starting Neo4j {layout.version} with a heap of {larger}", 0, 0)
        heap = larger


def _log_size(layout: Layout) -> int:
    try:
        return layout.log.stat().st_size
    except OSError:
        return 0


def _lacked_memory(layout: Layout, begin: int) -> bool:
    """Whether a start failed for a heap that was too small: it said so, or the virtual machine did and ended at once.

    Parameters
    ----------
    layout : Layout
    begin : int
        How long the log was before; a log that is shorter now was begun anew.
    """
    failed = read_state(layout.state)
    if failed is not None and failed.reason == NEEDS_MEMORY:
        return True
    try:
        with layout.log.open("rb") as log:
            log.seek(begin if _log_size(layout) >= begin else 0)
            return OUT_OF_MEMORY.encode() in log.read(_LONGEST_LOG)
    except OSError:
        return False


def _say(layout: Layout, what: str) -> None:
    with contextlib.suppress(OSError), layout.log.open("a", encoding="utf-8") as log:
        log.write(f"disclosure-auditor: {what}\n")


def _start(settings: Settings, layout: Layout, heap: str) -> int:
    """Start a server process and return its pid; it gives way if another one turns out to live."""
    if running_server(layout) is None:
        layout.state.unlink(missing_ok=True)
    # `-P`: nothing in the home is taken for a module. Java tells paths by the locale, hence one that knows them all.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LC_ALL": "C.UTF-8"}
    # the other sections are not for the server; passwords are masked
    needed = settings.model_dump(include={"home", "cache", "neo4j_lib", "store"})
    try:
        with layout.log.open("a", encoding="utf-8") as log:
            child = subprocess.run(
                [sys.executable, "-P", "-m", "auditor.store.local.server_main"],
                input=json.dumps({"settings": needed, "heap": heap}, default=str),
                text=True,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=layout.home,
                env=environment,
                check=True,
            )
            return int(child.stdout)
    except OSError as error:
        raise unwritable(layout, error) from error
    except subprocess.CalledProcessError as error:
        raise StoreUnavailable(f"the local Neo4j did not start; see {layout.log}") from error


def _await_ready(layout: Layout, pid: int, deadline: float) -> ServerState:
    while time.monotonic() < deadline:
        ended = process_identity(pid) is None
        if (ready := serving(layout)) is not None:
            return ready
        if ended and running_server(layout) is None:
            failed = read_state(layout.state)
            reason = failed.reason if failed and failed.reason else "its process ended"
            raise StoreUnavailable(f"the local Neo4j did not start: {reason}; see {layout.log}")
        time.sleep(_POLL)
    raise StoreUnavailable(f"the local Neo4j did not start within {START_TIMEOUT:.0f} s; see {layout.log}")


def unwritable(layout: Layout, error: OSError) -> StoreUnavailable:
    """Return the error for a home that cannot be written to."""
    reason = error.strerror or type(error).__name__
    return StoreUnavailable(f"cannot write to {layout.home}: {reason}; AUDITOR_HOME names another folder")
