"""What the database must look like: constraints, the node of the store, and how an older store becomes a newer one.

The node `Store` holds the version of the schema and the head of the ledger. Every transaction that changes what others
can see locks it first (:func:`lock_store`), then the subject: one fixed order, so that two of them never wait for each
other, and a check and what follows from it are one step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.core.errors import StoreCorrupt, StoreError
from auditor.core.kinds import kinds
from auditor.core.transactions import Transaction
from auditor.ledger.chain import GENESIS
from auditor.store.schema.constraints import make_missing
from auditor.store.schema.unprefixed import FIRST_PREFIXED, is_unprefixed, prefix_labels

if TYPE_CHECKING:
    from auditor.store.connection import Connection

_HEAD_VALUES = "s.schema AS schema, s.entries AS entries, s.hash AS hash, s.restoring AS restoring"
# read
_HEAD = f"MATCH (s:AuditorStore {{key: 1}}) RETURN {_HEAD_VALUES}"
# write: setting a property takes the node's lock for the rest of the transaction. What is set must not depend on
# what was there: to read it, a second lock is taken, and who waits is thrown out for a deadlock that is none.
_LOCK = "MATCH (s:AuditorStore {key: 1}) SET s.locked = true"
# write: counts the writes, for those who ask whether anything changed
_COUNTED_HEAD = f"""
MATCH (s:AuditorStore {{key: 1}}) SET s.writes = s.writes + 1
RETURN {_HEAD_VALUES}
"""
# write
_CREATE_STORE = """
MERGE (s:AuditorStore {key: 1})
ON CREATE SET s.schema = 0, s.entries = 0, s.hash = $genesis, s.writes = 0, s.networks = 0
"""
# write
_SET_VERSION = "MATCH (s:AuditorStore {key: 1}) SET s.schema = $version"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before to schema `number`."""

    number: int
    statements: tuple[str, ...]
    """Schema commands; each may be run again without harm, and runs in a transaction of its own."""
    change: Callable[[Transaction], None] | None = None
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
    "CREATE CONSTRAINT auditor_store_key IF NOT EXISTS FOR (s:AuditorStore) REQUIRE s.key IS UNIQUE",
    "CREATE CONSTRAINT auditor_network_name IF NOT EXISTS FOR (n:AuditorNetwork) REQUIRE n.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_network_id IF NOT EXISTS FOR (n:AuditorNetwork) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_loading_name IF NOT EXISTS FOR (n:AuditorLoadingNetwork) REQUIRE n.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_loading_id IF NOT EXISTS FOR (n:AuditorLoadingNetwork) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_removed_id IF NOT EXISTS FOR (n:AuditorRemovedNetwork) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_vertex_key IF NOT EXISTS FOR (v:AuditorVertex) REQUIRE (v.network, v.index) IS UNIQUE",
    "CREATE CONSTRAINT auditor_entry_seq IF NOT EXISTS FOR (e:AuditorEntry) REQUIRE e.seq IS UNIQUE",
    "CREATE CONSTRAINT auditor_policy_hash IF NOT EXISTS FOR (p:AuditorPolicy) REQUIRE p.hash IS UNIQUE",
    "CREATE CONSTRAINT auditor_audit_id IF NOT EXISTS FOR (a:AuditorAudit) REQUIRE a.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_finding_id IF NOT EXISTS FOR (f:AuditorFinding) REQUIRE f.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_export_id IF NOT EXISTS FOR (x:AuditorExport) REQUIRE x.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_part_id IF NOT EXISTS FOR (p:AuditorRelabellingPart) REQUIRE p.id IS UNIQUE",
    "CREATE INDEX auditor_part_export IF NOT EXISTS FOR (p:AuditorRelabellingPart) ON (p.export)",
)

_TABLES = (
    "CREATE CONSTRAINT auditor_table_name IF NOT EXISTS FOR (t:AuditorTable) REQUIRE t.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_removed_table_name IF NOT EXISTS FOR (t:AuditorRemovedTable) REQUIRE t.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_population_id IF NOT EXISTS FOR (p:AuditorTablePopulation) REQUIRE p.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_data_id IF NOT EXISTS FOR (d:AuditorTableData) REQUIRE d.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_data_checksum IF NOT EXISTS FOR (d:AuditorTableData) REQUIRE d.checksum IS UNIQUE",
    "CREATE INDEX auditor_data_population IF NOT EXISTS FOR (d:AuditorTableData) ON (d.population)",
    "CREATE CONSTRAINT auditor_chunk_id IF NOT EXISTS FOR (c:AuditorTableChunk) REQUIRE c.id IS UNIQUE",
    "CREATE INDEX auditor_chunk_owner IF NOT EXISTS FOR (c:AuditorTableChunk) ON (c.owner)",
    "CREATE CONSTRAINT auditor_marginal_id IF NOT EXISTS FOR (m:AuditorMarginal) REQUIRE m.id IS UNIQUE",
    "CREATE INDEX auditor_marginal_data IF NOT EXISTS FOR (m:AuditorMarginal) ON (m.data)",
    "CREATE CONSTRAINT auditor_simulated_id IF NOT EXISTS FOR (s:AuditorSimulatedTable) REQUIRE s.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_release_id IF NOT EXISTS FOR (r:AuditorRelease) REQUIRE r.id IS UNIQUE",
)

