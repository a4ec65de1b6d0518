"""Waivers in the store: who accepts a finding, why and until when."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor.core.clock import time_text
from auditor.core.errors import BadInput, NotFound
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.store.records import columns
from auditor.store.repository import NewEntry, Repository, find_one

_MOST = 2**31 - 1
# read, under the store's lock: the newest audit of the subject is what can be waived
_FINDING = """
MATCH (f:AuditorFinding {fingerprint: $fingerprint})<-[:FOUND]-(a:AuditorAudit)
MATCH (h:AuditorAuditHead {key: a.key, audit: a.id})
RETURN h.key AS key, h.subject AS subject, f.rule AS rule, f.where AS where LIMIT 1
"""
# write
_CREATE = "CREATE (w:AuditorWaiver $values)"
# write
_REVOKE = "MATCH (w:AuditorWaiver {id: $id}) SET w.revoked_at = $at, w.revoked_by = $actor"
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


_COLUMNS = f"RETURN {columns(Waiver, 'w')} AS waiver"
# read
_LIST = f"MATCH (w:AuditorWaiver) {_COLUMNS} ORDER BY w.at DESC, w.id SKIP $skip LIMIT $limit"
# read
_SHOW = f"MATCH (w:AuditorWaiver {{id: $id}}) {_COLUMNS}"


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
        if until <= self._ledger.clock():
            raise BadInput("a waiver must end some time to come; choose a later date")
        id = str(uuid.uuid4())

        def work(tx: Transaction) -> NewEntry | None:
            if find_one(tx, Waiver, _SHOW, id=id) is not None:
                return None
            found = tx.run(_FINDING, fingerprint=fingerprint).single() if is_name(fingerprint) else None
            if found is None:
                raise NotFound(f"no latest audit of a subject has a finding {fingerprint!r}; see 'auditor audit show'")
            values: dict[str, Any] = {
                **dict(found), "id": id, "fingerprint": fingerprint, "actor": actor, "reason": reason,
                "at": self._ledger.now(), "until": time_text(until),
            }  # fmt: skip
            tx.run(_CREATE, values=values).consume()
            payload = {name: values[name] for name in ("fingerprint", "rule", "where", "reason", "until")}
            return NewEntry("waiver", {"waiver": id, **payload}, actor, found["subject"])

        self.change(work)
        return self._all(Waiver, _SHOW, id=id)[0]

    def revoke(self, id: str, *, actor: str) -> None:
        """End a waiver before its time; once is enough.

        Raises
        ------
        NotFound
            If there is none of that id.
        """

        def work(tx: Transaction) -> NewEntry | None:
            known = find_one(tx, Waiver, _SHOW, id=id) if is_name(id) else None
            if known is None:
                raise NotFound(f"there is no waiver {id!r}; see 'auditor audit waivers'")
            if known.revoked_at is not None:
                return None
            tx.run(_REVOKE, id=id, at=self._ledger.now(), actor=actor).consume()
            return NewEntry("waiver_revoked", {"waiver": id}, actor, known.subject)

        self.change(work)

    def in_force(self, key: str) -> dict[str, str]:
        """Return the waivers of a subject that are in force now: their ids, by fingerprint."""
        return self._connection.read_transaction(lambda tx: waivers_in_force(tx, key, self._ledger.now()))

    def list(self, *, limit: int = _MOST, skip: int = 0) -> Sequence[Waiver]:
        """Return waivers, newest first; those that ended, too."""
        return self._all(Waiver, _LIST, limit=limit, skip=skip)


def waivers_in_force(tx: Transaction, key: str, at: str) -> dict[str, str]:
    """Return the waivers of a subject that are in force at a time: their ids, by fingerprint."""
    return {record["fingerprint"]: record["id"] for record in tx.run(_IN_FORCE, key=key, at=at)}
