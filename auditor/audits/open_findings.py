"""The findings of the newest audits of all subjects, and looks at where findings are."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.store.connection import Connection
from auditor.store.repository import NewEntry, OpenStore, Repository

# read: what is worst first; where it is and what was measured are not read
_FINDINGS = """
UNWIND $audits AS id
MATCH (a:AuditorAudit {id: id})-[:FOUND]->(f:AuditorFinding)
WHERE f.waiver IS NULL
RETURN a.id AS audit, f.rule AS rule, f.severity AS severity, f.change AS change, f.fingerprint AS fingerprint
ORDER BY CASE f.severity WHEN 'violation' THEN 0 WHEN 'undecided' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
         a.subject, f.place
SKIP $skip LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding of the newest audit of a subject: without where it is, and what was measured."""

    audit: str
    rule: str
    severity: str
    change: str
    fingerprint: str


def find_open_findings(
    connection: Connection, audits: Sequence[str], *, limit: int, skip: int = 0
) -> list[OpenFinding]:
    """Return findings of audits that nobody waived, violations first.

    Parameters
    ----------
    connection : Connection
    audits : sequence of str
        Ids, of the newest audits of subjects.
    limit, skip : int
    """
    values = {"audits": list(audits), "limit": limit, "skip": skip}
    return [OpenFinding(**record) for record in connection.read(_FINDINGS, **values)]


def look_at_findings(store: OpenStore, id: str, *, actor: str) -> Audit:
    """Return an audit for somebody who is about to see where its findings are, and what was measured; recorded before.

    Raises
    ------
    NotFound
        If there is no such audit.
    """
    audit = Audits(store).show(id)
    Repository(store).change(lambda tx: NewEntry("findings_shown", {"audit": id}, actor, audit.subject))
    return audit
