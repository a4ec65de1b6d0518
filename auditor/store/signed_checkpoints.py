"""That the ledger was signed, and when: the checkpoint itself is kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.store.ledger import Ledger
from auditor.store.schema.head import lock_store

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

# write, under the store's lock; the time is there for whoever watches its age, and is not proven by anything
_SET = "MATCH (s:AuditorStore {key: 1}) SET s.checkpoint_at = $at, s.checkpoint_mark = $mark"
# read, under the store's lock
_LAST = "MATCH (s:AuditorStore {key: 1}) RETURN properties(s)['checkpoint_mark'] AS mark"


def record_checkpoint(
    connection: Connection, ledger: Ledger, *, entries: int, head: str, key: str, at: str, actor: str
) -> None:
    """Record that the ledger was verified and signed.

    Parameters
    ----------
    connection : Connection
    ledger : Ledger
        Of the same store.
    entries : int
        How many there were.
    head : str
        Hash of the last one.
    key : str
        Id of the key.
    at : str
        When it was signed.
    actor : str
        Who signed.
    """
    mark = f"{entries} {key} {at}"

    def work(tx: ManagedTransaction) -> None:
        lock_store(tx)
        if tx.run(_LAST).single(strict=True)["mark"] == mark:
            # this is a retry, and the first try was committed
            return
        tx.run(_SET, at=at, mark=mark).consume()
        ledger.append(tx, "checkpoint", {"entries": entries, "head": head, "key": key}, actor=actor)

    connection.write(work)
