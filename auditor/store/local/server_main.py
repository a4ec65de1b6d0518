"""The process that hosts the local Neo4j: a small Python program with a Java virtual machine inside.

``python -m auditor.store.local.server_main`` reads its instructions as JSON from standard input, detaches from the
process that started it, writes the state file and serves until it gets SIGTERM or has had no client for the idle time.
"""

import contextlib
import json
import os
import resource
import secrets
import signal
import sys
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import IO

from filelock import unlock_descriptor

from auditor.store.local.embedded import EmbeddedNeo4j, root_cause
from auditor.store.local.instructions import Instructions
from auditor.store.local.locks import try_lock
from auditor.store.local.state import ServerState, process_identity, read_state, running_server, write_state

_LOOK_AROUND = 0.5
_WAIT_FOR_PREDECESSOR = 60.0
_REST_AFTER = 20.0
_MAXIMAL_LOG = 1_000_000


def main() -> None:
    """Read the instructions, detach, serve; never returns."""
    instructions = Instructions.model_validate(json.load(sys.stdin))
    os.umask(0o077)
    # The starter waits for the parent only: what serves is nobody's child, so nobody need wait for its end.
    if served_by := os.fork():
        print(served_by, flush=True)
        os._exit(0)
    os.setsid()
    _redirect_output(instructions.layout.log)
    try:
        served = _serve_alone(instructions)
        # Nothing is locked any more: another server may start meanwhile.
        if served is not None:
            served.archive_classes()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    # The virtual machine would wait seconds for its own threads; the database is closed already.
    os._exit(0)


def _redirect_output(log: Path) -> None:
    with contextlib.suppress(OSError):
        if log.stat().st_size > _MAXIMAL_LOG:
            os.replace(log, log.with_name(log.name + ".1"))
    nowhere = os.open(os.devnull, os.O_RDWR)
    output = nowhere
    with contextlib.suppress(OSError):
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor, target in ((0, nowhere), (1, output), (2, output)):
        os.dup2(target, descriptor)


def _serve_alone(instructions: Instructions) -> EmbeddedNeo4j | None:
    """Serve, unless another server of this home lives; return the database, which is shut down."""
    layout = instructions.layout
    with layout.server_lock.open("a", encoding="ascii") as lock:
        deadline = time.monotonic() + _WAIT_FOR_PREDECESSOR
        while not try_lock(lock):
            # A server that stops lets go of its lock soon; one that starts or serves makes this one needless.
            other = running_server(layout)
            if other is not None and other.phase in ("starting", "ready"):
                return None
            if time.monotonic() > deadline:
                raise TimeoutError("another server holds the lock and does not say what it does")
            time.sleep(0.05)
        state = ServerState(
            pid=os.getpid(),
            identity=process_identity(os.getpid()) or "",
            phase="starting",
            since=time.time(),
            version=layout.version,
            password=secrets.token_urlsafe(24),
            heap="" if instructions.heap == instructions.settings.store.heap else instructions.heap,
        )
        write_state(layout.state, state)
        return _serve(instructions, state)


def _serve(instructions: Instructions, state: ServerState) -> EmbeddedNeo4j:
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    # A dump of the memory would hold the data.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    layout = instructions.layout
    try:
        database = EmbeddedNeo4j(instructions, state.password)
    except BaseException as error:
        with contextlib.suppress(OSError):
            write_state(layout.state, replace(state, phase="failed", password="", reason=root_cause(error)))
        raise
    ready = replace(state, phase="ready", port=database.port)
    write_state(layout.state, ready)
    # Whoever starts a server waits, by this lock, until one that retires is gone.
    with layout.start_lock.open("a", encoding="ascii") as start_lock:
        _wait_for_end(instructions, ready, database, stop, start_lock)
        with contextlib.suppress(OSError):
            write_state(layout.state, replace(ready, phase="stopping"))
        database.shut_down()
        with contextlib.suppress(OSError):
            layout.state.unlink()
    return database


def _wait_for_end(
    instructions: Instructions,
    ready: ServerState,
    database: EmbeddedNeo4j,
    stop: threading.Event,
    start_lock: IO[str],
) -> None:
    """Return on SIGTERM, when it cannot go on, or without clients for the idle time; then the start lock is held."""
    idle = instructions.settings.store.idle_minutes * 60
    last_seen = time.monotonic()
    worked = False
    while not stop.wait(_LOOK_AROUND):
        # After a panic only a new start helps, which the next command makes.
        if not _restate(instructions.layout.state, ready) or database.has_panicked():
            return
        if database.count_clients():
            last_seen, worked = time.monotonic(), True
            continue
        if worked and time.monotonic() - last_seen > _REST_AFTER:
            worked = False
            database.rest()
        if idle and time.monotonic() - last_seen > idle and try_lock(start_lock):
            if not database.count_clients():
                return
            unlock_descriptor(start_lock.fileno())


def _restate(path: Path, ready: ServerState) -> bool:
    """Write the state again if it was damaged, or else nobody could find this server; False when the home is gone."""
    try:
        if read_state(path) != ready:
            write_state(path, ready)
    except FileNotFoundError:
        return False
    except OSError:
        # A full disk, perhaps: serve on, and try again.
        pass
    return True


if __name__ == "__main__":
    main()
