"""Disclosure views of a network: recorded before anything is shown."""

from auditor.core.transactions import Transaction
from auditor.store.connection import Connection
from auditor.store.ledger import Ledger
from auditor.store.subjects import check_unchanged
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

    def work(tx: Transaction) -> None:
        check_unchanged(tx, f"network:{info.name}", info.id)
        ledger.append(tx, "degrees_shown", {"network": info.id}, actor=actor, subject=f"network:{info.name}")

    connection.write(work)
