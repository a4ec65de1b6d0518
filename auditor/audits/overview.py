"""All subjects of a store with what their newest audits said: one small transaction, however many audits there are."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor.core.kinds import kinds
from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.repository import Repository
from auditor.store.sorting import order_by

# read: every subject with its key, from the registry of kinds; tables of one population share theirs
_SUBJECTS = """
CALL () {{ {listed} }}
OPTIONAL MATCH (h:AuditorAuditHead {{key: key}})
RETURN $family AS family, name, key, state, of, {title} AS title, h.audit AS audit, h.at AS at, h.verdict AS verdict,
       h.open AS open, h.waived AS waived, h.trend AS trend
ORDER BY name
"""
# read: all subjects of all kinds, narrowed and sorted in the store; of an export the name of its origin counts, too
_ALL = """
CALL () {{ {listed} }}
OPTIONAL MATCH (h:AuditorAuditHead {{key: key}})
WITH family, name, key, state, of, title, h
"""
_NARROWED = """($family = '' OR family = $family) AND NOT family IN $but
  AND ($verdict = '' OR coalesce(h.verdict, 'none') = $verdict)
  AND ($text = '' OR toLower(name) CONTAINS $text OR toLower(coalesce(of, '')) CONTAINS $text
   OR toLower(coalesce(title, '')) CONTAINS $text)"""
_FIELDS = """
RETURN family, name, key, state, of, title, h.audit AS audit, h.at AS at, h.verdict AS verdict, h.open AS open,
       h.waived AS waived, h.trend AS trend
"""
_ORDERS = {
    "": "CASE WHEN coalesce(h.open, 0) > 0 THEN 0 WHEN h IS NULL THEN 1 ELSE 2 END, coalesce(h.open, 0) DESC",
    "name": "toLower(coalesce(of, name))",
    "verdict": "coalesce(h.verdict, 'none')",
    "open": "coalesce(h.open, 0)",
    "at": "coalesce(h.at, '')",
}
"""What the subjects can be sorted by; by their urgency where nothing is said."""
# read
_TOTALS = f"""
RETURN coalesce(h.verdict, 'none') AS verdict, count(*) AS subjects, sum(coalesce(h.open, 0)) AS open,
       sum(CASE WHEN {_NARROWED} THEN 1 ELSE 0 END) AS asked
"""
# read: moves with every recorded change
_CHANGES = "MATCH (s:AuditorStore {key: 1}) RETURN s.writes AS writes"


@dataclass(frozen=True, slots=True)
class OverviewFilter:
    """Which subjects are asked for, and in which order."""

    family: str = ""
    verdict: str = ""
    """``none`` for those that were never audited."""
    text: str = ""
    """Part of a name."""
    but: tuple[str, ...] = ()
    """Kinds that are left out."""
    sort: str = ""
    """``name``, ``verdict``, ``open`` or ``at``, with ``-`` before it for the other direction; the most urgent first by
    default."""


@dataclass(frozen=True, slots=True)
class SubjectOverview:
    """A subject, and what its newest audit said."""

    family: str
    name: str
    key: str
    state: str | None
    """Of an export."""
    of: str | None
    """The subject that an export was made from."""
    audit: str | None
    """Id of the newest audit; None before the first."""
    at: datetime | None
    verdict: str | None
    open: int = 0
    """Violations without a waiver."""
    waived: int = 0
    title: str | None = None
    """What people call it, where that is not its name."""
    trend: tuple[int, ...] = ()
    """How many were open, in the last audits, the newest last."""

    @property
    def subject(self) -> str:
        """Return ``family:name``."""
        return f"{self.family}:{self.name}"


class Overview(Repository):
    """All subjects of a store."""

    def changes(self) -> int:
        """Return a number that is another one after every change that is recorded."""
        return int(self._connection.read(_CHANGES)[0]["writes"])

    def read_part(self, asked: OverviewFilter, *, limit: int, skip: int = 0) -> list[SubjectOverview]:
        """Return some of the subjects, read, sorted and cut in the store.

        Raises
        ------
        BadInput
            If they cannot be sorted so.
        """
        order = order_by(_ORDERS, asked.sort, "subjects")
        query = f"{all_subjects()}WHERE {_NARROWED}{_FIELDS}ORDER BY {order}, family, name SKIP $skip LIMIT $limit"
        return [
            decode(SubjectOverview, record)
            for record in self._connection.read(query, **_values(asked), skip=skip, limit=limit)
        ]

    def totals(self, asked: OverviewFilter) -> dict[str, int]:
        """Return how many subjects there are, by verdict (``none`` for no audit), in all, and of those that are asked
        for, and how many violations are open.
        """
        rows = self._connection.read(all_subjects() + _TOTALS, **_values(asked))
        found = {"passed": 0, "violated": 0, "undecided": 0, "none": 0} | {r["verdict"]: r["subjects"] for r in rows}
        sums = {
            name: sum(r[of] for r in rows) for name, of in (("all", "subjects"), ("open", "open"), ("asked", "asked"))
        }
        return found | sums

    def origin(self, family: str, name: str) -> str | None:
        """Return what something was made from, None where it was not, or is not there."""
        query = f"{all_subjects()}WHERE family = $family AND name = $name RETURN of"
        found = self._connection.read(query, family=family, name=name)
        return found[0]["of"] if found else None

    def read(self) -> list[SubjectOverview]:
        """Return all subjects by family and name."""

        def work(tx: Transaction) -> list[SubjectOverview]:
            return [
                decode(SubjectOverview, record)
                for kind in sorted(kinds(), key=lambda kind: kind.name)
                for record in tx.run(_SUBJECTS.format(listed=kind.listed, title=kind.title), family=kind.name)
            ]

        return self._connection.read_transaction(work)


def all_subjects() -> str:
    """Return the beginning of a query: all subjects of all kinds, as ``family, name, key, state, of, title``, with the
    head ``h`` of their audits.
    """
    parts = (
        f"CALL () {{ {kind.listed} }} RETURN '{kind.name}' AS family, name, key, state, of, {kind.title} AS title"
        for kind in sorted(kinds(), key=lambda kind: kind.name)
    )
    return _ALL.format(listed="\nUNION ALL\n".join(parts))


def _values(asked: OverviewFilter) -> dict[str, Any]:
    return {"family": asked.family, "verdict": asked.verdict, "text": asked.text.lower(), "but": [*asked.but]}
