"""What the database must look like: constraints, the node of the store, and how an older store becomes a newer one.

The node `Store` holds the version of the schema and the head of the ledger. Every transaction that changes what others
can see locks it first (:func:`lock_store`), then the subject: one fixed order, so that two of them never wait for each
other, and a check and what follows from it are one step.
"""

from __future__ import annotations

import re
import time
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

_HEAD_VALUES = "s.schema AS schema, s.entries AS entries, s.hash AS hash, s.restoring AS restoring"
# read
_HEAD = f"MATCH (s:Store {{key: 1}}) RETURN {_HEAD_VALUES}"
# write: setting a property takes the node's lock for the rest of the transaction. What is set must not depend on
# what was there: to read it, a second lock is taken, and who waits is thrown out for a deadlock that is none.
_LOCK = "MATCH (s:Store {key: 1}) SET s.locked = true"
# write: counts the writes, for those who ask whether anything changed
_COUNTED_HEAD = f"""
MATCH (s:Store {{key: 1}}) SET s.writes = s.writes + 1
RETURN {_HEAD_VALUES}
"""
# write
_CREATE_STORE = """
MERGE (s:Store {key: 1})
ON CREATE SET s.schema = 0, s.entries = 0, s.hash = $genesis, s.writes = 0, s.networks = 0
"""
# write
_SET_VERSION = "MATCH (s:Store {key: 1}) SET s.schema = $version"
# read
_INDEX_STATES = "SHOW INDEXES YIELD state RETURN DISTINCT state"

# read: a constraint has an index of its name
_NAMES = "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name"

_MAKES = re.compile(r"CREATE (?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS ")
_INDEX_SECONDS = 300.0
_LOOK_AGAIN = 0.05


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

_AUDITS = (
    "CREATE CONSTRAINT head_key IF NOT EXISTS FOR (h:AuditHead) REQUIRE h.key IS UNIQUE",
    "CREATE CONSTRAINT waiver_id IF NOT EXISTS FOR (w:Waiver) REQUIRE w.id IS UNIQUE",
    "CREATE INDEX audit_key IF NOT EXISTS FOR (a:Audit) ON (a.key)",
    "CREATE INDEX audit_at IF NOT EXISTS FOR (a:Audit) ON (a.at)",
    "CREATE INDEX finding_fingerprint IF NOT EXISTS FOR (f:Finding) ON (f.fingerprint)",
    "CREATE INDEX waiver_key IF NOT EXISTS FOR (w:Waiver) ON (w.key)",
)

_SCHEDULES = (
    "CREATE CONSTRAINT schedule_name IF NOT EXISTS FOR (s:Schedule) REQUIRE s.name IS UNIQUE",
    "CREATE CONSTRAINT schedule_id IF NOT EXISTS FOR (s:Schedule) REQUIRE s.id IS UNIQUE",
    "CREATE CONSTRAINT removed_schedule_id IF NOT EXISTS FOR (s:RemovedSchedule) REQUIRE s.id IS UNIQUE",
    "CREATE INDEX removed_schedule_name IF NOT EXISTS FOR (s:RemovedSchedule) ON (s.name)",
    "CREATE CONSTRAINT tick_due IF NOT EXISTS FOR (t:Tick) REQUIRE (t.schedule, t.due) IS UNIQUE",
    "CREATE CONSTRAINT tick_id IF NOT EXISTS FOR (t:Tick) REQUIRE t.id IS UNIQUE",
    "CREATE INDEX tick_lease IF NOT EXISTS FOR (t:Tick) ON (t.lease_until)",
    "CREATE INDEX tick_retry IF NOT EXISTS FOR (t:Tick) ON (t.retry_at)",
)

_TOKENS = (
    "CREATE CONSTRAINT token_id IF NOT EXISTS FOR (t:AccessToken) REQUIRE t.id IS UNIQUE",
    "CREATE CONSTRAINT token_digest IF NOT EXISTS FOR (t:AccessToken) REQUIRE t.digest IS UNIQUE",
)

