"""Audits in the store: policy, verdict and findings, in one transaction with their entry in the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.audits.finding import Finding
from auditor.errors import NotFound
from auditor.store.clock import parse_time, time_text
from auditor.store.ledger import Ledger
from auditor.store.names import is_name
from auditor.store.schema import lock_store
from auditor.store.subjects import check_subject, check_unchanged

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["Audit", "Audits"]

# read, under the store's lock
_IS_RECORDED = "MATCH (a:Audit {id: $id}) RETURN count(a) AS found"
# write
_RECORD = """
MATCH (n:Network {name: $name})
MERGE (p:Policy {hash: $policy_hash}) ON CREATE SET p.text = $policy_text, p.created_at = $at
CREATE (a:Audit {id: $id, at: $at, subject: $subject, policy_hash: $policy_hash, verdict: $verdict,
                 trigger: $trigger, seconds: $seconds, actor: $actor})
CREATE (a)-[:OF]->(n), (a)-[:UNDER]->(p)
WITH a
UNWIND range(0, size($findings) - 1) AS place
CREATE (f:Finding {id: $id + '/' + toString(place), place: place})
SET f += $findings[place]
CREATE (a)-[:FOUND]->(f)
"""

_COLUMNS = """
OPTIONAL MATCH (a)-[:FOUND]->(f:Finding)
WITH a, f ORDER BY f.place
RETURN a.id AS id, a.at AS at, a.subject AS subject, a.policy_hash AS policy_hash, a.verdict AS verdict,
       a.trigger AS trigger, a.seconds AS seconds, a.actor AS actor,
       collect(f {.rule, .where, .severity, .figure, .threshold, .message}) AS findings
ORDER BY at DESC, id
"""
# read
_LIST = f"MATCH (a:Audit) {_COLUMNS}"
# read
_LIST_OF = f"MATCH (a:Audit)-[:OF]->(:Network {{name: $name}}) {_COLUMNS}"
# read
_SHOW = f"MATCH (a:Audit {{id: $id}}) {_COLUMNS}"
# read
_POLICY = "MATCH (p:Policy {hash: $hash}) RETURN p.text AS text"


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit that was recorded."""

    id: str
    at: datetime
    subject: str
    """``network:NAME``, the name at the time."""
    policy_hash: str
    verdict: str
    trigger: str
    seconds: float
    actor: str
    findings: tuple[Finding, ...]


class Audits:
    """The audits of a store.

    Parameters
    ----------
    connection : Connection
        The store.
    ledger : Ledger, optional
        Where audits are recorded; the store's own by default.
    """

    def __init__(self, connection: Connection, ledger: Ledger | None = None) -> None:
        self._connection = connection
        self._ledger = ledger if ledger is not None else Ledger(connection)

    def record(
        self,
        *,
        subject: str,
        policy_hash: str,
        policy_text: str,
        verdict: str,
        findings: Sequence[Finding],
        trigger: str,
        duration: float,
        actor: str,
        network: int | None = None,
        labels_shown: Mapping[str, int] | None = None,
    ) -> str:
        """Record an audit with its policy, its findings and its entry in the ledger; return its id.

        Parameters
        ----------
        subject : str
            Name of the network.
        policy_hash, policy_text : str
            The policy; its text is kept once.
        verdict : str
            Such as ``passed``.
        findings : sequence of Finding
            Without labels and attributes.
        trigger : str
            What made it run, such as ``command``.
        duration : float
            Seconds.
        actor : str
            Who ran it.
        network : int, optional
            Number (:attr:`NetworkInfo.id`) of the network that was audited, to be sure that it is still the one.
        labels_shown : mapping of str to int, optional
            Set when the actor asked to see vertices: how many, under each knowledge. A ledger entry of its own.

        Raises
        ------
        NotFound
            If there is no network of that name (any more).
        StoreConflict
            If there is another one under that name by now.
        """
        values = {
            "id": str(uuid.uuid4()),
            "at": time_text(self._ledger.clock()),
            "name": subject,
            "network": network,
            "subject": f"network:{subject}",
            "policy_hash": policy_hash,
            "policy_text": policy_text,
            "verdict": verdict,
            "findings": [asdict(finding) for finding in findings],
            "trigger": trigger,
            "seconds": float(duration),
            "actor": actor,
        }
        self._connection.write(lambda tx: self._record(tx, values, labels_shown))
        return str(values["id"])

    def list(self, subject: str | None = None) -> Sequence[Audit]:
        """Return audits, newest first: all, or those of the network that has this name now.

        Raises
        ------
        NotFound
            If there is no network of that name.
        """
        if subject is None:
            return [_audit(dict(record)) for record in self._connection.read(_LIST)]
        check_subject(self._connection, subject)
        return [_audit(dict(record)) for record in self._connection.read(_LIST_OF, name=subject)]

    def show(self, id: str) -> Audit:
        """Return an audit.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        records = self._connection.read(_SHOW, id=id) if is_name(id) else []
        if not records:
            raise NotFound(f"there is no audit {id!r}; see 'auditor audit list'")
        return _audit(dict(records[0]))

    def policy_text(self, policy_hash: str) -> str:
        """Return the text of a policy that an audit was made under.

        Raises
        ------
        NotFound
            If no audit was made under it.
        """
        records = self._connection.read(_POLICY, hash=policy_hash)
        if not records:
            raise NotFound("no audit was made under that policy")
        return str(records[0]["text"])

    def _record(self, tx: ManagedTransaction, values: dict[str, Any], labels_shown: Mapping[str, int] | None) -> None:
        lock_store(tx)
        if tx.run(_IS_RECORDED, id=values["id"]).single(strict=True)["found"]:
            # this is a retry, and the first try was committed
            return
        check_unchanged(tx, values["name"], values["network"])
        tx.run(_RECORD, values).consume()
        payload = {
            "audit": values["id"],
            "policy": values["policy_hash"],
            "verdict": values["verdict"],
            "trigger": values["trigger"],
            "violated": sorted({f["rule"] for f in values["findings"] if f["severity"] == "violation"}),
        }
        self._ledger.append(tx, "audit", payload, actor=values["actor"], subject=values["subject"])
        if labels_shown is not None:
            look = {"audit": values["id"], "vertices": dict(labels_shown)}
            self._ledger.append(tx, "labels_shown", look, actor=values["actor"], subject=values["subject"])


def _audit(record: dict[str, Any]) -> Audit:
    findings = tuple(Finding(**finding) for finding in record.pop("findings"))
    return Audit(**{**record, "at": parse_time(record["at"])}, findings=findings)
