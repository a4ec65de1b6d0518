"""Audits as the store has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.core.changes import Gone
from auditor.core.clock import parse_time
from auditor.core.finding import RecordedFinding

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

FINDING_COLUMNS = "f {.rule, .where, .severity, .figure, .threshold, .message, .fingerprint, .change, .waiver}"
AUDIT_COLUMNS = f"""
OPTIONAL MATCH (a)-[:FOUND]->(f:AuditorFinding)
WITH a, f ORDER BY f.place
RETURN a.id AS id, a.at AS at, a.subject AS subject, a.key AS key, a.policy_hash AS policy_hash, a.verdict AS verdict,
       a.trigger AS trigger, a.seconds AS seconds, a.actor AS actor, a.repeats AS repeats, a.gone AS gone,
       collect({FINDING_COLUMNS}) AS findings
ORDER BY at DESC, id
"""
# read
_FINDINGS = f"""
MATCH (:AuditorAudit {{id: $id}})-[:FOUND]->(f:AuditorFinding) WITH f ORDER BY f.place
RETURN {FINDING_COLUMNS} AS finding
"""


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
    gone: tuple[Gone, ...]
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

    @classmethod
    def of(cls, properties: Mapping[str, Any]) -> AuditHead:
        """Return it from the properties of its node."""
        return cls(**{**properties, "at": parse_time(properties["at"])})


def parse_audit(record: Mapping[str, Any]) -> Audit:
    """Return an audit from the columns :data:`AUDIT_COLUMNS`."""
    findings = parse_findings(record["findings"])
    gone = tuple(Gone(**one) for one in json.loads(record["gone"]))
    return Audit(**{**record, "at": parse_time(record["at"]), "findings": findings, "gone": gone})


def parse_findings(records: Sequence[Mapping[str, Any]]) -> tuple[RecordedFinding, ...]:
    """Return findings from the properties :data:`FINDING_COLUMNS`."""
    return tuple(RecordedFinding(**properties) for properties in records)


def find_findings(tx: ManagedTransaction, audit: str) -> tuple[RecordedFinding, ...]:
    """Return the findings of an audit."""
    return parse_findings([record["finding"] for record in tx.run(_FINDINGS, id=audit)])


def gone_text(gone: Sequence[Gone]) -> str:
    """Return findings that are gone as the store has them."""
    return json.dumps([asdict(one) for one in gone], ensure_ascii=False)