_MESSAGES = (
    "CREATE CONSTRAINT message_id IF NOT EXISTS FOR (m:Message) REQUIRE m.id IS UNIQUE",
    "CREATE INDEX message_status IF NOT EXISTS FOR (m:Message) ON (m.status)",
    "CREATE INDEX tick_status IF NOT EXISTS FOR (t:Tick) ON (t.status)",
)
_APPROVALS = (
    "CREATE CONSTRAINT approval_id IF NOT EXISTS FOR (a:Approval) REQUIRE a.id IS UNIQUE",
    "CREATE INDEX approval_state IF NOT EXISTS FOR (a:Approval) ON (a.state)",
    "CREATE INDEX approval_about IF NOT EXISTS FOR (a:Approval) ON (a.about)",
)
_SERVICE = (
    "CREATE CONSTRAINT session_digest IF NOT EXISTS FOR (s:Session) REQUIRE s.digest IS UNIQUE",
    "CREATE CONSTRAINT job_id IF NOT EXISTS FOR (j:Job) REQUIRE j.id IS UNIQUE",
    "CREATE INDEX job_state IF NOT EXISTS FOR (j:Job) ON (j.state)",
    "CREATE CONSTRAINT kept_answer IF NOT EXISTS FOR (a:KeptAnswer) REQUIRE a.key IS UNIQUE",
)
# what ended before anybody could be told is no news any more
_TOLD = "MATCH (t:Tick) WHERE t.status IN ['failed', 'skipped'] AND t.retry_at IS NULL SET t.told = true"


def _tell_nothing_old(tx: ManagedTransaction) -> None:
    tx.run(_TOLD).consume()


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, _FIRST),
    Migration(2, _TABLES),
    Migration(3, _AUDITS),
    Migration(4, _SCHEDULES),
    Migration(5, _MESSAGES, _tell_nothing_old),
    Migration(6, _TOKENS),
    Migration(7, _APPROVALS),
    Migration(8, _SERVICE),
)
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
    pending = [migration for migration in migrations if migration.number > version]
    # each command that has nothing to do still takes a transaction of its own
    there = {record["name"] for record in connection.read(_NAMES)} if pending else set()
    for migration in pending:
        _apply(connection, migration, there)
    if head is not None and head.restoring is not None and not allow_unfinished_restore:
        raise StoreError("a restore of this store was not finished; run 'auditor store restore' again")


def _apply(connection: Connection, migration: Migration, there: set[str]) -> None:
    missing = [statement for statement in migration.statements if _name_of(statement) not in there]
    for statement in missing:
        # as a managed transaction: two processes that do this at once may have to try again
        try:
            connection.write(partial(_run, statement))
        except StoreError as error:
            if not _is_there_by_now(error):
                raise
    if missing:
        _await_indexes(connection)

    def change(tx: ManagedTransaction) -> None:
        tx.run(_CREATE_STORE, genesis=GENESIS).consume()
        tx.run(_LOCK).consume()
        head = _head_in(tx)
        if head.schema >= migration.number:
            return
        if migration.change is not None:
            migration.change(tx)
        tx.run(_SET_VERSION, version=migration.number).consume()
        # a store that is being made has nothing to tell yet
        if head.entries and head.restoring is None:
            _record(tx, connection, migration.number)

    connection.write(change)


def _name_of(statement: str) -> str | None:
    """Return what a schema command makes, if it says so."""
    found = _MAKES.match(statement)
    return None if found is None else found.group(1)


def _record(tx: ManagedTransaction, connection: Connection, number: int) -> None:
    """Append an entry about a changed schema, in the name of the program: nobody asked for it."""
    from auditor import __version__
    from auditor.store.ledger import Ledger

    Ledger(connection).append(tx, "schema_changed", {"schema": number}, actor=f"disclosure-auditor {__version__}")


def _await_indexes(connection: Connection) -> None:
    """Wait until all indexes answer, those behind the constraints, too.

    It looks again and again: `db.awaitIndexes` would hold a lock on their labels meanwhile, for which another process
    that is making the same constraint would wait, and neither would end.
    """
    end = time.monotonic() + _INDEX_SECONDS
    while (states := {record["state"] for record in connection.read(_INDEX_STATES)}) - {"ONLINE"}:
        if "FAILED" in states or time.monotonic() > end:
            raise StoreError("an index of the store could not be built; look at the log of the database")
        time.sleep(_LOOK_AGAIN)


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
    head = _head_in(tx, _COUNTED_HEAD)
    if head.restoring is not None and not allow_unfinished_restore:
        raise StoreError("a restore of this store is under way or was not finished; wait, or run it again")
    return head


def _head_in(tx: ManagedTransaction, query: str = _HEAD) -> StoreHead:
    head = _find_head(tx, query)
    if head is None:
        raise StoreCorrupt("the store has lost its own node; restore it from a backup")
    return head


def _find_head(tx: ManagedTransaction, query: str = _HEAD) -> StoreHead | None:
    record = tx.run(query).single()
    return StoreHead(**record) if record is not None else None
