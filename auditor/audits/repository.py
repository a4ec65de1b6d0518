"""Audits in the store: policy, verdict and findings, in one transaction with their entry in the ledger."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict

from auditor.audits.notified import tell_audit
from auditor.audits.record import Audit, AuditHead, NewAudit
from auditor.audits.subjects import check_same, tie_audit
from auditor.audits.waivers import waivers_in_force
from auditor.core.changes import compare_findings
from auditor.core.clock import parse_time
from auditor.core.errors import NotFound
from auditor.core.finding import RecordedFinding, verdict_of
from auditor.core.names import is_name
from auditor.core.transactions import Transaction, TransactionHook
from auditor.notifications.record import Telling
from auditor.store.policies import KEEP_POLICY
from auditor.store.records import columns, encode
from auditor.store.repository import Repository, find_one

_MOST = 10_000
_COLUMNS = f"""
OPTIONAL MATCH (a)-[:FOUND]->(f:AuditorFinding)
WITH a, f ORDER BY f.place
WITH a, collect({columns(RecordedFinding, "f")}) AS findings
RETURN {columns(Audit, "a", findings="findings")} AS audit
ORDER BY a.at DESC, a.id
"""

# write
_RECORD = (
    KEEP_POLICY
    + """
CREATE (a:AuditorAudit $values)-[:UNDER]->(p)
WITH a
UNWIND range(0, size($findings) - 1) AS place
CREATE (f:AuditorFinding {id: a.id + '/' + toString(place), place: place})
SET f += $findings[place]
CREATE (a)-[:FOUND]->(f)
"""
)
# write: what the next audit and every list begin with
_SET_HEAD = """
MERGE (h:AuditorAuditHead {key: $key})
SET h += $head, h.trend = coalesce(h.trend, [])[-19..] + [$head.open]
"""
# read
_HEADS = f"MATCH (h:AuditorAuditHead) RETURN {columns(AuditHead, 'h', findings='[]')} AS head ORDER BY h.subject"
# read: with the findings of that audit
_NEWEST = f"""
MATCH (h:AuditorAuditHead {{key: $key}})
OPTIONAL MATCH (:AuditorAudit {{id: h.audit}})-[:FOUND]->(f:AuditorFinding)
WITH h, f ORDER BY f.place
WITH h, collect({columns(RecordedFinding, "f")}) AS findings
RETURN {columns(AuditHead, "h", findings="findings")} AS head
"""
# read: the newest
_LIST = f"MATCH (a:AuditorAudit) WITH a ORDER BY a.at DESC, a.id SKIP $skip LIMIT $limit {_COLUMNS}"
# read
_LIST_OF = f"MATCH (a:AuditorAudit {{key: $key}}) WITH a ORDER BY a.at DESC, a.id SKIP $skip LIMIT $limit {_COLUMNS}"
# read
_SHOW = f"MATCH (a:AuditorAudit {{id: $id}}) {_COLUMNS}"


class Audits(Repository):
    """The audits of a store."""

    def record(
        self,
        new: NewAudit,
        *,
        labels_shown: Collection[str] | None = None,
        finish: TransactionHook | None = None,
        telling: Telling | None = None,
    ) -> Audit:
        """Record an audit with its policy, its findings and its entry in the ledger.

        Parameters
        ----------
        new : NewAudit
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

        def work(tx: Transaction) -> Audit:
            recorded = find_one(tx, Audit, _SHOW, id=new.id)
            if recorded is not None:
                return recorded
            check_same(tx, new.subject)
            audit = self._write(tx, new, telling)
            if labels_shown is not None:
                # how many they are is a figure of the data
                look = {"audit": audit.id, "knowledge": sorted(labels_shown)}
                self._ledger.append(tx, "labels_shown", look, actor=audit.actor, subject=audit.subject)
            if finish is not None:
                finish(tx)
            return audit

        return self.locked(work)

    def _write(self, tx: Transaction, new: NewAudit, telling: Telling | None) -> Audit:
        at, key = self._ledger.now(), new.subject.key
        newest = find_one(tx, AuditHead, _NEWEST, key=key)
        waivers = waivers_in_force(tx, key, at)
        found, gone = compare_findings(key, new.findings, () if newest is None else newest.findings, waivers)
        audit = Audit(
            new.id, parse_time(at), new.subject.shown, key, new.policy_hash, verdict_of(found), new.trigger,
            float(new.seconds), new.actor, new.repeats, found, gone,
        )  # fmt: skip
        self._write_nodes(tx, new, audit)
        if telling is not None:
            tell_audit(tx, telling, audit, new.findings, waivers)
        payload = {
            "audit": audit.id,
            "policy": audit.policy_hash,
            "verdict": audit.verdict,
            "trigger": audit.trigger,
            "violated": sorted({finding.rule for finding in _violated(audit)}),
            "waived": sorted({finding.waiver for finding in found if finding.waiver is not None}),
            "repeats": audit.repeats,
        }
        self._ledger.append(tx, "audit", payload, actor=audit.actor, subject=audit.subject)
        return audit

    def _write_nodes(self, tx: Transaction, new: NewAudit, audit: Audit) -> None:
        """Write an audit with its findings and its policy, and the head of the audits of its subject."""
        gone = json.dumps([asdict(one) for one in audit.gone], ensure_ascii=False)
        values = encode(audit, gone=gone, findings=None)
        policy = {"policy_hash": new.policy_hash, "policy_text": new.policy_text, "at": values["at"]}
        tx.run(_RECORD, policy, values=values, findings=[asdict(finding) for finding in audit.findings]).consume()
        tie_audit(tx, audit.id, new.subject)
        violated = _violated(audit)
        open_ = sum(finding.waiver is None for finding in violated)
        head = AuditHead(
            audit.key, audit.subject, audit.id, audit.at, audit.verdict, audit.policy_hash,
            new.subject.state, new.version, open_, len(violated) - open_,
        )  # fmt: skip
        tx.run(_SET_HEAD, key=audit.key, head=encode(head, findings=None)).consume()

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
        return self._all(Audit, query, **values, limit=limit, skip=skip)

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
        return next(iter(self._all(Audit, _SHOW, id=id)), None)

    def heads(self) -> Sequence[AuditHead]:
        """Return what the newest audit of every subject said, by subject; without its findings."""
        return self._all(AuditHead, _HEADS)

    def newest(self, key: str) -> AuditHead | None:
        """Return what the newest audit of a subject said, with its findings; None if there is none."""
        return next(iter(self._all(AuditHead, _NEWEST, key=key)), None)


def _violated(audit: Audit) -> list[RecordedFinding]:
    return [finding for finding in audit.findings if finding.severity == "violation"]
