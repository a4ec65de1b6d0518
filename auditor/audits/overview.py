"""All subjects of a store with what their newest audits said: one small transaction, however many audits there are."""

from dataclasses import dataclass
from datetime import datetime

from auditor.core.kinds import kinds
from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.repository import Repository

# read: every subject with its key, from the registry of kinds; tables of one population share theirs
_SUBJECTS = """
CALL () {{ {listed} }}
OPTIONAL MATCH (h:AuditorAuditHead {{key: key}})
RETURN $family AS family, name, key, state, of, h.audit AS audit, h.at AS at, h.verdict AS verdict, h.open AS open,
       h.waived AS waived, h.trend AS trend
ORDER BY name
"""
# read: moves with every recorded change
_CHANGES = "MATCH (s:AuditorStore {key: 1}) RETURN s.writes AS writes"


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

    def read(self) -> list[SubjectOverview]:
        """Return all subjects by family and name."""

        def work(tx: Transaction) -> list[SubjectOverview]:
            return [
                decode(SubjectOverview, record)
                for kind in sorted(kinds(), key=lambda kind: kind.name)
                for record in tx.run(_SUBJECTS.format(listed=kind.listed), family=kind.name)
            ]

        return self._connection.read_transaction(work)
