"""Audits in the store: policy, verdict and findings, in one transaction with their entry in the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from auditor.audits.notified import tell_audit
from auditor.audits.record import (
    AUDIT_COLUMNS,
    FINDING_COLUMNS,
    Audit,
    AuditHead,
    gone_text,
    parse_audit,
    parse_findings,
)
from auditor.audits.subjects import check_same, tie_audit
from auditor.audits.waivers import waivers_in_force
from auditor.core.changes import compare_findings
from auditor.core.clock import parse_time
from auditor.core.errors import NotFound
from auditor.core.finding import Finding, RecordedFinding, verdict_of
from auditor.core.hooks import TransactionHook
from auditor.core.names import is_name
from auditor.core.subject import AuditSubject
from auditor.notifications.record import Telling
from auditor.store.policies import KEEP_POLICY
from auditor.store.repository import Repository
from auditor.store.schema.head import lock_store

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

_MOST = 10_000

# what an audit has in common with the values of its queries
_SHARED = ("id", "subject", "key", "policy_hash", "trigger", "seconds", "actor", "repeats")

# write
_RECORD = (
    KEEP_POLICY
    + """
CREATE (a:AuditorAudit {id: $id, at: $at, subject: $subject, key: $key, policy_hash: $policy_hash, verdict: $verdict,
                 trigger: $trigger, seconds: $seconds, actor: $actor, repeats: $repeats, gone: $gone})
CREATE (a)-[:UNDER]->(p)
WITH a
UNWIND range(0, size($findings) - 1) AS place
CREATE (f:AuditorFinding {id: $id + '/' + toString(place), place: place})
SET f += $findings[place]
CREATE (a)-[:FOUND]->(f)
"""
)
# write: what the next audit and every list begin with
_HEAD = """
MERGE (h:AuditorAuditHead {key: $key})
SET h.audit = $id, h.at = $at, h.subject = $subject, h.verdict = $verdict, h.policy_hash = $policy_hash,
    h.state = $state, h.version = $version, h.open = $open, h.waived = $waived,
    h.trend = coalesce(h.trend, [])[-19..] + [$open]
