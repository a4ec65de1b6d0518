"""Messages as the store keeps them, and what decides which are written with an audit."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from auditor.core.finding import RecordedFinding
from auditor.ledger.chain import canonical_json

MessageStatus = Literal["waiting", "sent", "dead"]
"""``dead``: given up; it waits for a person who has it sent again."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What is to be told to one channel."""

    id: str
    """By :func:`message_id`."""
    channel: str
    """Name of a channel of the policy."""
    kind: str
    """``webhook``, ``email`` or ``file``."""
    event: str
    subject: str
    """What it is about, such as ``network:friends``."""
    body: str
    """Canonical JSON, without protected values; what is sent, to the byte."""
    policy: str
    """Digest of the policy that has the channel."""


@dataclass(frozen=True, slots=True)
class Message(NewMessage):
    """A message of the outbox."""

    created_at: datetime
    status: MessageStatus
    attempts: int
    next_at: datetime
    """Not sent before this."""
    worker: str | None
    """Who tried to send it last."""
    claim: str | None
    """Random; tells the one who has it from all who had it before."""
    lease_until: datetime | None
    sent_at: datetime | None
    last_error: str | None
    """Without protected values, addresses and secrets."""


@dataclass(frozen=True, slots=True)
class AuditNews:
    """An audit as one channel sees it."""

    audit: str
    at: str
    subject: str
    findings: tuple[RecordedFinding, ...]
    """Each with its change since `before`."""
    before: tuple[RecordedFinding, ...]
    """Of the last audit of the subject that this channel was told about; empty for the first one."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What is to be told of an audit, and to whom."""

    channels: tuple[str, ...]
    messages: Callable[[str, AuditNews], Sequence[NewMessage]]
    """Given a channel's name, what it is to be told."""


def message_id(channel: str, about: str, fingerprint: str, event: str) -> str:
    """Return the id of a message: the same one however often it is written and sent.

    Parameters
    ----------
    channel : str
    about : str
        Id of the audit or tick.
    fingerprint : str
        Of the finding; empty where there is none.
    event : str

    Examples
    --------
    >>> message_id("office", "a1", "4733b3748e92ae0d", "finding-new")
    'msg_c8bcbc7eb84a6c17557b8789d6153cfc'
    """
    text = canonical_json([channel, about, fingerprint, event])
    return f"msg_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
