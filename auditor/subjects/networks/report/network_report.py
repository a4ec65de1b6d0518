"""What a report of a network is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from auditor import __version__
from auditor.core.finding import Finding
from auditor.subjects.networks.auditing import NetworkAudit, audit_network
from auditor.subjects.networks.charts.before_and_after import NetworkPicture
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.networks.risk.degree_risk import DegreeRisk
from graphkit.networks.utility import Comparison, Utility
from graphkit.networks.verify import DegreeClaim, Verification


@dataclass(frozen=True, slots=True)
class Making:
    """How a release was made. Protected: from the number of added edges hubs can be rebuilt."""

    edges_added: int
    lower_bound: int | None = None
    """Proven: no release has fewer added edges; None where it was not computed."""
    method: str = ""
    status: str = ""
    edges_deleted: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A released file: what it claims, what was checked in it, and what is in it."""

    export: str
    """Random id of the export."""
    file: str
    """Name of the file, without its folder."""
    files: Mapping[str, str]
    """SHA-256 of every published file by its name, :attr:`file` first."""
    verified_at: datetime
    claim: DegreeClaim
    verification: Verification
    risk: DegreeRisk | None
    """Of the released network, under the k of the claim; None when the file could not be read."""
    utility: Utility | None = None
    """Of the released network."""
    kept_attributes: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    """What was checked at publication and cannot be checked again, and why."""
    comparison: Comparison | None = None
    """With the original. Protected."""
    making: Making | None = None
    """Protected."""
    picture: NetworkPicture | None = None
    """A sample before and after. Protected: it shows which edges were added."""
    given: Mapping[str, CandidateRisk] = field(default_factory=dict)
    """Of the released network, the risk under more knowledge than a degree."""

    @property
    def verified(self) -> bool:
        """Whether the file was read and every check holds."""
        return self.risk is not None and bool(self.verification.checks) and self.verification.passed


@dataclass(frozen=True, slots=True, eq=False)
class NetworkReport:
    """Everything that a page about a network may say in the internal edition."""

    name: str
    created_at: datetime
    audit: NetworkAudit
    """Of the original, under the policy. Protected."""
    utility: Utility | None = None
    """Of the original. Protected."""
    release: Release | None = None
    version: str = __version__
    asked: bool = True
    """Whether this policy was requested; otherwise a release is judged by what it claims."""

    @property
    def findings_of_release(self) -> tuple[Finding, ...]:
        """What of the release violates the requested policy; nothing without a release that could be read."""
        if not self.asked or self.release is None or self.release.risk is None:
            return ()
        audit = audit_network(self.release.risk.block_sequence, self.audit.policy, self.release.given)
        return tuple(finding for finding in audit.findings if finding.severity == "violation")

    @property
    def holds(self) -> bool:
        """Whether what is to go out meets the policy: the release where there is one, else the network itself."""
        if self.release is None:
            return self.audit.verdict == "passed"
        return self.release.verified and not self.findings_of_release
