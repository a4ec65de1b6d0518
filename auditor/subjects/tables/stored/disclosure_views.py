"""Looks at protected figures of a table: recorded before anything is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from auditor.core.errors import StoreConflict
from auditor.store.ledger import Ledger
from auditor.subjects.tables.stored.rows import TableRow, lock_table

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection


def record_look(
    connection: Connection, ledger: Ledger, row: TableRow, kind: str, payload: Mapping[str, Any], *, actor: str
) -> int:
    """Record that somebody is about to see what follows from a table's counts, and return the entry's position.

    Parameters
    ----------
    connection : Connection
    ledger : Ledger
        Of the same store.
    row : TableRow
        The table as it was read.
    kind : str
        What is looked at, such as ``table_bounds``.
    payload : mapping
        What was asked; population and version are added. Never a count.
    actor : str
        Who looks.

    Raises
    ------
    NotFound
        If there is no table of that name any more.
    StoreConflict
        If it has other data by now.
    """

    def work(tx: ManagedTransaction) -> int:
        locked = lock_table(tx, row.name)
        if locked.data != row.data:
            raise StoreConflict(f"the table {row.name!r} got other data meanwhile; start over")
        known = {"population": locked.population, "version": locked.version}
        return ledger.append(tx, kind, {**payload, **known}, actor=actor, subject=f"table:{row.name}").seq

    return connection.write(work)
