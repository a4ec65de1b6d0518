"""Find the local server or start it; stop it; say how it is."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from auditor.config import Settings
from auditor.errors import StoreLocked, StoreUnavailable
from auditor.store.local.instructions import Instructions
from auditor.store.local.jars import Progress, install_jars, is_installed
from auditor.store.local.layout import Layout
from auditor.store.local.locks import try_lock
from auditor.store.local.state import ServerState, is_running, process_identity, read_state

__all__ = ["Endpoint", "LocalStatus", "ensure_running", "install", "status", "stop"]

_START_TIMEOUT = 120.0
_STOP_TIMEOUT = 60.0
_POLL = 0.05
_NEEDED_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How the running server is reached.

    Parameters
    ----------
    url, user, password : str
    """

    url: str
    user: str
    password: str = field(repr=False)


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
    """

    home: Path
    installed: bool
    running: bool
    version: str
    pid: int | None
    port: int | None
    since: datetime | None
    disk_bytes: int


def install(settings: Settings, progress: Progress | None = None) -> None:
    """Fetch the server if it is not there yet; see `install_jars`."""
    install_jars(Layout.of(settings), progress)


def ensure_running(settings: Settings, *, progress: Progress | None = None) -> Endpoint:
    """Return the endpoint of the local server, which is installed and started if need be.

    Parameters
    ----------
    settings : Settings
    progress : callable or None
        See `Progress`.

    Raises
    ------
    StoreUnavailable
        If the server cannot be fetched or does not start; the message says what to do.

    Notes
    -----
    Whoever holds the start lock starts; the others wait for the server that it started. The lock is the operating
    system's, so that a killed starter lets go of it. Finding a running server reads one small file.
    """
    layout = Layout.of(settings)
    if (ready := _ready(layout)) is not None:
        return ready
    install_jars(layout, progress)
    _prepare_home(layout)
    deadline = time.monotonic() + _START_TIMEOUT
    with _locked(layout.start_lock, deadline):
        if (ready := _ready(layout)) is not None:
            return ready
        if progress is not None:
            progress(f"starting Neo4j {layout.version}", 0, 0)
        return _await_ready(layout, _start(settings, layout), deadline)


def stop(settings: Settings) -> bool:
    """Stop the local server; return whether one was running.

    Raises
    ------
    StoreUnavailable
        If it does not end in time.
    """
    layout = Layout.of(settings)
    state = _alive(layout)
    if state is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGTERM)
    if not _until(lambda: not is_running(state), time.monotonic() + _STOP_TIMEOUT):
        raise StoreUnavailable(f"the local Neo4j (process {state.pid}) does not stop; end it with: kill -9 {state.pid}")
    return True


def status(settings: Settings) -> LocalStatus:
    """Return what is known about the local server, without starting or asking it."""
    layout = Layout.of(settings)
    state = _alive(layout)
    serving = state is not None and state.phase == "ready"
    return LocalStatus(
        home=layout.home,
        installed=is_installed(layout),
        running=serving,
        version=state.version if state else layout.version,
        pid=state.pid if state else None,
        port=state.port if state and serving else None,
        since=datetime.fromtimestamp(state.since, UTC) if state else None,
        disk_bytes=_size(layout.home),
    )


def _alive(layout: Layout) -> ServerState | None:
    state = read_state(layout.state)
    return state if state is not None and is_running(state) else None


def _ready(layout: Layout) -> Endpoint | None:
    state = _alive(layout)
    if state is None or state.phase != "ready":
        return None
    return Endpoint(f"bolt://127.0.0.1:{state.port}", "neo4j", state.password)


def _prepare_home(layout: Layout) -> None:
    try:
        layout.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in (layout.start_lock, layout.log):
            file.touch(mode=0o600)
        free = shutil.disk_usage(layout.home).free
    except OSError as error:
        raise _unwritable(layout, error) from error
    if free < _NEEDED_BYTES:
        raise StoreUnavailable(
            f"the disk of {layout.home} is full: the local Neo4j needs {_NEEDED_BYTES // 1_000_000} MB to start; "
            "free some, or let AUDITOR_HOME name another folder"
        )


def _unwritable(layout: Layout, error: OSError) -> StoreUnavailable:
    reason = error.strerror or type(error).__name__
    return StoreUnavailable(f"cannot write to {layout.home}: {reason}; AUDITOR_HOME names another folder")


@contextlib.contextmanager
def _locked(path: Path, deadline: float) -> Iterator[None]:
    with path.open("a", encoding="ascii") as lock:
        if not _until(lambda: try_lock(lock), deadline):
            raise StoreLocked(f"another process has been starting the local Neo4j in {path.parent} for too long")
        yield


def _start(settings: Settings, layout: Layout) -> int:
    """Start a server process and return its pid; it gives way if another one turns out to live."""
    instructions = Instructions(
        neo4j=str(layout.neo4j),
        state=str(layout.state),
        server_lock=str(layout.server_lock),
        start_lock=str(layout.start_lock),
        log=str(layout.log),
        jars=str(layout.jars),
        version=layout.version,
        heap=settings.store.heap,
        page_cache=settings.store.page_cache,
        transaction_timeout=settings.store.transaction_timeout,
        idle_seconds=settings.store.idle_minutes * 60,
    )
    state = read_state(layout.state)
    if state is not None and not is_running(state):
        layout.state.unlink(missing_ok=True)
    # `-P`: nothing in the home is taken for a module. Java tells paths by the locale, hence one that knows them all.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LC_ALL": "C.UTF-8"}
    try:
        with layout.log.open("a", encoding="utf-8") as log:
            child = subprocess.run(
                [sys.executable, "-P", "-m", "auditor.store.local.server_main"],
                input=json.dumps(asdict(instructions)),
                text=True,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=layout.home,
                env=environment,
                check=True,
            )
            return int(child.stdout)
    except OSError as error:
        raise _unwritable(layout, error) from error
    except subprocess.CalledProcessError as error:
        raise StoreUnavailable(f"the local Neo4j did not start; see {layout.log}") from error


def _await_ready(layout: Layout, pid: int, deadline: float) -> Endpoint:
    while time.monotonic() < deadline:
        ended = process_identity(pid) is None
        if (ready := _ready(layout)) is not None:
            return ready
        if ended and _alive(layout) is None:
            failed = read_state(layout.state)
            reason = failed.reason if failed and failed.reason else "its process ended"
            raise StoreUnavailable(f"the local Neo4j did not start: {reason}; see {layout.log}")
        time.sleep(_POLL)
    raise StoreUnavailable(f"the local Neo4j did not start within {_START_TIMEOUT:.0f} s; see {layout.log}")


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
