"""Stores up to schema 8: their labels had no prefix, so that a user's own `(:Network)` could be taken for ours.

Such a store is taken over before its migrations: its nodes get the labels of today, its constraints go, and its head
comes last. Until then the head says schema 9, so that an earlier version of the program refuses the store; a process
that dies on the way leaves the rest to the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from auditor.core.transactions import Transaction
from auditor.store.schema.constraints import make_missing
from auditor.store.schema.contents import label_of

if TYPE_CHECKING:
    from auditor.store.connection import Connection

FIRST_PREFIXED = 9
"""The first schema whose labels have the prefix."""

_MARKS = {
    "Network": "checksum",
    "Entry": "previous",
    "Policy": "hash",
    "Audit": "policy_hash",
    "Finding": "fingerprint",
    "AuditHead": "key",
    "Waiver": "id",
    "AccessToken": "digest",
    "Export": "claim",
    "RelabellingPart": "id",
    "TablePopulation": "id",
    "TableData": "id",
    "TableChunk": "id",
    "Table": "created_at",
    "RemovedTable": "removed_at",
    "Marginal": "id",
    "SimulatedTable": "id",
    "Release": "policy_hash",
    "Approval": "asked_by",
    "Schedule": "settled_until",
    "RemovedSchedule": "id",
    "Tick": "due",
    "Message": "channel",
    "Vertex": "network",
    "LoadingNetwork": "id",
    "RemovedNetwork": "id",
    "Session": "digest",
    "Job": "id",
    "KeptAnswer": "key",
}
"""Kinds of nodes as of schema 8, each with a property that all of its nodes had: what has none is the user's own."""

_BATCH = 20_000

_OLD_HEAD = "MATCH (s:Store {key: 1}) WHERE s.schema >= 1 AND s.entries >= 0 AND s.hash IS NOT NULL"

# read
_IS_UNPREFIXED = f"{_OLD_HEAD} AND COUNT {{ (:AuditorStore) }} = 0 RETURN count(s) AS found"
# write: earlier versions of the program refuse it from here on
_MARK_HEAD = f"""
{_OLD_HEAD} SET s.taken_over_from = coalesce(s.taken_over_from, s.schema), s.schema = $schema
"""
# write: labels and properties are from the list above
_PREFIX = """
MATCH (n:{kind}) WHERE n.{mark} IS NOT NULL WITH n LIMIT $limit
SET n:{label} REMOVE n:{kind}
RETURN count(*) AS changed
"""
# write
_PREFIX_HEAD = f"{_OLD_HEAD} SET s:AuditorStore, s.schema = s.taken_over_from REMOVE s:Store, s.taken_over_from"
# read
_CONSTRAINTS = "SHOW CONSTRAINTS YIELD name RETURN collect(name) AS names"
# read
_INDEXES = "SHOW INDEXES YIELD name RETURN collect(name) AS names"

# of the names of today's constraints and indexes
_NAME_PREFIX = "auditor_"


def is_unprefixed(connection: Connection) -> bool:
    """Whether the database holds a store whose labels have no prefix."""
    return bool(connection.read(_IS_UNPREFIXED)[0]["found"])


def prefix_labels(connection: Connection, statements: Sequence[str]) -> None:
    """Give the nodes of a store from before schema 9 the labels of today; its schema stays what it was.

    Parameters
    ----------
    connection : Connection
        An open connection to a store for which :func:`is_unprefixed` holds.
    statements : sequence of str
        The commands that make today's constraints and indexes.

    Notes
    -----
    Nodes are changed some thousands a transaction, then, under the lock of the head, those that were written meanwhile,
    and the head with them. Each step may be done again, also by two processes at once.
    """
    connection.write(partial(_run, _MARK_HEAD, schema=FIRST_PREFIXED))
    make_missing(connection, statements)
    for kind in _MARKS:
        while connection.write(partial(_prefix, kind)) == _BATCH:
            pass
    _drop_old_constraints(connection)

    def finish(tx: Transaction) -> None:
        # takes the lock of the head; another process may have finished meanwhile
        tx.run(_MARK_HEAD, schema=FIRST_PREFIXED).consume()
        for kind in _MARKS:
            while _prefix(kind, tx) == _BATCH:
                pass
        tx.run(_PREFIX_HEAD).consume()

    connection.write(finish)


def _prefix(kind: str, tx: Transaction) -> int:
    query = _PREFIX.format(kind=kind, mark=_MARKS[kind], label=label_of(kind))
    return int(tx.run(query, limit=_BATCH).single(strict=True)["changed"])


def _drop_old_constraints(connection: Connection) -> None:
    """Drop those that had today's names without their prefix, and indexes likewise."""
    for query, what in ((_CONSTRAINTS, "CONSTRAINT"), (_INDEXES, "INDEX")):
        (record,) = connection.read(query)
        names = set(record["names"])
        for name in sorted(names):
            if f"{_NAME_PREFIX}{name}" in names:
                connection.write(partial(_run, f"DROP {what} {name} IF EXISTS"))


def _run(statement: str, tx: Transaction, **parameters: int) -> None:
    tx.run(statement, parameters).consume()
