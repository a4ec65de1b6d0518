"""Disclosure views of a network: recorded before anything is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.store.subjects import check_unchanged

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection
    from auditor.store.ledger import Ledger
    from auditor.subjects.networks.repository import NetworkInfo


def record_degrees_look(connection: Connection, ledger: Ledger, info: NetworkInfo, *, actor: str) -> None:
    """Record that a person is about to see how many vertices of a network have each degree.

    Raises
    ------
    NotFound
        If there is none of that name any more.
    StoreConflict
        If there is another one by now.
    """

    def work(tx: ManagedTransaction) -> None:
        check_unchanged(tx, f"network:{info.name}", info.id)
        ledger.append(tx, "degrees_shown", {"network": info.id}, actor=actor, subject=f"network:{info.name}")

    connection.write(work)