_AUDITS = (
    "CREATE CONSTRAINT auditor_head_key IF NOT EXISTS FOR (h:AuditorAuditHead) REQUIRE h.key IS UNIQUE",
    "CREATE CONSTRAINT auditor_waiver_id IF NOT EXISTS FOR (w:AuditorWaiver) REQUIRE w.id IS UNIQUE",
    "CREATE INDEX auditor_audit_key IF NOT EXISTS FOR (a:AuditorAudit) ON (a.key)",
    "CREATE INDEX auditor_audit_at IF NOT EXISTS FOR (a:AuditorAudit) ON (a.at)",
    "CREATE INDEX auditor_finding_fingerprint IF NOT EXISTS FOR (f:AuditorFinding) ON (f.fingerprint)",
    "CREATE INDEX auditor_waiver_key IF NOT EXISTS FOR (w:AuditorWaiver) ON (w.key)",
)

_SCHEDULES = (
    "CREATE CONSTRAINT auditor_schedule_name IF NOT EXISTS FOR (s:AuditorSchedule) REQUIRE s.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_schedule_id IF NOT EXISTS FOR (s:AuditorSchedule) REQUIRE s.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_removed_schedule_id IF NOT EXISTS FOR (s:AuditorRemovedSchedule) REQUIRE s.id IS UNIQUE",
    "CREATE INDEX auditor_removed_schedule_name IF NOT EXISTS FOR (s:AuditorRemovedSchedule) ON (s.name)",
    "CREATE CONSTRAINT auditor_tick_due IF NOT EXISTS FOR (t:AuditorTick) REQUIRE (t.schedule, t.due) IS UNIQUE",
    "CREATE CONSTRAINT auditor_tick_id IF NOT EXISTS FOR (t:AuditorTick) REQUIRE t.id IS UNIQUE",
    "CREATE INDEX auditor_tick_lease IF NOT EXISTS FOR (t:AuditorTick) ON (t.lease_until)",
    "CREATE INDEX auditor_tick_retry IF NOT EXISTS FOR (t:AuditorTick) ON (t.retry_at)",
)

_TOKENS = (
    "CREATE CONSTRAINT auditor_token_id IF NOT EXISTS FOR (t:AuditorAccessToken) REQUIRE t.id IS UNIQUE",
    "CREATE CONSTRAINT auditor_token_digest IF NOT EXISTS FOR (t:AuditorAccessToken) REQUIRE t.digest IS UNIQUE",
)

_MESSAGES = (
    "CREATE CONSTRAINT auditor_message_id IF NOT EXISTS FOR (m:AuditorMessage) REQUIRE m.id IS UNIQUE",
    "CREATE INDEX auditor_message_status IF NOT EXISTS FOR (m:AuditorMessage) ON (m.status)",
    "CREATE INDEX auditor_tick_status IF NOT EXISTS FOR (t:AuditorTick) ON (t.status)",
)
_APPROVALS = (
    "CREATE CONSTRAINT auditor_approval_id IF NOT EXISTS FOR (a:AuditorApproval) REQUIRE a.id IS UNIQUE",
    "CREATE INDEX auditor_approval_state IF NOT EXISTS FOR (a:AuditorApproval) ON (a.state)",
    "CREATE INDEX auditor_approval_about IF NOT EXISTS FOR (a:AuditorApproval) ON (a.about)",
)
_SERVICE = (
    "CREATE CONSTRAINT auditor_session_digest IF NOT EXISTS FOR (s:AuditorSession) REQUIRE s.digest IS UNIQUE",
    "CREATE CONSTRAINT auditor_job_id IF NOT EXISTS FOR (j:AuditorJob) REQUIRE j.id IS UNIQUE",
    "CREATE INDEX auditor_job_state IF NOT EXISTS FOR (j:AuditorJob) ON (j.state)",
    "CREATE CONSTRAINT auditor_kept_answer IF NOT EXISTS FOR (a:AuditorKeptAnswer) REQUIRE a.key IS UNIQUE",
)
_WORKERS = ("CREATE CONSTRAINT auditor_worker_name IF NOT EXISTS FOR (w:AuditorWorker) REQUIRE w.name IS UNIQUE",)
# an older program would back up a store without its microdata: it refuses this schema
_MICRODATA = (
    "CREATE CONSTRAINT auditor_microdata_name IF NOT EXISTS FOR (n:AuditorMicrodata) REQUIRE n.name IS UNIQUE",
    "CREATE CONSTRAINT auditor_microdata_number IF NOT EXISTS FOR (n:AuditorMicrodata) REQUIRE n.number IS UNIQUE",
)
# an older program would back up a store without what was said of its approvals, and not know what was returned
_CONVERSATIONS = (
    "CREATE CONSTRAINT auditor_comment_id IF NOT EXISTS FOR (c:AuditorApprovalComment) REQUIRE c.id IS UNIQUE",
    "CREATE INDEX auditor_comment_approval IF NOT EXISTS FOR (c:AuditorApprovalComment) ON (c.approval)",
    "CREATE INDEX auditor_approval_agreed IF NOT EXISTS FOR (a:AuditorApproval) ON (a.agreed_terms)",
    # a report on a month reads the entries of that month alone
    "CREATE INDEX auditor_entry_at IF NOT EXISTS FOR (e:AuditorEntry) ON (e.at)",
    "CREATE INDEX auditor_token_person IF NOT EXISTS FOR (t:AuditorAccessToken) ON (t.person)",
)
# what ended before anybody could be told is no news any more
_TOLD = "MATCH (t:AuditorTick) WHERE t.status IN ['failed', 'skipped'] AND t.retry_at IS NULL SET t.told = true"


