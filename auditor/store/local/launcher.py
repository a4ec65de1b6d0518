"""Find the local server or start it; stop it; say how it is."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from auditor.config import Settings
from auditor.core.errors import StoreLocked, StoreUnavailable
from auditor.core.extras import require
from auditor.core.progress import Progress
from auditor.store.local.jars import install_jars, is_installed
from auditor.store.local.layout import Layout
from auditor.store.local.locks import try_lock
from auditor.store.local.starting import START_TIMEOUT, start_server, unwritable
from auditor.store.local.state import ServerState, is_running, running_server, serving

# a start that needs more memory takes several
_LOCK_TIMEOUT = 3 * START_TIMEOUT
_STOP_TIMEOUT = 60.0
# of a process with nothing left to do
_LAST_SECONDS = 1.0
_POLL = 0.05
_NEEDED_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class LocalStatus:
    """What can be told about the local server without asking it.

    Parameters
    ----------
    home : Path
    installed, running : bool
    version : str
        Version of Neo4j that is, or would be, used.
    pid, port : int or None
    since : datetime or None
        When the running server was started, in UTC.
    disk_bytes : int
        Size of everything below the home.
    heap : str
        Memory of the heap: of the settings, or more where the start of the running server needed more.
    """

    home: Path
    installed: bool
    running: bool
    version: str
    pid: int | None
    port: int | None
    since: datetime | None
    disk_bytes: int
    heap: str


def install(settings: Settings, progress: Progress | None = None) -> None:
    """Fetch the server if it is not there yet; see `install_jars`.

    Raises
    ------
    MissingExtra
        If the libraries that run it are not installed.
    """
    require("local")
    install_jars(Layout.of(settings), progress)


def ensure_running(settings: Settings, *, progress: Progress | None = None) -> ServerState:
    """Return the local server, which is installed and started if need be.

    Parameters
    ----------
    settings : Settings
    progress : callable or None
        See `Progress`.

    Raises
    ------
    StoreUnavailable
        If the server cannot be fetched or does not start; the message says what to do.
    MissingExtra
        If the libraries that run it are not installed.

    Notes
    -----
    Whoever holds the start lock starts; the others wait for the server that it started. The lock is the operating
    system's, so that a killed starter lets go of it. Finding a running server reads one small file.
    """
    layout = Layout.of(settings)
    if (ready := serving(layout)) is not None:
        return ready
    install(settings, progress)
    _prepare_home(layout)
    deadline = time.monotonic() + _LOCK_TIMEOUT
    with _locked(layout.start_lock, deadline):
        if (ready := serving(layout)) is not None:
            return ready
        if progress is not None:
            progress(f"starting Neo4j {layout.version}", 0, 0)
        return start_server(settings, layout, progress)


def stop(settings: Settings) -> bool:
    """Stop the local server; return whether one was running.

    Raises
    ------
    StoreUnavailable
        If it does not end in time.

    Notes
    -----
    Its process may outlive this by some seconds, once, with nothing open: it writes the archive of classes, which makes
    later starts faster. Nobody need wait for that.
    """
    layout = Layout.of(settings)
    state = running_server(layout)
    if state is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGTERM)
    if not _until(lambda: _has_closed(layout, state), time.monotonic() + _STOP_TIMEOUT):
        raise StoreUnavailable(f"the local Neo4j (process {state.pid}) does not stop; end it with: kill -9 {state.pid}")
    _until(lambda: not is_running(state), time.monotonic() + _LAST_SECONDS)
    return True


def status(settings: Settings) -> LocalStatus:
    """Return what is known about the local server, without starting or asking it."""
    layout = Layout.of(settings)
    state = running_server(layout)
    ready = state is not None and state.phase == "ready"
    return LocalStatus(
        home=layout.home,
        installed=is_installed(layout),
        running=ready,
        version=state.version if state else layout.version,
        pid=state.pid if state else None,
        port=state.port if state and ready else None,
        since=datetime.fromtimestamp(state.since, UTC) if state else None,
        disk_bytes=_size(layout.home),
        heap=state.heap if state and state.heap else settings.store.heap,
    )


def _has_closed(layout: Layout, state: ServerState) -> bool:
    """Whether a server ended, or closed its database and let go of its home: then its state is gone, or another's."""
    found = running_server(layout)
    return found is None or found.pid != state.pid


def _prepare_home(layout: Layout) -> None:
    try:
        layout.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in (layout.start_lock, layout.log):
            file.touch(mode=0o600)
        free = shutil.disk_usage(layout.home).free
    except OSError as error:
        raise unwritable(layout, error) from error
    if free < _NEEDED_BYTES:
        raise StoreUnavailable(
            f"the disk of {layout.home} is full: the local Neo4j needs {_NEEDED_BYTES // 1_000_000} MB to start; "
            "free some, or let AUDITOR_HOME name another folder"
        )


@contextlib.contextmanager
def _locked(path: Path, deadline: float) -> Iterator[None]:
    with path.open("a", encoding="ascii") as lock:
        if not _until(lambda: try_lock(lock), deadline):
            raise StoreLocked(f"another process has been starting the local Neo4j in {path.parent} for too long")
        yield


def _until(condition: Callable[[], bool], deadline: float) -> bool:
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total
