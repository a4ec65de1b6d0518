"""Audits as the store has them."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import Json

import auditor
from auditor.core.changes import Gone
from auditor.core.finding import Finding, RecordedFinding
from auditor.core.subject import AuditSubject


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit that was recorded."""

    id: str
    at: datetime
    subject: str
    """``family:name``, the name at the time."""
    key: str
    """What the audits of its subject belong together by."""
    policy_hash: str
    verdict: str
    trigger: str
    seconds: float
    actor: str
    repeats: bool
    """Whether nothing had changed since the audit before, and nothing was computed."""
    findings: tuple[RecordedFinding, ...]
    gone: Json[tuple[Gone, ...]]
    """Findings of the audit before that are none any more."""


@dataclass(frozen=True, slots=True)
class AuditHead:
    """What the newest audit of a subject said."""

    key: str
    subject: str
    audit: str
    at: datetime
    verdict: str
    policy_hash: str
    state: str
    """Of the subject at that time; never shown."""
    version: str
    """Of the program."""
    open: int
    """Number of violations without a waiver."""
    waived: int

    findings: tuple[RecordedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class NewAudit:
    """An audit that is about to be recorded."""

    subject: AuditSubject
    """As it was looked at."""
    findings: Sequence[Finding]
    """Without labels, attributes and counts."""
    policy_hash: str
    policy_text: str
    """Kept once."""
    trigger: str
    """What made it run, such as ``command``."""
    seconds: float
    """How long it took."""
    actor: str
    repeats: bool = False
    """Whether nothing was computed, because nothing had changed since the audit before."""
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Random; one that is recorded already is returned as it is."""
    version: str = auditor.__version__
    """Of the program."""