def _tell_nothing_old(tx: Transaction) -> None:
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
    # nothing but the prefix of all labels, which an older store gets first of all: auditor/store/schema/unprefixed.py
    Migration(FIRST_PREFIXED, ()),
    Migration(10, _WORKERS),
    Migration(11, _MICRODATA),
    Migration(12, _CONVERSATIONS),
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
    if head is None and is_unprefixed(connection):
        _take_over(connection, migrations)
        head = connection.read_transaction(_find_head)
    version = head.schema if head is not None else 0
    newest = migrations[-1].number
    if version > newest:
        raise StoreError(
            f"the store has schema {version}, this program knows schemas up to {newest}; install a newer version of it"
        )
    pending = [migration for migration in migrations if migration.number > version]
    statements = [statement for migration in pending for statement in migration.statements]
    statements += [statement for kind in kinds() for statement in kind.contents.schema]
    if statements:
        make_missing(connection, statements)
    if pending:
        _apply(connection, pending)
    if head is not None and head.restoring is not None and not allow_unfinished_restore:
        raise StoreError("a restore of this store was not finished; run 'auditor store restore' again")


def _take_over(connection: Connection, migrations: tuple[Migration, ...]) -> None:
    """Give a store from before the prefix the labels of today; its migrations go on from the schema that it had."""
    prefix_labels(connection, [statement for migration in migrations for statement in migration.statements])


def _apply(connection: Connection, pending: Sequence[Migration]) -> None:
    """Take those steps that are left in one transaction: a new store takes all, and each would cost its own."""

    def change(tx: Transaction) -> None:
        tx.run(_CREATE_STORE, genesis=GENESIS).consume()
        tx.run(_LOCK).consume()
        head = _head_in(tx)
        for migration in pending:
            if head.schema >= migration.number:
                continue
            if migration.change is not None:
                migration.change(tx)
            # a store that is being made has nothing to tell yet
            if head.entries and head.restoring is None:
                _record(tx, connection, migration.number)
        tx.run(_SET_VERSION, version=max(head.schema, pending[-1].number)).consume()

    connection.write(change)


def _record(tx: Transaction, connection: Connection, number: int) -> None:
    """Append an entry about a changed schema, in the name of the program: nobody asked for it."""
    from auditor import __version__
    from auditor.store.ledger import Ledger

    Ledger(connection).append(tx, "schema_changed", {"schema": number}, actor=f"disclosure-auditor {__version__}")


def read_head(connection: Connection) -> StoreHead:
    """Return the node of the store.

    Raises
    ------
    StoreCorrupt
        If there is none.
    """
    return connection.read_transaction(_head_in)


def lock_store(tx: Transaction, *, allow_unfinished_restore: bool = False) -> StoreHead:
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


def _head_in(tx: Transaction, query: str = _HEAD) -> StoreHead:
    head = _find_head(tx, query)
    if head is None:
        raise StoreCorrupt("the store has lost its own node; restore it from a backup")
    return head


def _find_head(tx: Transaction, query: str = _HEAD) -> StoreHead | None:
    record = tx.run(query).single()
    return StoreHead(**record) if record is not None else None
