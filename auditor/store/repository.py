"""What every concept of a store is made of: its connection, and the ledger that records its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.store.ledger import Ledger

if TYPE_CHECKING:
    from auditor.store.connection import Connection

__all__ = ["Concept"]


class Concept:
    """One concept of a store: a class with the queries about it.

    Parameters
    ----------
    connection : Connection
        The store.
    ledger : Ledger, optional
        Where changes are recorded; the store's own by default. Its clock tells all times.
    """

    def __init__(self, connection: Connection, ledger: Ledger | None = None) -> None:
        self._connection = connection
        self._ledger = ledger if ledger is not None else Ledger(connection)
