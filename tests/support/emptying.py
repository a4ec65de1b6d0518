"""An emptied store."""

from __future__ import annotations

from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema

__all__ = ["emptied", "empty"]

_EMPTY = "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"


def empty(connection: Connection) -> None:
    """Delete all nodes; constraints and indexes stay."""
    connection.execute(_EMPTY)


def emptied(store: Store) -> Store:
    """Return a store of the same database without anything in it."""
    empty(store.connection)
    ensure_schema(store.connection)
    return Store(store.connection)
