"""What the store keeps for a while only: messages that arrived, and runs whose audits were made.

Audits, findings, decisions and the ledger are kept for ever. That something was deleted is an entry of the ledger.

A message is of no use once it arrived: its change is in the audit that it told of. Its node keeps it from being written
twice, but only in the transaction of that audit, which is repeated within seconds, if at all.

A run that is done keeps its due time from being done again, should a clock be set back. That clock would have to go
back by as long as runs are kept: `Runs.set_back` moves no schedule further back than to the present. And even then an
audit has an id that follows from run and subject, and one that is recorded is not recorded again. What failed or was
skipped stays: it is what somebody asks for after a year. So does the newest run of each schedule, which lists show.
"""

from dataclasses import dataclass
from datetime import timedelta

from auditor.core.clock import time_text
from auditor.core.transactions import Transaction
from auditor.store.repository import OpenStore, Repository

_BATCH = 10_000
_A_DAY = timedelta(days=1)

_STALE = {
    "messages": "MATCH (x:AuditorMessage {status: 'sent'}) WHERE x.sent_at < $before",
    "ticks": """
MATCH (x:AuditorTick {status: 'done'}) WHERE x.finished_at < $before AND x.due < $before
  AND EXISTS { MATCH (later:AuditorTick {schedule: x.schedule}) WHERE later.due > x.due }
""",
}
# read
_IS_DUE = {kind: f"{which} RETURN x.id AS id LIMIT 1" for kind, which in _STALE.items()}
# write, under the store's lock
_DELETE = {
    kind: f"{which} WITH x LIMIT $limit DETACH DELETE x RETURN count(*) AS deleted" for kind, which in _STALE.items()
}


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was deleted."""

    messages: int
    ticks: int


def prune(store: OpenStore, *, sent_messages: timedelta | None, done_ticks: timedelta | None, actor: str) -> Pruned:
    """Delete what is older than it is kept.

    Parameters
    ----------
    store : OpenStore
        Its ledger's clock tells the time.
    sent_messages, done_ticks : timedelta or None
        How long messages that were sent, and runs that are done, are kept; None for ever.
    actor : str
        In whose name.

    Notes
    -----
    Begins only when something is a day older than that, and then deletes all: one entry of the ledger a day, and not
    one for each message. May be run by any number of processes.
    """
    kept = {"messages": sent_messages, "ticks": done_ticks}
    deleted = dict.fromkeys(kept, 0)
    now = store.ledger.clock()
    for kind, span in kept.items():
        if span is not None and store.connection.read(_IS_DUE[kind], before=time_text(now - span - _A_DAY)):
            deleted[kind] = _delete(store, kind, time_text(now - span), actor)
    return Pruned(**deleted)


def _delete(store: OpenStore, kind: str, before: str, actor: str) -> int:
    def work(tx: Transaction) -> int:
        deleted = int(tx.run(_DELETE[kind], before=before, limit=_BATCH).single(strict=True)["deleted"])
        if deleted:
            payload = {"what": kind, "number": deleted, "before": before}
            store.ledger.append(tx, "pruned", payload, actor=actor)
        return deleted

    total = 0
    while deleted := Repository(store).locked(work):
        total += deleted
    return total
