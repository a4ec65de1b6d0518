"""The findings of the newest audits of all subjects, and looks at where findings are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from auditor.audits.overview import all_subjects
from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.core.errors import BadInput
from auditor.store.connection import Connection
from auditor.store.records import decode
from auditor.store.repository import NewEntry, OpenStore, Repository

# read: of the newest audit of every subject that is there; where a finding is and what was measured are not read
_OPEN = """
WHERE h IS NOT NULL
MATCH (:AuditorAudit {id: h.audit})-[:FOUND]->(f:AuditorFinding) WHERE f.waiver IS NULL
WITH family, name, of, h, f
"""
_ASKED = """($family = '' OR family = $family) AND ($severity = '' OR f.severity = $severity)
  AND ($rule = '' OR f.rule = $rule) AND ($change = '' OR f.change = $change)
  AND ($text = '' OR toLower(name) CONTAINS $text OR toLower(coalesce(of, '')) CONTAINS $text
       OR toLower(f.rule) CONTAINS $text OR family + '.' + f.rule IN $like)"""
# since when a finding is there, and in how many audits, is read of those that are shown
_PART = """
WITH family, name, of, h, f ORDER BY {order}, name, f.place SKIP $skip LIMIT $limit
CALL (f) {{
  MATCH (g:AuditorFinding {{fingerprint: f.fingerprint}})<-[:FOUND]-(a:AuditorAudit)
  RETURN min(a.at) AS since, count(a) AS times
}}
RETURN family, name, of, h.audit AS audit, f.rule AS rule, f.severity AS severity, f.change AS change,
       f.fingerprint AS fingerprint, since, times
ORDER BY {order}, name, f.place
"""
_WORST = "CASE f.severity WHEN 'violation' THEN 0 WHEN 'undecided' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END"
_ORDERS = {
    "": f"{_WORST}, toLower(coalesce(of, name))",
    "subject": "toLower(coalesce(of, name))",
    "rule": "f.rule",
    "newest": "h.at DESC",
}
SORTABLE = tuple(name for name in _ORDERS if name)
"""What open findings can be sorted by, beside their severity."""
# read
_RULES = f"RETURN f.rule AS rule, sum(CASE WHEN {_ASKED} THEN 1 ELSE 0 END) AS findings ORDER BY rule"
# read: what was measured, for a trend; protected
_FIGURES = """
MATCH (f:AuditorFinding {fingerprint: $fingerprint})<-[:FOUND]-(a:AuditorAudit)
WITH f, a ORDER BY a.at DESC LIMIT $limit
RETURN f.figure AS figure ORDER BY a.at
"""


@dataclass(frozen=True, slots=True)
class OpenFilter:
    """Which open findings are asked for, and in which order."""

    family: str = ""
    severity: str = ""
    rule: str = ""
    change: str = ""
    text: str = ""
    """Part of the name of a subject or a rule."""
    like: tuple[str, ...] = ()
    """Rules, each with its kind, that are asked for as well where `text` is given: its words are theirs."""
    sort: str = ""
    """One of :data:`SORTABLE`; empty for the worst first."""


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding of the newest audit of a subject: without where it is, and what was measured."""

    family: str
    name: str
    of: str | None
    """What an export was made from."""
    audit: str
    rule: str
    severity: str
    change: str
    fingerprint: str
    since: datetime
    """The first audit that found it."""
    times: int
    """How many audits found it."""

    @property
    def subject(self) -> str:
        """Return ``family:name``."""
        return f"{self.family}:{self.name}"


def find_open_findings(connection: Connection, asked: OpenFilter, *, limit: int, skip: int = 0) -> list[OpenFinding]:
    """Return findings that nobody waived, read, sorted and cut in the store.

    Raises
    ------
    BadInput
        If they cannot be sorted so.
    """
    order = _ORDERS.get(asked.sort)
    if order is None:
        raise BadInput(f"findings cannot be sorted by {asked.sort!r}; say {', '.join(SORTABLE)}")
    query = f"{all_subjects()}{_OPEN}WHERE {_ASKED}{_PART.format(order=order)}"
    return [decode(OpenFinding, record) for record in connection.read(query, **_values(asked), skip=skip, limit=limit)]


def count_open_findings(connection: Connection, asked: OpenFilter) -> dict[str, int]:
    """Return every rule that has open findings, each with how many of them are asked for."""
    found = connection.read(all_subjects() + _OPEN + _RULES, **_values(asked))
    return {str(record["rule"]): int(record["findings"]) for record in found}


def figures_of(connection: Connection, fingerprint: str, *, limit: int = 20) -> list[float]:
    """Return what the last audits measured of a finding, the newest last. Protected: for disclosure views alone."""
    return [record["figure"] for record in connection.read(_FIGURES, fingerprint=fingerprint, limit=limit)]


def look_at_findings(store: OpenStore, id: str, *, actor: str, trend: bool = False) -> Audit:
    """Return an audit for somebody who is about to see where its findings are, and what was measured; recorded before.

    Parameters
    ----------
    store : OpenStore
    id : str
        Of the audit.
    actor : str
        Who sees it.
    trend : bool
        Whether they also see what earlier audits measured (:func:`figures_of`).

    Raises
    ------
    NotFound
        If there is no such audit.
    """
    audit = Audits(store).show(id)
    payload = {"audit": id, "trend": True} if trend else {"audit": id}
    Repository(store).record_view(NewEntry("findings_shown", payload, actor, audit.subject))
    return audit


def _values(asked: OpenFilter) -> dict[str, str | Sequence[str]]:
    named = {name: getattr(asked, name) for name in ("family", "severity", "rule", "change")}
    return {**named, "text": asked.text.lower(), "like": [*asked.like]}
