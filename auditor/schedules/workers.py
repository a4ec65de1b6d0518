"""Signs of life of the processes that make audits at set times, so that others see when there is none.

They are figures for operators: no entry of the ledger, no part of a backup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from auditor.core.clock import time_text
from auditor.store.repository import Repository

SILENCE = timedelta(minutes=1)
"""After so long without a sign a worker that goes on running counts as late."""
_FORGOTTEN = timedelta(days=2)

# write: what was silent for days goes with whoever comes next
_BEAT = """
OPTIONAL MATCH (old:AuditorWorker) WHERE old.beat_at < $oldest
DETACH DELETE old
WITH count(*) AS ended
MERGE (w:AuditorWorker {name: $name})
SET w.beat_at = $at, w.next_by = $next_by
"""
# write
_LEAVE = "MATCH (w:AuditorWorker {name: $name}) DETACH DELETE w"
# read
_LIST = "MATCH (w:AuditorWorker) RETURN w {.*, at: w.beat_at} AS worker ORDER BY w.name"


@dataclass(frozen=True, slots=True)
class WorkerSign:
    """The last sign of life of a worker."""

    name: str
    at: datetime
    next_by: datetime
    """When the next one should have come."""

    def state(self, now: datetime) -> Literal["working", "late"]:
        """Return whether the next sign is overdue."""
        return "working" if now <= self.next_by else "late"


class Workers(Repository):
    """The workers of a store."""

    def beat(self, name: str, *, within: timedelta = SILENCE) -> None:
        """Give a sign of life.

        Parameters
        ----------
        name : str
            Of the worker.
        within : timedelta, optional
            When the next one is to come.
        """
        now = self._ledger.clock()
        values = {
            "name": name,
            "at": time_text(now),
            "next_by": time_text(now + within),
            "oldest": time_text(now - _FORGOTTEN),
        }
        self._connection.write(lambda tx: tx.run(_BEAT, values).consume())

    def leave(self, name: str) -> None:
        """Note that a worker was told to end: nobody waits for its next sign."""
        self._connection.write(lambda tx: tx.run(_LEAVE, name=name).consume())

    def list(self) -> Sequence[WorkerSign]:
        """Return the workers, by name."""
        return self._all(WorkerSign, _LIST)
