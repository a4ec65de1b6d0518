"""Disclosure views of a table: recorded before anything is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from auditor.core.errors import StoreConflict
from auditor.subjects.tables.stored.rows import TableRow, lock_table

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store import Store


def record_look(store: Store, row: TableRow, kind: str, payload: Mapping[str, Any], *, actor: str) -> int:
    """Record that what follows from a table's counts is about to be shown, and return the entry's position.

    Parameters
    ----------
    store : Store
    row : TableRow
        The table as it was read.
    kind : str
        What is viewed, such as ``table_bounds``.
    payload : mapping
        What was requested; population and version are added. Never a count.
    actor : str
        Who sees it.

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
        return store.ledger.append(tx, kind, {**payload, **known}, actor=actor, subject=f"table:{row.name}").seq

    return store.connection.write(work)
