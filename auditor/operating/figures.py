"""How a store is doing: counts over heads and states, in one small transaction, however many audits there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from auditor.core.clock import parse_time
from auditor.store.connection import Connection

# read: every count is one of an index, or of few nodes
_FIGURES = """
MATCH (s:AuditorStore {key: 1})
CALL () { MATCH (m:AuditorMessage {status: 'waiting'}) RETURN count(m) AS waiting, min(m.created_at) AS oldest }
CALL () {
  MATCH (t:AuditorTick {status: 'failed'})
  RETURN count(t) - count(t.retry_at) AS given_up, count(t.retry_at) AS retried
}
RETURN s.schema AS schema, s.entries AS entries, properties(s)['checkpoint_at'] AS checkpoint_at,
       waiting, oldest, given_up, retried,
       COUNT { (:AuditorMessage {status: 'dead'}) } AS dead,
       COUNT { (:AuditorTick {status: 'claimed'}) } AS claimed,
       COUNT { (:AuditorApproval {state: 'pending'}) } AS approvals,
       COUNT { (:AuditorJob {state: 'waiting'}) } AS jobs_waiting,
       COUNT { (:AuditorJob {state: 'running'}) } AS jobs_running
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """What an operator watches; nothing in it is about data."""

    schema: int
    entries: int
    """Of the ledger."""
    checkpoint_at: datetime | None
    """When the ledger was last signed, as far as the store was told."""
    messages: Mapping[str, int]
    """By status: ``waiting`` and ``dead``."""
    oldest_message_at: datetime | None
    """Of those that wait."""
    ticks: Mapping[str, int]
    """By what became of them: ``claimed``, ``retried`` later, ``failed`` for good."""
    approvals: int
    """That are pending."""
    jobs: Mapping[str, int]
    """By state: ``waiting`` and ``running``."""


def read_figures(connection: Connection) -> Figures:
    """Return how a store is doing."""
    (record,) = connection.read(_FIGURES)
    times = {name: None if record[name] is None else parse_time(record[name]) for name in ("checkpoint_at", "oldest")}
    return Figures(
        record["schema"],
        record["entries"],
        times["checkpoint_at"],
        {"waiting": record["waiting"], "dead": record["dead"]},
        times["oldest"],
        {"claimed": record["claimed"], "retried": record["retried"], "failed": record["given_up"]},
        record["approvals"],
        {"waiting": record["jobs_waiting"], "running": record["jobs_running"]},
    )
