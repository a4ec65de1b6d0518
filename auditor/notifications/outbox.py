"""The outbox: messages that were written with what they tell of, and wait to be sent.

A message is written in the transaction that makes its change known, so there is neither one without the other. A sender
holds it by a lease; when that one dies, the lease runs out and another sends it, under the same id. So it is sent at
least once, and whoever gets it twice can tell by the id.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from auditor.core.clock import parse_time, time_text
from auditor.core.errors import NotFound
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.notifications.record import Message, MessageStatus, NewMessage
from auditor.store.nodes import NodeRepository, Values
from auditor.store.repository import NewEntry

_MOST = 10_000

# write: once, however often the transaction is tried
_WRITE = """
UNWIND $messages AS message
MERGE (m:AuditorMessage {id: message.id})
ON CREATE SET m += message, m.created_at = $at, m.next_at = $at, m.status = 'waiting', m.attempts = 0
"""
# read: whose turn it is, and whom no living sender has
_DUE = """
MATCH (m:AuditorMessage {status: 'waiting'})
WHERE m.next_at <= $now AND (m.lease_until IS NULL OR m.lease_until <= $now)
RETURN m {.*} AS message ORDER BY m.created_at, m.id LIMIT $limit
"""
# read
_NEXT_DUE = """
MATCH (m:AuditorMessage {status: 'waiting'})
WITH CASE WHEN m.lease_until > m.next_at THEN m.lease_until ELSE m.next_at END AS at
RETURN min(at) AS at
"""
# read: the newest
_LIST = "MATCH (m:AuditorMessage) WITH m ORDER BY m.created_at DESC, m.id LIMIT $limit RETURN m {.*} AS message"
# read
_LIST_OF = """
MATCH (m:AuditorMessage {status: $status}) WITH m ORDER BY m.created_at DESC, m.id LIMIT $limit RETURN m {.*} AS message
"""
# write
_RETRY_DEAD = """
MATCH (m:AuditorMessage {status: 'dead'})
SET m.status = 'waiting', m.attempts = 0, m.next_at = $now, m.retried = $mark
RETURN count(m) AS found
"""
# read: what the first try of a repeated transaction has done
_RETRIED = "MATCH (m:AuditorMessage) WHERE properties(m)['retried'] = $mark RETURN count(m) AS found"

# the claim stays: by it a repeated transaction knows that its first try was committed
_NOBODY: Values = {"lease_until": None}


class Outbox(NodeRepository[Message]):
    """The messages of a store."""

    _label, _record = "AuditorMessage", Message

    def due(self, limit: int = 100) -> list[Message]:
        """Return messages that can be sent now, the oldest first."""
        return self._all(Message, _DUE, now=self._ledger.now(), limit=limit)

    def next_due(self) -> datetime | None:
        """Return when the next message can be sent, unless its lease is taken; None if none waits."""
        (record,) = self._connection.read(_NEXT_DUE)
        return None if record["at"] is None else parse_time(record["at"])

    def claim(self, id: str, *, worker: str, lease: timedelta, most: int) -> Message | None:
        """Take a message that is due, to send it; None if somebody else was faster.

        One that was taken `most` times already, by senders that died over it, is given up: it comes back dead.
        """
        claim = secrets.token_hex(16)

        def taken(found: Message | None) -> Values | None:
            if found is not None and found.claim == claim:
                return {}
            now = self._ledger.clock()
            if found is None or found.status != "waiting" or max(found.next_at, found.lease_until or now) > now:
                return None
            if found.attempts >= most:
                return {"status": "dead", "last_error": "the sending process ended", **_NOBODY}
            until = time_text(now + lease)
            return {"attempts": found.attempts + 1, "claim": claim, "worker": worker, "lease_until": until}

        return self._change(id, taken)

    def sent(self, message: Message) -> None:
        """Note that a message arrived; also by a sender that has lost it meanwhile."""
        values = {"status": "sent", "sent_at": self._ledger.now(), "last_error": None, **_NOBODY}
        self._change(message.id, lambda found: None if found is None or found.status == "sent" else values)

    def failed(self, message: Message, reason: str, next_at: datetime | None) -> None:
        """Note why a message did not arrive, and when it is sent again: None for never. Nothing if it was lost.

        Parameters
        ----------
        message : Message
            As it was claimed.
        reason : str
            Without protected values, addresses and secrets.
        next_at : datetime or None
        """
        values: Values = {"last_error": reason, **_NOBODY}
        values |= {"status": "dead"} if next_at is None else {"next_at": time_text(next_at)}

        def is_held(found: Message | None) -> bool:
            return found is not None and found.claim == message.claim and found.lease_until is not None

        self._change(message.id, lambda found: values if is_held(found) else None)

    def list(self, status: MessageStatus | None = None, *, limit: int = _MOST) -> Sequence[Message]:
        """Return messages, newest first: all, or those of a status."""
        return self._all(Message, _LIST if status is None else _LIST_OF, status=status, limit=limit)

    def show(self, id: str) -> Message:
        """Return a message.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        found = self._find(id) if is_name(id) else None
        if found is None:
            raise NotFound(f"there is no message {id!r}; see 'auditor notify list'")
        return found

    def retry(self, id: str, *, actor: str) -> Message:
        """Let a message that is dead or waits be sent now, with as many attempts as a new one; one that was sent stays.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        self.show(id)
        mark = secrets.token_hex(16)

        def work(tx: Transaction) -> NewEntry | None:
            found = self._locked(tx, id)
            if found is None or found.status == "sent" or tx.run(_RETRIED, mark=mark).single(strict=True)["found"]:
                return None
            values = {"status": "waiting", "attempts": 0, "next_at": self._ledger.now(), "retried": mark}
            self._set(tx, id, values)
            payload = {"message": id, "channel": found.channel, "event": found.event}
            return NewEntry("message_retried", payload, actor, found.subject)

        self.change(work)
        return self.show(id)

    def retry_dead(self, *, actor: str) -> int:
        """Let all dead messages be sent now, and return how many there were."""
        mark = secrets.token_hex(16)

        def work(tx: Transaction) -> int:
            known = int(tx.run(_RETRIED, mark=mark).single(strict=True)["found"])
            if known:
                return known
            number = int(tx.run(_RETRY_DEAD, now=self._ledger.now(), mark=mark).single(strict=True)["found"])
            if number:
                self._ledger.append(tx, "messages_retried", {"messages": number}, actor=actor)
            return number

        return self.locked(work)


def write_messages(tx: Transaction, messages: Iterable[NewMessage], at: str) -> None:
    """Put messages into the outbox, in the transaction of what they tell of; one that is there already stays as it is.

    Parameters
    ----------
    tx : Transaction
    messages : iterable of NewMessage
    at : str
        The time, as the ledger has it.
    """
    rows = [asdict(message) for message in messages]
    if rows:
        tx.run(_WRITE, messages=rows, at=at).consume()
