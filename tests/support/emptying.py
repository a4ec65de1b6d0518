"""An emptied store."""

from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema

__all__ = ["emptied", "empty"]

_EMPTY = "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"


def empty(connection: Connection) -> None:
    """Delete all nodes; constraints and indexes stay."""
    connection.execute(_EMPTY)


def emptied(connection: Connection) -> Store:
    """Return a store without anything in it."""
    empty(connection)
    ensure_schema(connection)
    return Store(connection)
