"""What the database must look like: constraints, the node of the store, and how an older store becomes a newer one.

The node `Store` holds the version of the schema and the head of the ledger. Every transaction that changes what others
can see locks it first (:func:`lock_store`), then the subject: one fixed order, so that two of them never wait for each
other, and a check and what follows from it are one step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from auditor.errors import StoreCorrupt, StoreError
from auditor.ledger_chain import GENESIS

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["MIGRATIONS", "SCHEMA_VERSION", "Migration", "StoreHead", "ensure_schema", "lock_store", "read_head"]

# read
_HEAD = """
MATCH (s:Store {key: 1})
RETURN s.schema AS schema, s.entries AS entries, s.hash AS hash, s.restoring AS restoring
"""
# write: setting a property takes the node's lock for the rest of the transaction
_LOCK = "MATCH (s:Store {key: 1}) SET s.writes = s.writes + 1"
# write
_CREATE_STORE = """
MERGE (s:Store {key: 1})
ON CREATE SET s.schema = 0, s.entries = 0, s.hash = $genesis, s.writes = 0, s.networks = 0
"""
# write
_SET_VERSION = "MATCH (s:Store {key: 1}) SET s.schema = $version"
# read: waits until the indexes behind the constraints answer
_AWAIT = "CALL db.awaitIndexes(300)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before to schema `number`."""

    number: int
    statements: tuple[str, ...]
    """Schema commands; each may be run again without harm, and runs in a transaction of its own."""
    change: Callable[[ManagedTransaction], None] | None = None
    """What to do with the data; runs once, in the transaction that sets the version."""


@dataclass(frozen=True, slots=True)
class StoreHead:
    """The node of the store."""

    schema: int
    entries: int
    """Number of entries in the ledger."""
    hash: str
    """Hash of the last one."""
    restoring: str | None
    """Owner of an unfinished restore."""


_FIRST = (
    "CREATE CONSTRAINT store_key IF NOT EXISTS FOR (s:Store) REQUIRE s.key IS UNIQUE",
    "CREATE CONSTRAINT network_name IF NOT EXISTS FOR (n:Network) REQUIRE n.name IS UNIQUE",
    "CREATE CONSTRAINT network_id IF NOT EXISTS FOR (n:Network) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT loading_name IF NOT EXISTS FOR (n:LoadingNetwork) REQUIRE n.name IS UNIQUE",
    "CREATE CONSTRAINT loading_id IF NOT EXISTS FOR (n:LoadingNetwork) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT removed_id IF NOT EXISTS FOR (n:RemovedNetwork) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT vertex_key IF NOT EXISTS FOR (v:Vertex) REQUIRE (v.network, v.index) IS UNIQUE",
    "CREATE CONSTRAINT entry_seq IF NOT EXISTS FOR (e:Entry) REQUIRE e.seq IS UNIQUE",
    "CREATE CONSTRAINT policy_hash IF NOT EXISTS FOR (p:Policy) REQUIRE p.hash IS UNIQUE",
    "CREATE CONSTRAINT audit_id IF NOT EXISTS FOR (a:Audit) REQUIRE a.id IS UNIQUE",
    "CREATE CONSTRAINT finding_id IF NOT EXISTS FOR (f:Finding) REQUIRE f.id IS UNIQUE",
    "CREATE CONSTRAINT export_id IF NOT EXISTS FOR (x:Export) REQUIRE x.id IS UNIQUE",
    "CREATE CONSTRAINT part_id IF NOT EXISTS FOR (p:RelabellingPart) REQUIRE p.id IS UNIQUE",
    "CREATE INDEX part_export IF NOT EXISTS FOR (p:RelabellingPart) ON (p.export)",
)

