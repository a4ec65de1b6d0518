"""What a report about stored records is made of: their audit, and the newest export as its file is now."""

from dataclasses import dataclass, field
from datetime import datetime

from auditor.core.finding import Finding
from auditor.exports.record import Export
from auditor.subjects.microdata.auditing import RecordsAudit
from auditor.subjects.microdata.exports.rechecking import RecheckedRecords
from graphkit.microdata.utility import Comparison, Histogram


@dataclass(frozen=True, slots=True)
class GeneralizedLoss:
    """What a generalized file lost of its original. Protected."""

    gcp: float
    """Global certainty penalty, from 0 to 1."""
    by_attribute: tuple[tuple[str, str, float], ...]
    """Name, what stands for several values (`range`, `set`, `tree`), and its part of the penalty."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a released file keeps of its original, as far as it was measured. Protected."""

    released: RecordsAudit | None = None
    """Audit of the released file by the same quasi-identifiers; of generalized records that is the wrong test."""
    comparison: Comparison | None = None
    histograms: tuple[Histogram, ...] = ()
    loss: GeneralizedLoss | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StoredRelease:
    """An export of stored records, looked at again."""

    export: Export
    k: int
    """Which it claims."""
    found: RecheckedRecords
    kept: Kept = field(default_factory=Kept)

    @property
    def violations(self) -> tuple[Finding, ...]:
        """What is wrong with what it claims, and what others disclose beside it."""
        return tuple(finding for finding in self.found.findings if finding.severity == "violation")

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """What could not be found out."""
        return tuple(finding for finding in self.found.findings if finding.severity == "undecided")

    @property
    def holds(self) -> bool:
        """Whether every check holds, and nothing else is wrong or undecided."""
        return self.found.passed and not self.violations and not self.undecided


@dataclass(frozen=True, slots=True, eq=False)
class StoredReport:
    """Everything that the internal page about stored records says. Protected."""

    name: str
    created_at: datetime
    audit: RecordsAudit
    """Of the records as they are."""
    release: StoredRelease | None = None

    @property
    def holds(self) -> bool:
        """Whether what is to be published passes: the release where there is one, else the records themselves."""
        return self.audit.verdict == "passed" if self.release is None else self.release.holds
