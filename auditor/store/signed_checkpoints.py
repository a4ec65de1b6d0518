"""That the ledger was signed, and when: the checkpoint itself is kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.store.repository import NewEntry, Repository

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.ledger.checkpoint import Checkpoint
    from auditor.store.repository import OpenStore

# write, under the store's lock; the time is there for whoever watches its age, and is not proven by anything
_SET = "MATCH (s:AuditorStore {key: 1}) SET s.checkpoint_at = $at, s.checkpoint_mark = $mark"
# read, under the store's lock
_LAST = "MATCH (s:AuditorStore {key: 1}) RETURN properties(s)['checkpoint_mark'] AS mark"


def record_checkpoint(store: OpenStore, signed: Checkpoint, *, actor: str) -> None:
    """Record that the ledger was verified and signed."""
    payload = {"entries": signed.entries, "head": signed.head, "key": signed.key}
    mark = f"{signed.entries} {signed.key} {signed.at}"

    def work(tx: ManagedTransaction) -> NewEntry | None:
        if tx.run(_LAST).single(strict=True)["mark"] == mark:
            return None
        tx.run(_SET, at=signed.at, mark=mark).consume()
        return NewEntry("checkpoint", payload, actor)

    Repository(store).change(work)