_TABLES = (
    "CREATE CONSTRAINT table_name IF NOT EXISTS FOR (t:Table) REQUIRE t.name IS UNIQUE",
    "CREATE CONSTRAINT removed_table_name IF NOT EXISTS FOR (t:RemovedTable) REQUIRE t.name IS UNIQUE",
    "CREATE CONSTRAINT population_id IF NOT EXISTS FOR (p:TablePopulation) REQUIRE p.id IS UNIQUE",
    "CREATE CONSTRAINT data_id IF NOT EXISTS FOR (d:TableData) REQUIRE d.id IS UNIQUE",
    "CREATE CONSTRAINT data_checksum IF NOT EXISTS FOR (d:TableData) REQUIRE d.checksum IS UNIQUE",
    "CREATE INDEX data_population IF NOT EXISTS FOR (d:TableData) ON (d.population)",
    "CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (c:TableChunk) REQUIRE c.id IS UNIQUE",
    "CREATE INDEX chunk_owner IF NOT EXISTS FOR (c:TableChunk) ON (c.owner)",
    "CREATE CONSTRAINT marginal_id IF NOT EXISTS FOR (m:Marginal) REQUIRE m.id IS UNIQUE",
    "CREATE INDEX marginal_data IF NOT EXISTS FOR (m:Marginal) ON (m.data)",
    "CREATE CONSTRAINT simulated_id IF NOT EXISTS FOR (s:SimulatedTable) REQUIRE s.id IS UNIQUE",
    "CREATE CONSTRAINT release_id IF NOT EXISTS FOR (r:Release) REQUIRE r.id IS UNIQUE",
)

MIGRATIONS: tuple[Migration, ...] = (Migration(1, _FIRST), Migration(2, _TABLES))
"""All steps, from an empty database on."""

SCHEMA_VERSION = MIGRATIONS[-1].number
"""The schema that this version of the program reads and writes."""


def ensure_schema(
    connection: Connection, migrations: tuple[Migration, ...] = MIGRATIONS, *, allow_unfinished_restore: bool = False
) -> None:
    """Bring the database to the newest schema; on a store that has it, one small query.

    Parameters
    ----------
    connection : Connection
        An open connection.
    migrations : tuple of Migration
        The steps.
    allow_unfinished_restore : bool
        Whether a store that a restore has not finished is accepted: only for doing that again.

    Raises
    ------
    StoreError
        If the store was written by a newer version of the program, or a restore of it was not finished.

    Notes
    -----
    Two processes may do this at once: schema commands do nothing the second time, and the version is compared and set
    under the store's lock.
    """
    head = connection.read_transaction(_find_head)
    version = head.schema if head is not None else 0
    newest = migrations[-1].number
    if version > newest:
        raise StoreError(
            f"the store has schema {version}, this program knows schemas up to {newest}; install a newer version of it"
        )
    for migration in migrations:
        if migration.number > version:
            _apply(connection, migration)
    if head is not None and head.restoring is not None and not allow_unfinished_restore:
        raise StoreError("a restore of this store was not finished; run 'auditor store restore' again")


def _apply(connection: Connection, migration: Migration) -> None:
    for statement in migration.statements:
        # as a managed transaction: two processes that do this at once may have to try again
        try:
            connection.write(partial(_run, statement))
        except StoreError as error:
            if not _is_there_by_now(error):
                raise
    connection.read(_AWAIT)

    def change(tx: ManagedTransaction) -> None:
        tx.run(_CREATE_STORE, genesis=GENESIS).consume()
        tx.run(_LOCK).consume()
        if _head_in(tx).schema >= migration.number:
            return
        if migration.change is not None:
            migration.change(tx)
        tx.run(_SET_VERSION, version=migration.number).consume()

    connection.write(change)


def _is_there_by_now(error: StoreError) -> bool:
    """Whether another process made the same constraint or index after the database had looked for it."""
    return str(getattr(error.__cause__, "code", "")).endswith(".EquivalentSchemaRuleAlreadyExists")


def _run(statement: str, tx: ManagedTransaction) -> None:
    tx.run(statement).consume()


def read_head(connection: Connection) -> StoreHead:
    """Return the node of the store.

    Raises
    ------
    StoreCorrupt
        If there is none.
    """
    return connection.read_transaction(_head_in)


def lock_store(tx: ManagedTransaction, *, allow_unfinished_restore: bool = False) -> StoreHead:
    """Take the store's lock for the rest of the transaction and return the head as it is under the lock.

    Raises
    ------
    StoreError
        If a restore is under way or was not finished.
    """
    tx.run(_LOCK).consume()
    # a second statement: what the first one reads, it may have read before it had the lock
    head = _head_in(tx)
    if head.restoring is not None and not allow_unfinished_restore:
        raise StoreError("a restore of this store is under way or was not finished; wait, or run it again")
    return head


def _head_in(tx: ManagedTransaction) -> StoreHead:
    head = _find_head(tx)
    if head is None:
        raise StoreCorrupt("the store has lost its own node; restore it from a backup")
    return head


def _find_head(tx: ManagedTransaction) -> StoreHead | None:
    record = tx.run(_HEAD).single()
    return StoreHead(**record) if record is not None else None