"""
_HEAD_COLUMNS = "h {.key, .subject, .audit, .at, .verdict, .policy_hash, .state, .version, .open, .waived} AS head"
# read
_HEADS = f"MATCH (h:AuditorAuditHead) RETURN {_HEAD_COLUMNS} ORDER BY h.subject"
# read: with the findings of that audit
_NEWEST = f"""
MATCH (h:AuditorAuditHead {{key: $key}})
OPTIONAL MATCH (:AuditorAudit {{id: h.audit}})-[:FOUND]->(f:AuditorFinding)
WITH h, f ORDER BY f.place
RETURN {_HEAD_COLUMNS}, collect({FINDING_COLUMNS}) AS findings
"""
# read: the newest
_LIST = f"MATCH (a:AuditorAudit) WITH a ORDER BY a.at DESC, a.id SKIP $skip LIMIT $limit {AUDIT_COLUMNS}"
# read
_LIST_OF = (
    f"MATCH (a:AuditorAudit {{key: $key}}) WITH a ORDER BY a.at DESC, a.id SKIP $skip LIMIT $limit {AUDIT_COLUMNS}"
)
# read
_SHOW = f"MATCH (a:AuditorAudit {{id: $id}}) {AUDIT_COLUMNS}"


class Audits(Repository):
    """The audits of a store."""

    def record(
        self,
        subject: AuditSubject,
        findings: Sequence[Finding],
        *,
        policy_hash: str,
        policy_text: str,
        trigger: str,
        seconds: float,
        actor: str,
        version: str,
        id: str | None = None,
        repeats: bool = False,
        labels_shown: Collection[str] | None = None,
        finish: TransactionHook | None = None,
        telling: Telling | None = None,
    ) -> Audit:
        """Record an audit with its policy, its findings and its entry in the ledger.

        Parameters
        ----------
        subject : AuditSubject
            As it was looked at.
        findings : sequence of Finding
            Without labels, attributes and counts.
        policy_hash, policy_text : str
            The policy; its text is kept once.
        trigger : str
            What made it run, such as ``command``.
        seconds : float
            How long it took.
        actor : str
            Who ran it.
        version : str
            Of the program.
        id : str, optional
            Of the audit; random by default. One that is recorded already is returned as it is.
        repeats : bool, optional
            Whether nothing was computed, because nothing had changed since the audit before.
        labels_shown : collection of str, optional
            Set when the actor asked to see vertices: under which knowledge. A ledger entry of its own.
        finish : callable, optional
            What else happens in this transaction; if it raises, nothing is recorded.
        telling : Telling, optional
            What is told to whom; its messages are written in this transaction.

        Raises
        ------
        NotFound
            If the subject is gone.
        StoreConflict
            If it is another one by now, or something of it went out meanwhile: audit it again.
        """
        id = id or str(uuid.uuid4())
        values = {
            "id": id,
            "at": self._ledger.now(),
            "subject": subject.shown,
            "key": subject.key,
            "state": subject.state,
            "policy_hash": policy_hash,
            "policy_text": policy_text,
            "trigger": trigger,
            "seconds": float(seconds),
            "actor": actor,
            "repeats": repeats,
            "version": version,
        }

        def work(tx: ManagedTransaction) -> Audit:
            lock_store(tx)
            recorded = tx.run(_SHOW, id=id).single()
            if recorded is not None:
                # this is a retry, and the first try was committed
                return parse_audit(recorded)
            check_same(tx, subject)
            audit = self._write(tx, subject, findings, values, telling)
            if labels_shown is not None:
                # how many they are is a figure of the data
                look = {"audit": id, "knowledge": sorted(labels_shown)}
                self._ledger.append(tx, "labels_shown", look, actor=actor, subject=subject.shown)
            if finish is not None:
                finish(tx)
            return audit

        return self._connection.write(work)

    def _write(
        self,
        tx: ManagedTransaction,
        subject: AuditSubject,
        findings: Sequence[Finding],
        values: dict[str, Any],
        telling: Telling | None,
    ) -> Audit:
        newest = tx.run(_NEWEST, key=subject.key).single()
        before = () if newest is None else parse_findings(newest["findings"])
        waivers = waivers_in_force(tx, subject.key, values["at"])
        found, gone = compare_findings(subject.key, findings, before, waivers)
        verdict = verdict_of(found)
        violated = [finding for finding in found if finding.severity == "violation"]
        tx.run(
            _RECORD, values, verdict=verdict, findings=[asdict(finding) for finding in found], gone=gone_text(gone)
        ).consume()
        tie_audit(tx, values["id"], subject)
        numbers = {
            "open": sum(finding.waiver is None for finding in violated),
            "waived": sum(finding.waiver is not None for finding in violated),
        }
        tx.run(_HEAD, {**values, **numbers}, verdict=verdict).consume()
        if telling is not None:
            about = {"audit": values["id"], "at": values["at"], "subject": subject.shown, "key": subject.key}
            tell_audit(tx, telling, **about, findings=findings, waivers=waivers)
        payload = {
            "audit": values["id"],
            "policy": values["policy_hash"],
            "verdict": verdict,
            "trigger": values["trigger"],
            "violated": sorted({finding.rule for finding in violated}),
            "waived": sorted({finding.waiver for finding in found if finding.waiver is not None}),
            "repeats": values["repeats"],
        }
        self._ledger.append(tx, "audit", payload, actor=values["actor"], subject=subject.shown)
        shared = {name: values[name] for name in _SHARED}
        return Audit(**shared, at=parse_time(values["at"]), verdict=verdict, findings=found, gone=gone)

    def list(self, key: str | None = None, *, limit: int = _MOST, skip: int = 0) -> Sequence[Audit]:
        """Return audits, newest first: all, or those of a subject by its key.

        Parameters
        ----------
        key : str, optional
            See :class:`~auditor.core.subject.AuditSubject`.
        limit, skip : int, optional
            How many, and how many to pass over.
        """
        query, values = (_LIST, {}) if key is None else (_LIST_OF, {"key": key})
        return [parse_audit(record) for record in self._connection.read(query, **values, limit=limit, skip=skip)]

    def show(self, id: str) -> Audit:
        """Return an audit.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        audit = self.find(id) if is_name(id) else None
        if audit is None:
            raise NotFound(f"there is no audit {id!r}; see 'auditor audit list'")
        return audit

    def find(self, id: str) -> Audit | None:
        """Return an audit, None if there is none of that id."""
        records = self._connection.read(_SHOW, id=id)
        return parse_audit(records[0]) if records else None

    def heads(self) -> Sequence[AuditHead]:
        """Return what the newest audit of every subject said, by subject."""
        return [AuditHead.of(record["head"]) for record in self._connection.read(_HEADS)]

    def newest(self, key: str) -> tuple[AuditHead, tuple[RecordedFinding, ...]] | None:
        """Return what the newest audit of a subject said, with its findings; None if there is none."""
        records = self._connection.read(_NEWEST, key=key)
        if not records:
            return None
        return AuditHead.of(records[0]["head"]), parse_findings(records[0]["findings"])
