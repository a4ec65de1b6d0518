"""The network that a record is about: is it there, and is it still the one that was looked at?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.errors import NotFound, StoreConflict
from auditor.store.names import is_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["check_subject", "check_unchanged"]

# read; for a record under the store's lock
_SUBJECT = "MATCH (n:Network {name: $name}) RETURN n.id AS network"


def check_subject(connection: Connection, name: str) -> None:
    """Raise NotFound unless there is a network of that name."""
    if not is_name(name) or not connection.read(_SUBJECT, name=name):
        raise _missing(name)


def check_unchanged(tx: ManagedTransaction, name: str, network: int | None) -> None:
    """Make sure, in the transaction of a record, that its network is there, and is the one with number `network`.

    Raises
    ------
    NotFound
        If there is none of that name (any more).
    StoreConflict
        If there is another one by now; None accepts any.
    """
    found = tx.run(_SUBJECT, name=name).single()
    if found is None:
        raise _missing(name)
    if network is not None and found["network"] != network:
        raise StoreConflict(f"the network {name!r} was replaced meanwhile; run this again")


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no network {name!r} in the store; see 'auditor network list'")
