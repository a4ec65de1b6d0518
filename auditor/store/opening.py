"""Open the store that the settings name."""

from dataclasses import dataclass
from pathlib import Path

from auditor.config import Settings
from auditor.core.clock import Clock, utc_now
from auditor.core.kinds import kinds, parts
from auditor.core.progress import Progress, silent
from auditor.store.backups import restoring as _restore
from auditor.store.backups.writing import write_backup
from auditor.store.connection import Connection
from auditor.store.ledger import Ledger
from auditor.store.schema.head import ensure_schema

# read
_INFO = """
MATCH (s:AuditorStore {key: 1})
RETURN s.schema AS schema, s.entries AS entries, COUNT { (:AuditorAudit) } AS audits,
       COUNT { (:AuditorPolicy) } AS policies,
       COUNT { (:AuditorExport) } AS exports, COUNT { (:AuditorTable) } AS tables
"""
# read
_SIZES = "MATCH (n:AuditorNetwork) RETURN count(n) AS networks, sum(n.vertices) AS vertices, sum(n.edges) AS edges"


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """How much a store holds."""

    url: str
    schema: int
    networks: int
    vertices: int
    edges: int
    tables: int
    policies: int
    audits: int
    exports: int
    entries: int
    """In the ledger."""


class Store:
    """An open store; a context manager. Repositories are made for it: ``Networks(store)``.

    Parameters
    ----------
    connection : Connection
        Closed with the store.
    clock : callable
        Tells the time that is recorded.
    settings : Settings, optional
        By which it was opened.
    """

    def __init__(self, connection: Connection, clock: Clock = utc_now, settings: Settings | None = None) -> None:
        self.connection, self.settings = connection, settings
        self.ledger = Ledger(connection, clock)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the server."""
        self.connection.close()

    def info(self) -> StoreInfo:
        """Return how much the store holds."""
        (counts,), (sizes,) = self.connection.read(_INFO), self.connection.read(_SIZES)
        return StoreInfo(url=self.connection.url, **dict(counts), **dict(sizes))

    def backup(self, path: Path, *, actor: str, force: bool = False) -> str:
        """Write everything to one file and return the SHA-256 of its text; see :func:`write_backup`."""
        return write_backup(self.connection, self.ledger, path, actor=actor, force=force)


def open_store(settings: Settings, *, progress: Progress | None = None) -> Store:
    """Open the store that the settings name, bring it to the newest schema, and delete what killed processes left.

    Parameters
    ----------
    settings : Settings
        Which store.
    progress : callable, optional
        Told what takes long: fetching and starting the local server, deleting.

    Raises
    ------
    StoreUnavailable
        If it is not installed, not reachable or refuses the log-in.
    StoreError
        If it was written by a newer version of the program, or a restore of it was not finished.

    Notes
    -----
    Two small queries on a store that is in order.
    """
    connection = Connection.open(settings, progress=progress)
    try:
        ensure_schema(connection)
        for tidy in parts(kind.tidied for kind in kinds() if kind.tidied):
            tidy(connection, progress if progress is not None else silent)
    except BaseException:
        connection.close()
        raise
    return Store(connection, settings=settings)


def restore_store(settings: Settings, path: Path, *, actor: str, progress: Progress | None = None) -> None:
    """Fill the empty store that the settings name; see :func:`auditor.store.backups.restoring.restore_backup`."""
    with Connection.open(settings, progress=progress) as connection:
        _restore.restore_backup(connection, path, actor=actor, progress=progress)


def copy_store(source: Settings, target: Settings, *, actor: str, progress: Progress | None = None) -> None:
    """Copy a store into an empty one; see :func:`auditor.store.backups.restoring.copy_store`."""
    with open_store(source, progress=progress) as store, Connection.open(target, progress=progress) as connection:
        _restore.copy_store(store.connection, connection, actor=actor, progress=progress)
