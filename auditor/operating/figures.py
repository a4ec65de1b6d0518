"""How a store is doing: counts over heads and states, in one small transaction, however many audits there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from auditor.store.connection import Connection
from auditor.store.records import decode

# read: every count is one of an index, or of few nodes
_FIGURES = """
MATCH (s:AuditorStore {key: 1})
CALL () { MATCH (m:AuditorMessage {status: 'waiting'}) RETURN count(m) AS waiting, min(m.created_at) AS oldest }
CALL () {
  MATCH (t:AuditorTick {status: 'failed'})
  RETURN count(t) - count(t.retry_at) AS given_up, count(t.retry_at) AS retried
}
RETURN {
  schema: s.schema, entries: s.entries, checkpoint_at: properties(s)['checkpoint_at'],
  messages: {waiting: waiting, dead: COUNT { (:AuditorMessage {status: 'dead'}) }},
  oldest_message_at: oldest,
  ticks: {claimed: COUNT { (:AuditorTick {status: 'claimed'}) }, retried: retried, failed: given_up},
  approvals: COUNT { (:AuditorApproval {state: 'pending'}) },
  jobs: {waiting: COUNT { (:AuditorJob {state: 'waiting'}) }, running: COUNT { (:AuditorJob {state: 'running'}) }}
} AS figures
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
    return decode(Figures, record["figures"])
