"""Waivers in the store: who accepts a finding, why and until when."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.core.clock import parse_time, time_text
from auditor.core.errors import BadInput, NotFound
from auditor.core.names import is_name
from auditor.store.repository import Repository
from auditor.store.schema.head import lock_store

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

# read, under the store's lock: the newest audit of the subject is what can be waived
_FINDING = """
MATCH (f:AuditorFinding {fingerprint: $fingerprint})<-[:FOUND]-(a:AuditorAudit)
MATCH (h:AuditorAuditHead {key: a.key, audit: a.id})
RETURN h.key AS key, h.subject AS subject, f.rule AS rule, f.where AS where LIMIT 1
"""
# read, under the store's lock
_IS_RECORDED = "MATCH (w:AuditorWaiver {id: $id}) RETURN w.revoked_at AS revoked_at, w.subject AS subject"
# write
_CREATE = """
CREATE (w:AuditorWaiver {id: $id, key: $key, subject: $subject, fingerprint: $fingerprint, rule: $rule, where: $where,
                  actor: $actor, reason: $reason, at: $at, until: $until})
"""
# write
_REVOKE = "MATCH (w:AuditorWaiver {id: $id}) SET w.revoked_at = $at, w.revoked_by = $actor"
_COLUMNS = """
RETURN w {.id, .key, .subject, .fingerprint, .rule, .where, .actor, .reason, .at, .until, .revoked_at} AS waiver
ORDER BY w.at DESC, w.id
"""
# read
_LIST = f"MATCH (w:AuditorWaiver) {_COLUMNS}"
# read
_SHOW = f"MATCH (w:AuditorWaiver {{id: $id}}) {_COLUMNS}"
# read
_IN_FORCE = """
MATCH (w:AuditorWaiver {key: $key}) WHERE properties(w)['revoked_at'] IS NULL AND w.until > $at
RETURN w.fingerprint AS fingerprint, w.id AS id ORDER BY w.until
"""


@dataclass(frozen=True, slots=True)
class Waiver:
    """Somebody accepts a finding for a while."""

    id: str
    key: str
    subject: str
    fingerprint: str
    rule: str
    where: str
    actor: str
    reason: str
    at: datetime
    until: datetime
    """From then on the finding counts again."""
    revoked_at: datetime | None

    def state(self, now: datetime) -> str:
        """Return ``in force``, ``expired`` or ``revoked``."""
        if self.revoked_at is not None:
            return "revoked"
        return "in force" if self.until > now else "expired"


class Waivers(Repository):
    """The waivers of a store."""

    def add(self, fingerprint: str, *, reason: str, until: datetime, actor: str) -> Waiver:
        """Waive a finding of the newest audit of its subject.

        Raises
        ------
        NotFound
            If no newest audit has such a finding.
        BadInput
            If there is no reason, or the end is not to come.
        """
        if not reason.strip() or not reason.isprintable():
            raise BadInput("a waiver needs a reason for the ledger, on one line")
        if until <= parse_time(self._ledger.now()):
            raise BadInput("a waiver must end some time to come; choose a later date")
        id = str(uuid.uuid4())

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            if tx.run(_IS_RECORDED, id=id).single() is not None:
                return
            found = tx.run(_FINDING, fingerprint=fingerprint).single() if is_name(fingerprint) else None
            if found is None:
                raise NotFound(f"no newest audit has a finding {fingerprint!r}; see 'auditor audit show'")
            values: dict[str, Any] = {
                **dict(found), "id": id, "fingerprint": fingerprint, "actor": actor, "reason": reason,
                "at": self._ledger.now(), "until": time_text(until),
            }  # fmt: skip
            tx.run(_CREATE, values).consume()
            payload = {name: values[name] for name in ("fingerprint", "rule", "where", "reason", "until")}
            self._ledger.append(tx, "waiver", {"waiver": id, **payload}, actor=actor, subject=found["subject"])

        self._connection.write(work)
        (record,) = self._connection.read(_SHOW, id=id)
        return _waiver(record["waiver"])

    def revoke(self, id: str, *, actor: str) -> None:
        """End a waiver before its time; once is enough.

        Raises
        ------
        NotFound
            If there is none of that id.
        """

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            known = tx.run(_IS_RECORDED, id=id).single() if is_name(id) else None
            if known is None:
                raise NotFound(f"there is no waiver {id!r}; see 'auditor audit waivers'")
            if known["revoked_at"] is None:
                tx.run(_REVOKE, id=id, at=self._ledger.now(), actor=actor).consume()
                self._ledger.append(tx, "waiver_revoked", {"waiver": id}, actor=actor, subject=known["subject"])

        self._connection.write(work)

    def in_force(self, key: str) -> dict[str, str]:
        """Return the waivers of a subject that are in force now: their ids, by fingerprint."""
        return self._connection.read_transaction(lambda tx: waivers_in_force(tx, key, self._ledger.now()))

    def list(self) -> Sequence[Waiver]:
        """Return all waivers, newest first; those that ended, too."""
        return [_waiver(record["waiver"]) for record in self._connection.read(_LIST)]


def waivers_in_force(tx: ManagedTransaction, key: str, at: str) -> dict[str, str]:
    """Return the waivers of a subject that are in force at a time: their ids, by fingerprint."""
    return {record["fingerprint"]: record["id"] for record in tx.run(_IN_FORCE, key=key, at=at)}


def _waiver(properties: dict[str, Any]) -> Waiver:
    times = {name: parse_time(properties[name]) for name in ("at", "until")}
    revoked = properties["revoked_at"]
    return Waiver(**{**properties, **times, "revoked_at": None if revoked is None else parse_time(revoked)})
