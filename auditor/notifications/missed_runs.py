"""Ticks that were given up or skipped, and of which nobody has been told yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.core.recorded_runs import Run
from auditor.core.transactions import Transaction
from auditor.notifications.outbox import write_messages
from auditor.notifications.record import NewMessage
from auditor.store.connection import Connection
from auditor.store.records import decode
from auditor.store.repository import OpenStore, Repository

_AT_ONCE = 1_000

# read: one that is tried again is no news yet
_UNTOLD = """
MATCH (t:AuditorTick) WHERE t.status IN ['failed', 'skipped']
WITH t WHERE t.retry_at IS NULL AND properties(t)['told'] IS NULL
MATCH (t)-[:OF]->(s:AuditorSchedule)-[:UNDER]->(p:AuditorPolicy)
RETURN {run: t {.*}, schedule: s.name, subjects: s.subjects, policy_text: p.text} AS missed
ORDER BY t.due, t.id LIMIT $limit
"""
# read
_VERDICTS = "UNWIND $ids AS id MATCH (a:AuditorAudit {id: id}) RETURN a.id AS id, a.verdict AS verdict"
# write, under the store's lock
_TELL = (
    "MATCH (t:AuditorTick {id: $id}) WHERE properties(t)['told'] IS NULL SET t.told = true RETURN count(t) AS untold"
)


@dataclass(frozen=True, slots=True)
class MissedRun:
    """A tick that was given up or skipped, with what one needs to tell of it."""

    run: Run
    schedule: str
    """Name of the schedule."""
    subjects: tuple[str, ...]
    policy_text: str


def missed_runs(connection: Connection) -> list[MissedRun]:
    """Return the ticks of which nobody has been told yet, the oldest first."""
    return [decode(MissedRun, record["missed"]) for record in connection.read(_UNTOLD, limit=_AT_ONCE)]


def recorded_verdicts(connection: Connection, audits: Sequence[str]) -> dict[str, str]:
    """Return the verdicts of those audits of these ids (:meth:`Run.audit_id`) that were recorded."""
    return {str(found["id"]): str(found["verdict"]) for found in connection.read(_VERDICTS, ids=[*audits])}


def mark_notified(store: OpenStore, run: Run, messages: Sequence[NewMessage]) -> None:
    """Write the messages about a run, and that it was told, in one transaction; nothing if another worker did."""

    def work(tx: Transaction) -> None:
        if tx.run(_TELL, id=run.id).single(strict=True)["untold"]:
            write_messages(tx, messages, store.ledger.now())

    Repository(store).locked(work)
